import type { ProductType } from '../../contract/account-types.ts'

/** How many rows of rate history a day in London has for a type of account. */
export type DayOfChanges = {
  /** ISO date. */
  readonly date: string
  readonly accountType: ProductType
  readonly rises: number
  readonly cuts: number
  /** Rises, cuts, and changes of base, bonus or its time alone. */
  readonly changes: number
  /** Changes, launches and withdrawals. */
  readonly updates: number
}

/** Rates that stood on a day of the past, of the accounts of a type and a term together. */
export type PastRates = {
  readonly accountType: ProductType
  readonly termMonths: number | null
  /** False for accounts that only history knows: it does not say how long their term was, or whether they had one. */
  readonly isTermKnown: boolean
  /** Of their rates in hundredths of a percent. */
  readonly sumBp: number
  readonly count: number
  /** Licences, each once. */
  readonly institutions: readonly string[]
}

/** How the rates of a market moved, as far as its figures speak of it. It belongs to a snapshot and never changes. */
export type Movement = {
  /** When the market last changed, ISO 8601 UTC; null for one into which nothing was ever imported. */
  readonly asOf: string | null
  /** Of the last 30 days before the snapshot was taken, the day itself and everything since. Days without a row are left out. */
  readonly days: readonly DayOfChanges[]
  /** One calendar month before the day of `asOf`. */
  readonly monthAgo: readonly PastRates[]
  readonly yearAgo: readonly PastRates[]
}

export const noMovement: Movement = { asOf: null, days: [], monthAgo: [], yearAgo: [] }

const dayMs = 86_400_000

/** Counts over the days from so many days before `today` to `today`, both included; of one type when it is named. */
export function countChanges(
  days: readonly DayOfChanges[],
  today: string,
  daysBefore: number,
  accountType?: ProductType,
): Omit<DayOfChanges, 'date' | 'accountType'> {
  const first = new Date(Date.parse(`${today}T00:00:00Z`) - daysBefore * dayMs).toISOString().slice(0, 10)
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
