import type { Availability, Mode } from './endpoint.ts'
import type { Limits, Plan } from './plans.ts'

/** Facts about the calling account and key, from which `/me` is made. */
export type AccountSummary = {
  readonly account: { readonly id: string; readonly name: string; readonly status: string; readonly plan: Plan }
  readonly key: {
    readonly id: string
    readonly mode: Mode
    readonly hint: string
    readonly scopes: readonly string[]
    readonly ipAllowList: readonly string[]
    readonly createdAt: string
    readonly expiresAt: string | null
  }
  readonly limits: Limits
  readonly usage: UsageSummary
  readonly endpoints: readonly CatalogueRow[]
}

/** Balance and usage of an account. The counts of the running UTC day are true as of `asOf`; balance and what is left of the day are exact. */
export type UsageSummary = {
  readonly balanceCredits: number
  readonly asOf: string
  readonly requestsToday: number
  readonly creditsToday: number
  readonly dayUsed: number
}

/** One line of the catalogue as it stands for a key. */
export type CatalogueRow = {
  readonly method: string
  readonly path: string
  readonly scope: string
  readonly cost: string
  readonly availability: Availability
  readonly callable: boolean
  /** The error code that a call would get, or null when it is callable. */
  readonly reason: string | null
}
