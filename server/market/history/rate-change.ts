import type { ProductType } from '../../contract/account-types.ts'

/** `unchanged`: base rate, bonus or how long it lasts moved, their sum did not. */
export const directions = ['up', 'down', 'launched', 'withdrawn', 'unchanged'] as const

export type Direction = (typeof directions)[number]

/** Place of a change in history: newest first by day, then by number. It never moves. */
export type ChangeKey = { readonly effectiveDate: string; readonly seq: number }

/** Whose rate it is, by the names of the time. */
type Subject = {
  readonly sourceKey: string
  readonly provider: string
  readonly providerSlug: string
  /** Path of the provider's logo on this service; null when it has none. */
  readonly providerLogoPath: string | null
  readonly accountName: string
  readonly accountType: ProductType
}

/** A change of a product's rate. Rates in hundredths of a percent, days as ISO dates, `detectedAt` as ISO 8601 UTC. */
export type RateChange = Subject &
  ChangeKey & {
    readonly direction: Direction
    /** Null on launch. */
    readonly previousRateBp: number | null
    /** Null on withdrawal. */
    readonly rateBp: number | null
    /** Day of the change before, a withdrawal included; null for the first of a product. */
    readonly previousEffectiveDate: string | null
    readonly detectedAt: string
  }

/** A time for which base rate and bonus stood: from the change that began it to the day on which the next one took over. */
export type RatePeriod = Subject &
  ChangeKey & {
    readonly effectiveTo: string | null
    readonly rateBp: number
    readonly baseRateBp: number
    readonly boostRateBp: number
    readonly boostDuration: string | null
  }

const digits = 9

/** How callers see the number of a change. Texts of equal length, so that they sort as the numbers do. */
export const changeId = (seq: number): string => `hst_${seq.toString(36).padStart(digits, '0')}`

/** The number in an id that was made here. */
export const changeSeq = (id: string): number => Number.parseInt(id.slice('hst_'.length), 36)

const dayMs = 86_400_000

/** Whole days between two ISO dates. */
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
