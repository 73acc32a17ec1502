import type { ProductType } from '#server/api/contract/account-types.ts'
import { dayMs, isoDay } from '#server/api/contract/dates.ts'

/** Number of rate changes for one account type on one day (UK time). */
export type DayOfChanges = {
  /** ISO date. */
  readonly date: string
  readonly accountType: ProductType
  readonly rises: number
  readonly cuts: number
  /** Total number of rises, cuts, and changes that only affect the base rate, the bonus or its duration. */
  readonly changes: number
  /** Changes, launches and withdrawals. */
  readonly updates: number
}

/** Rates on a past day, grouped by account type and term. */
export type PastRates = {
  readonly accountType: ProductType
  readonly termMonths: number | null
  /** False for accounts that exist only in history, which doesn't record the term. */
  readonly isTermKnown: boolean
  /** Sum of the rates in basis points. */
  readonly sumBp: number
  readonly count: number
  /** Distinct licence groups of the providers that offer these rates. */
  readonly institutions: readonly string[]
}

/** Rate movements in a market. Part of a snapshot, so it never changes. */
export type Movement = {
  /** Time of the last change to the market, ISO 8601 UTC; null if nothing has been imported. */
  readonly asOf: string | null
  /** Changes by day, starting 30 days before the snapshot. Days without changes are omitted. */
  readonly days: readonly DayOfChanges[]
  /** Rates one calendar month before the day of `asOf`. */
  readonly monthAgo: readonly PastRates[]
  /** Rates one year before the day of `asOf`. */
  readonly yearAgo: readonly PastRates[]
}

export const noMovement: Movement = { asOf: null, days: [], monthAgo: [], yearAgo: [] }

/** Sums the changes from `daysBefore` days before `today` up to and including `today`, for one account type if given. */
export function countChanges(
  days: readonly DayOfChanges[],
  today: string,
  daysBefore: number,
  accountType?: ProductType,
): Omit<DayOfChanges, 'date' | 'accountType'> {
  const first = isoDay(Date.parse(today) - daysBefore * dayMs)
  const counted = { rises: 0, cuts: 0, changes: 0, updates: 0 }
  for (const day of days) {
    if (day.date < first || day.date > today || (accountType !== undefined && day.accountType !== accountType)) continue
    counted.rises += day.rises
    counted.cuts += day.cuts
    counted.changes += day.changes
    counted.updates += day.updates
  }
  return counted
}
