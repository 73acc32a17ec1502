import type { Limits, Plan } from './access.ts'
import type { Availability, Mode } from './endpoint.ts'

/** Calling account and key, as returned by `/me`. */
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

/** Balance and usage of an account. Counts for the current UTC day are as of `asOf`; the balance and the remaining daily quota are exact. */
export type UsageSummary = {
  readonly balanceCredits: number
  readonly asOf: string
  readonly requestsToday: number
  readonly creditsToday: number
  readonly dayUsed: number
}

/** Row of the endpoint catalogue for one key. */
export type CatalogueRow = {
  readonly method: string
  readonly path: string
  readonly scope: string
  readonly cost: string
  readonly availability: Availability
  readonly callable: boolean
  /** Error code that a call would return, or null if the endpoint is callable. */
  readonly reason: string | null
}
