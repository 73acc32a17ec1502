import { z } from 'zod'
import { twoDecimals } from '../../contract/formats.ts'
import { perRequest } from '../../contract/prices.ts'
import { queryPence } from '../../contract/query.ts'
import { savingsTax, sliceBands } from '../../market/calculators/savings-tax.ts'
import { savingsTaxNotes } from '../../market/calculators/savings-tax-notes.ts'
import { taxYears } from '../../market/calculators/tax-year.ts'
import { defineItem } from '../define.ts'
import { money, mostPence, notes, rate } from './fields.ts'
import { chosenTaxYear, taxYearParameter, today } from './tax-year-parameter.ts'

const TaxSlice = z.object({
  band: z.enum(sliceBands).describe('The allowance or band that this part of the interest falls in.'),
  amount: money('This part of the interest.'),
  rate: rate('Rate on this part.'),
  tax: money('Tax on this part. The parts add up to taxDue: each is the step of the rounded running total.'),
})

const SavingsTax = z.object({
  taxYear: z.enum(taxYears).describe('The tax year worked in.'),
  income: money('Other taxable income of the year.'),
  interest: money('Savings interest of the year.'),
  taxBand: z.enum(['none', 'basic', 'higher', 'additional']).describe('The band that the top of taxable income, interest included, lies in.'),
  personalAllowance: money('Personal allowance after the taper.'),
  personalAllowanceUsedAgainstInterest: money('The part of the personal allowance that other income leaves for interest and that is used.'),
  startingRateAvailable: money('Room at the 0% starting rate for savings.'),
  startingRateUsed: money('Interest at the 0% starting rate.'),
  personalSavingsAllowance: money('Personal savings allowance.'),
  personalSavingsAllowanceUsed: money('Interest within the personal savings allowance.'),
  taxableInterest: money('Interest that is taxed above 0%.'),
  breakdown: z.array(TaxSlice).describe('All of the interest in the order in which it is set off and taxed.'),
  taxDue: money('Tax on the interest, rounded half-up once, at the end.'),
  extraTaxCausedByInterest: money('taxDue and the tax on other income that arises because the interest lowers the personal allowance.'),
  netInterest: money('Interest less taxDue.'),
  selfAssessmentRequired: z.boolean().describe('Whether savings and investment income has to be reported in a Self Assessment return.'),
  notes,
})

export const calculateSavingsTax = defineItem({
  id: 'calculators.savings-tax',
  no: 33,
  path: '/calculators/savings-tax',
  tool: 'calculators_savings_tax',
  summary: 'Tax on savings interest.',
  description:
    "A UK person's tax on a year's savings interest: personal allowance and its taper, starting rate, personal savings allowance, rates of the tax year.",
  when: 'to work out the tax that somebody owes on interest.',
  scope: 'rates:read',
  price: perRequest(1),
  live: 'open',
  sampled: true,
  input: z.object({
    income: queryPence({ max: mostPence }).describe('Taxable income of the year in GBP before tax, without savings interest and dividends.'),
    interest: queryPence({ max: mostPence }).describe('Savings interest of the year in GBP, without interest in ISAs.'),
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
