import { invalid } from '#server/api/contract/errors.ts'
import { queryEnum } from '#server/api/contract/query.ts'
import { clock } from '#server/clock.ts'
import { knownTaxYear, londonDate, type TaxYear, taxYears, toTaxYear } from '#server/market/calculators/tax-year.ts'

/** Tax year parameter of the calculators. */
export const taxYearParameter = queryEnum(taxYears)
  .optional()
  .describe('Tax year, from 6 April to 5 April, such as 2026-27. Default: the current one in London.')

/** Today's date in London. Responses are cached for up to a minute, so one may still carry the previous day just after midnight. */
export const today = (): string => londonDate(clock.now())

/** Returns the requested tax year, or else the one of the date. */
export function chosenTaxYear(asked: TaxYear | undefined, date: string): TaxYear {
  if (asked !== undefined) return asked
  const current = toTaxYear(date)
  const known = knownTaxYear(current)
  if (known === undefined) throw invalid(`The rules for the tax year ${current} are not available yet. Set "taxYear" to one of ${taxYears.join(', ')}.`)
  return known
}
