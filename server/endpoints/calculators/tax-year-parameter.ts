import { clock } from '../../clock.ts'
import { invalid } from '../../contract/errors.ts'
import { queryEnum } from '../../contract/query.ts'
import { knownTaxYear, londonDate, type TaxYear, taxYearOf, taxYears } from '../../market/calculators/tax-year.ts'

/** The tax year that a calculator works in. */
export const taxYearParameter = queryEnum(taxYears)
  .optional()
  .describe('Tax year, from 6 April to 5 April, such as 2026-27. Left out, it is the current one by the date in London.')

/** Today's date in London. A page is shared for up to a minute, so at midnight an answer may still carry the day before. */
export const today = (): string => londonDate(clock.now())

/** The tax year asked for, else the one of the date. */
export function chosenTaxYear(asked: TaxYear | undefined, date: string): TaxYear {
  if (asked !== undefined) return asked
  const current = taxYearOf(date)
  const known = knownTaxYear(current)
  if (known === undefined) throw invalid(`There are no rules for the tax year ${current} yet. Give "taxYear", one of ${taxYears.join(', ')}.`)
  return known
}
