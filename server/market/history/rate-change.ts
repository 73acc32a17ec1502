import type { ProductType } from '#server/api/contract/account-types.ts'
import { dayMs } from '#server/api/contract/dates.ts'

/** Directions of a rate change. `unchanged`: the base rate, the bonus or its duration changed, but the total rate didn't. */
export const directions = ['up', 'down', 'launched', 'withdrawn', 'unchanged'] as const

export type Direction = (typeof directions)[number]

/** Immutable sort key of a change: newest day first, then highest number. */
export type ChangeKey = { readonly effectiveDate: string; readonly seq: number }

/** Product that a change belongs to. `provider` is the current name; account name and type are those at the time of the change. */
type Subject = {
  readonly sourceKey: string
  readonly provider: string
  readonly providerSlug: string
  /** Path of the provider's logo on this service; null if it has none. */
  readonly providerLogoPath: string | null
  readonly accountName: string
  readonly accountType: ProductType
}

/** Change of a product's rate. Rates in basis points, ISO dates, `detectedAt` in ISO 8601 UTC. */
export type RateChange = Subject &
  ChangeKey & {
    readonly direction: Direction
    /** Null on launch. */
    readonly previousRateBp: number | null
    /** Null on withdrawal. */
    readonly rateBp: number | null
    /** Day of the previous change, including withdrawals; null for the first change of a product. */
    readonly previousEffectiveDate: string | null
    readonly detectedAt: string
  }

/** Period with a constant base rate and bonus, from the day of one change to the day of the next; `effectiveTo` is null if there is no next change. */
export type RatePeriod = Subject &
  ChangeKey & {
    readonly effectiveTo: string | null
    readonly rateBp: number
    readonly baseRateBp: number
    readonly boostRateBp: number
    readonly boostDuration: string | null
  }

/** Filter for changes. Omitted fields match everything; dates are inclusive. */
export type ChangeFilter = {
  readonly type?: ProductType | undefined
  readonly provider?: string | undefined
  readonly sourceKey?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export type PageOfChanges = { readonly filter: ChangeFilter; readonly after: ChangeKey | null; readonly limit: number }

export type TrendWindow = {
  readonly filter: Pick<ChangeFilter, 'type' | 'provider' | 'sourceKey'>
  /** Last day, ISO date. */
  readonly to: string
  readonly stepDays: number
  /** Number of steps before the last day. */
  readonly steps: number
}

const digits = 9

/** Public id of a change. Fixed length, so ids sort by number. */
export const changeId = (seq: number): string => `hst_${seq.toString(36).padStart(digits, '0')}`

/** Returns the number of a change, given its public id. */
export const changeSeq = (id: string): number => Number.parseInt(id.slice('hst_'.length), 36)

/** Number of days between two ISO dates. */
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
