import { dayMs } from '#server/api/contract/dates.ts'
import file from '../data/tax-rules.json' with { type: 'json' }
import { toHundredths } from '../decimal.ts'

/** Tax years covered by the tables in `data/`. A tax year runs from 6 April to 5 April. */
export const taxYears = ['2023-24', '2024-25', '2025-26', '2026-27', '2027-28'] as const

export type TaxYear = (typeof taxYears)[number]

const london = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', year: 'numeric', month: '2-digit', day: '2-digit' })

/**
 * Returns the date in London at a given time, as an ISO date. Tax years change at midnight in London, not in UTC: 23:30 UTC on 5 April is already 6 April in
 * British Summer Time.
 */
export function londonDate(epochMs: number): string {
  const parts = new Map(london.formatToParts(epochMs).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

/** Returns the tax year of an ISO date, such as `2026-27`, even if `data/` has no tables for it. */
export function toTaxYear(date: string): string {
  const year = Number(date.slice(0, 4))
  const start = date.slice(5) >= '04-06' ? year : year - 1
  return `${start}-${String((start + 1) % 100).padStart(2, '0')}`
}

/** Returns a name as a `TaxYear` if there are tables for that year, otherwise undefined. */
export function knownTaxYear(name: string): TaxYear | undefined {
  return taxYears.find((taxYear) => taxYear === name)
}

const startYear = (taxYear: TaxYear) => Number(taxYear.slice(0, 4))

/** Returns the last day of a tax year (5 April) as an ISO date. */
export function lastDay(taxYear: TaxYear): string {
  return `${startYear(taxYear) + 1}-04-05`
}

/**
 * Returns the latest tax year with tables, or null if that year has not started yet. Once it has started, the tables of the next year must be
 * added before it ends, because the calculators need them from the following day.
 */
export function lastTaxYear(date: string): { readonly taxYear: TaxYear; readonly endsOn: string } | null {
  const taxYear = taxYears.toSorted().at(-1)
  return taxYear !== undefined && toTaxYear(date) >= taxYear ? { taxYear, endsOn: lastDay(taxYear) } : null
}

/** Returns the first day of the next tax year (6 April) as an ISO date. */
export function resetDay(taxYear: TaxYear): string {
  return `${startYear(taxYear) + 1}-04-06`
}

/** Returns the number of calendar days from today to the last day of a tax year; 0 on or after the last day. Days of 23 or 25 hours count as one day. */
export function daysLeft(taxYear: TaxYear, today: string): number {
  return Math.max(0, (Date.parse(lastDay(taxYear)) - Date.parse(today)) / dayMs)
}

/** Parses a rate from a data table, such as `20.00`, into basis points. Throws if the rate is invalid, because the tables ship with the code. */
export function rateBp(text: string): number {
  const hundredths = toHundredths(text)
  if (hundredths === undefined) throw new Error(`Invalid rate "${text}" in a data table: expected at most two decimals.`)
  return hundredths
}

/** Converts whole pounds of a data table to pence. */
export const wholePounds = (pounds: number): number => pounds * 100

/** Income tax band. */
export type Band = 'basic' | 'higher' | 'additional'

/** Rules for tax on savings interest in one tax year. Money in pence, rates in basis points. */
export type TaxRules = {
  readonly personalAllowancePence: number
  /** Income (interest included) above which the personal allowance falls by £1 for every £2. */
  readonly taperStartPence: number
  /** Upper limit of the basic band; the higher band ends at `additionalFromPence`. */
  readonly basicBandPence: number
  readonly additionalFromPence: number
  readonly startingRateBandPence: number
  readonly savingsAllowancePence: Readonly<Record<Band, number>>
  readonly savingsRatesBp: Readonly<Record<Band, number>>
  /** Rates on wages and pensions in England, Wales and Northern Ireland. */
  readonly otherIncomeRatesBp: Readonly<Record<Band, number>>
  /** True if the law fixes the order in which the personal allowance is used. */
  readonly isOrderFixed: boolean
}

type Rates = Readonly<Record<Band, string>>

const toRates = ({ basic, higher, additional }: Rates) => ({ basic: rateBp(basic), higher: rateBp(higher), additional: rateBp(additional) })

function fromFile(year: (typeof file.years)[TaxYear]): TaxRules {
  const { basic, higher, additional } = year.personalSavingsAllowance
  return {
    personalAllowancePence: wholePounds(year.personalAllowance),
    taperStartPence: wholePounds(year.personalAllowanceTaperStart),
    basicBandPence: wholePounds(year.basicRateBand),
    additionalFromPence: wholePounds(year.additionalRateThreshold),
    startingRateBandPence: wholePounds(year.startingRateForSavingsBand),
    savingsAllowancePence: { basic: wholePounds(basic), higher: wholePounds(higher), additional: wholePounds(additional) },
    savingsRatesBp: toRates(year.savingsRates),
    otherIncomeRatesBp: toRates(year.otherIncomeRates),
    isOrderFixed: year.allowanceOrder === 'fixed',
  }
}

/** Returns the tax rules of a tax year. Sources are cited in the data file. */
export function taxRules(taxYear: TaxYear): TaxRules {
  return fromFile(file.years[taxYear])
}

/** Savings and investment income, in pence, above which a Self Assessment return is required. */
export const selfAssessmentAbovePence = wholePounds(file.selfAssessmentAbove)
