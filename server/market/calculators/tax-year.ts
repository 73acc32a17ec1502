/** Tax years covered by the tables in `data/`. A tax year runs from 6 April to 5 April. */
export const taxYears = ['2023-24', '2024-25', '2025-26', '2026-27', '2027-28'] as const

export type TaxYear = (typeof taxYears)[number]

const london = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', year: 'numeric', month: '2-digit', day: '2-digit' })

const dayMs = 86_400_000

/**
 * Date in London at a given time, ISO 8601. Tax years change at midnight there, not in UTC: 23:30 UTC on 5 April is already 6 April in British
 * Summer Time.
 */
export function londonDate(epochMs: number): string {
  const parts = new Map(london.formatToParts(epochMs).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

/** Tax year of an ISO date, such as `2026-27`, whether or not it has tables. */
export function toTaxYear(date: string): string {
  const year = Number(date.slice(0, 4))
  const start = date.slice(5) >= '04-06' ? year : year - 1
  return `${start}-${String((start + 1) % 100).padStart(2, '0')}`
}

/** Narrows a name to a tax year with tables; undefined if there are none. */
export function knownTaxYear(name: string): TaxYear | undefined {
  return taxYears.find((taxYear) => taxYear === name)
}

const startYear = (taxYear: TaxYear) => Number(taxYear.slice(0, 4))

/** Last day of a tax year (5 April), ISO date. */
export function lastDay(taxYear: TaxYear): string {
  return `${startYear(taxYear) + 1}-04-05`
}

/**
 * Returns the last tax year with tables once it has started, otherwise null. The tables of the next year are then due before it ends: the
 * calculators need them from the following day.
 */
export function lastTaxYear(date: string): { readonly taxYear: TaxYear; readonly endsOn: string } | null {
  const taxYear = taxYears.toSorted().at(-1)
  return taxYear !== undefined && toTaxYear(date) >= taxYear ? { taxYear, endsOn: lastDay(taxYear) } : null
}

/** First day of the next tax year (6 April), ISO date. */
export function resetDay(taxYear: TaxYear): string {
  return `${startYear(taxYear) + 1}-04-06`
}

/** Calendar days from today to the last day of a tax year; 0 on that day and later. Days of 23 or 25 hours count as one. */
export function daysLeft(taxYear: TaxYear, today: string): number {
  return Math.max(0, (Date.parse(lastDay(taxYear)) - Date.parse(today)) / dayMs)
}
