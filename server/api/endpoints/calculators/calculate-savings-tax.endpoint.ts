import { z } from 'zod'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { queryPence } from '#server/api/contract/query.ts'
import { savingsTax, savingsTaxNotes, sliceBands } from '#server/market/calculators/savings-tax.ts'
import { taxYears } from '#server/market/calculators/tax-year.ts'
import { defineItem } from '../define.ts'
import { money, percent } from '../record-fields.ts'
import { chosenTaxYear, maxPence, notes, taxYearParameter, today } from './fields.ts'

const TaxSlice = z.object({
  band: z.enum(sliceBands).describe('Allowance or band that applies to this slice of the interest.'),
  amount: money('Amount of this slice.'),
  rate: percent('Tax rate on this slice.'),
  tax: money('Tax on this slice. The slices add up to taxDue, because the running total is rounded rather than each slice.'),
})

const SavingsTax = z.object({
  taxYear: z.enum(taxYears).describe('Tax year of the calculation.'),
  income: money('Other taxable income in the year.'),
  interest: money('Savings interest in the year.'),
  taxBand: z.enum(['none', 'basic', 'higher', 'additional']).describe('Highest band of taxable income, including interest.'),
  personalAllowance: money('Personal allowance after the taper.'),
  personalAllowanceUsedAgainstInterest: money('Personal allowance that other income leaves unused and that is set against interest.'),
  startingRateAvailable: money('Amount available at the 0% starting rate for savings.'),
  startingRateUsed: money('Interest taxed at the 0% starting rate.'),
  personalSavingsAllowance: money('Personal savings allowance.'),
  personalSavingsAllowanceUsed: money('Interest within the personal savings allowance.'),
  taxableInterest: money('Interest taxed above 0%.'),
  breakdown: z.array(TaxSlice).describe('All of the interest, in the order in which allowances and rates apply.'),
  taxDue: money('Tax on the interest, rounded half up once, at the end.'),
  extraTaxCausedByInterest: money('taxDue plus the extra tax on other income if the interest reduces the personal allowance.'),
  netInterest: money('Interest minus taxDue.'),
  selfAssessmentRequired: z.boolean().describe('True if savings and investment income must be reported in a Self Assessment return.'),
  notes,
})

export const calculateSavingsTax = defineItem({
  id: 'calculators.savings-tax',
  no: 33,
  path: '/calculators/savings-tax',
  tool: 'calculators_savings_tax',
  summary: 'Calculate the tax on savings interest.',
  description:
    'Tax on a year of savings interest for a UK taxpayer: personal allowance and taper, starting rate, personal savings allowance and the rates of the tax year.',
  when: 'to calculate how much tax someone owes on savings interest.',
  scope: 'rates:read',
  price: { credits: 1, per: 'request' },
  live: 'open',
  sampled: true,
  input: z.object({
    income: queryPence({ max: maxPence }).describe('Taxable income in the year in GBP before tax, excluding savings interest and dividends.'),
    interest: queryPence({ max: maxPence }).describe('Savings interest in the year in GBP, excluding ISA interest.'),
    taxYear: taxYearParameter,
  }),
  output: SavingsTax,
  handle: ({ income, interest, taxYear: asked }) => {
    const taxYear = chosenTaxYear(asked, today())
    const result = savingsTax({ taxYear, incomePence: income, interestPence: interest })
    return {
      taxYear,
      income: twoDecimals(income),
      interest: twoDecimals(interest),
      taxBand: result.band,
      personalAllowance: twoDecimals(result.personalAllowancePence),
      personalAllowanceUsedAgainstInterest: twoDecimals(result.allowanceOnInterestPence),
      startingRateAvailable: twoDecimals(result.startingRateAvailablePence),
      startingRateUsed: twoDecimals(result.startingRateUsedPence),
      personalSavingsAllowance: twoDecimals(result.savingsAllowancePence),
      personalSavingsAllowanceUsed: twoDecimals(result.savingsAllowanceUsedPence),
      taxableInterest: twoDecimals(result.taxableInterestPence),
      breakdown: result.slices.map(({ band, amountPence, rateBp, taxPence }) => ({
        band,
        amount: twoDecimals(amountPence),
        rate: twoDecimals(rateBp),
        tax: twoDecimals(taxPence),
      })),
      taxDue: twoDecimals(result.taxPence),
      extraTaxCausedByInterest: twoDecimals(result.extraTaxPence),
      netInterest: twoDecimals(interest - result.taxPence),
      selfAssessmentRequired: result.isSelfAssessmentRequired,
      notes: savingsTaxNotes(result, taxYear),
    }
  },
})
