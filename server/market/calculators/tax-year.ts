import { dayMs } from '#server/api/contract/dates.ts'
import file from '../data/tax-rules.json' with { type: 'json' }
import { toHundredths } from '../decimal.ts'

/** Tax years covered by the tables in `data/`. A tax year runs from 6 April to 5 April. */
export const taxYears = ['2023-24', '2024-25', '2025-26', '2026-27', '2027-28'] as const

export type TaxYear = (typeof taxYears)[number]

/** Returns the tax year of a date in London (ISO), such as `2026-27`, even if `data/` has no tables for it. Tax years change at midnight in London, not in UTC. */
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
 * Returns the latest tax year that has tables, or null if that year has not started yet. Once it has started, the next year's tables must be added before it
 * ends, because the calculators need them from the following day.
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

/**
 * Parses a rate from a data table, such as `20.00`, into basis points. Throws if the rate is invalid: the tables ship with the code, so that would be a bug.
 */
export function rateBp(text: string): number {
  const hundredths = toHundredths(text)
  if (hundredths === undefined) throw new Error(`Invalid rate "${text}" in a data table: expected at most two decimals.`)
  return hundredths
}

/** Converts whole pounds from a data table to pence. */
export const wholePounds = (pounds: number): number => pounds * 100

/** Income tax band. */
export type Band = 'basic' | 'higher' | 'additional'

const toRates = ({ basic, higher, additional }: Readonly<Record<Band, string>>) => ({
  basic: rateBp(basic),
  higher: rateBp(higher),
  additional: rateBp(additional),
})

/** Returns the rules for tax on savings interest in one tax year. Money in pence, rates in basis points. Sources are cited in the data file. */
export function taxRules(taxYear: TaxYear) {
  const year = file.years[taxYear]
  const { basic, higher, additional } = year.personalSavingsAllowance
  return {
    personalAllowancePence: wholePounds(year.personalAllowance),
    /** Income (interest included) above which the personal allowance falls by £1 for every £2. */
    taperStartPence: wholePounds(year.personalAllowanceTaperStart),
    /** Upper limit of the basic band; the higher band ends at `additionalFromPence`. */
    basicBandPence: wholePounds(year.basicRateBand),
    additionalFromPence: wholePounds(year.additionalRateThreshold),
    startingRateBandPence: wholePounds(year.startingRateForSavingsBand),
    savingsAllowancePence: { basic: wholePounds(basic), higher: wholePounds(higher), additional: wholePounds(additional) },
    savingsRatesBp: toRates(year.savingsRates),
    /** Rates on wages and pensions in England, Wales and Northern Ireland. */
    otherIncomeRatesBp: toRates(year.otherIncomeRates),
    /** True if the law fixes the order in which the personal allowance is used. */
    isOrderFixed: year.allowanceOrder === 'fixed',
  }
}

export type TaxRules = ReturnType<typeof taxRules>

/** Savings and investment income, in pence, above which a Self Assessment return is required. */
export const selfAssessmentAbovePence = wholePounds(file.selfAssessmentAbove)
