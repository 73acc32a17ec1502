import { z } from 'zod'
import { invalid } from '#server/api/contract/errors.ts'
import { queryEnum } from '#server/api/contract/query.ts'
import { clock } from '#server/clock.ts'
import { knownTaxYear, type TaxYear, taxYears, toTaxYear } from '#server/market/calculators/tax-year.ts'
import { londonDay as londonDate } from '#server/market/sources/calendar.ts'

/** Maximum amount for calculators, in pence: one billion pounds. */
export const maxPence = 100_000_000_000

/** Maximum yearly rate for calculators, in basis points: 100%. */
export const maxRateBp = 10_000

/** Maximum duration in months of results with one row per month. Lower than `maxMonths`, to keep responses small. */
export const maxMonthlyRows = 360
/** Maximum duration in months of results with one row per year. */
export const maxMonths = 600

/** Schema of the rules that were applied to get a result. */
export const notes = z.array(z.string()).describe('Rules that were applied, one sentence each.')

export const taxYearParameter = queryEnum(taxYears)
  .optional()
  .describe('Tax year, from 6 April to 5 April, such as 2026-27. Default: the current tax year, UK time.')

/** Returns today's date in London. Cached responses may contain the previous date for up to a minute after midnight. */
export const today = (): string => londonDate(clock.now())

/** Returns the requested tax year or, if none is requested, the tax year that includes the date. */
export function chosenTaxYear(asked: TaxYear | undefined, date: string): TaxYear {
  if (asked !== undefined) return asked
  const current = toTaxYear(date)
  const known = knownTaxYear(current)
  if (known === undefined) throw invalid(`The rules for the tax year ${current} are not available yet. Set "taxYear" to one of ${taxYears.join(', ')}.`)
  return known
}
