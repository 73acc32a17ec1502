import { z } from 'zod'
import { invalid } from '../../contract/errors.ts'
import { twoDecimals } from '../../contract/formats.ts'
import { perRequest } from '../../contract/prices.ts'
import { queryBoolean, queryInt, queryPence } from '../../contract/query.ts'
import { adultFromAge, isaAllowance } from '../../market/calculators/isa-allowance.ts'
import { isaNotes } from '../../market/calculators/isa-notes.ts'
import { isaRules } from '../../market/calculators/isa-rules.ts'
import { daysLeft, resetDay, type TaxYear, taxYears } from '../../market/calculators/tax-year.ts'
import { defineItem } from '../define.ts'
import { money, moneyOrNull, mostPence, notes, nullableMoney } from './fields.ts'
import { chosenTaxYear, taxYearParameter, today } from './tax-year-parameter.ts'

const amount = queryPence({ max: mostPence }).optional()

const paidInto = (what: string) => nullableMoney(`Paid into ${what} in the tax year; null when only "used" was given and is more than 0.`)

const IsaAllowance = z.object({
  taxYear: z.enum(taxYears).describe('The tax year worked in.'),
  overallLimit: money('Most that an adult may pay into all ISAs together.'),
  cash: paidInto('cash ISAs'),
  stocksShares: paidInto('stocks and shares ISAs'),
  innovativeFinance: paidInto('innovative finance ISAs'),
  lifetime: paidInto('a lifetime ISA'),
  used: money('Everything paid in: the amounts of the types added up, or "used" as given.'),
  currentYearUsed: money('What counts against the allowance: "used" less what a withdrawal from a flexible ISA gives back.'),
  remaining: money('What may still be paid in: overallLimit less currentYearUsed, not below 0.00.'),
  replaceableEarlierYears: money('Money of earlier years taken out of a flexible ISA, which may be put back in this tax year without counting.'),
  cashLimit: money('Most that may be paid into cash ISAs.'),
  remainingCash: nullableMoney('What may still be paid into cash ISAs; null when it depends on how "used" is split.'),
  lifetimeLimit: money('Most that may be paid into a lifetime ISA, inside the overall limit.'),
  remainingLifetime: nullableMoney('What may still be paid into a lifetime ISA; null when it depends on how "used" is split.'),
  lifetimeBonus: nullableMoney(
    'Government bonus on the payments into a lifetime ISA, 0.00 at an age at which none may be made; null when only "used" was given and is more than 0.',
  ),
  asOf: z.iso.date().describe('Date in London that daysLeft is counted from.'),
  daysLeft: z.number().int().describe('Days from asOf to 5 April, the last day of the tax year: 0 on that day and after it.'),
  resetsOn: z.iso.date().describe('6 April, when the next allowance begins.'),
  valid: z.boolean().describe('Whether the payments keep to the limits.'),
  breaches: z.array(z.string()).describe('The limits that the payments break; empty when valid.'),
  notes,
})

type Asked = { [Name in 'used' | 'cash' | 'stocksShares' | 'innovativeFinance' | 'lifetime']?: number | undefined }

/** The sum paid in and how it is split. No parameter at all means that nothing was paid in yet. */
function paidIn({ used, cash, stocksShares, innovativeFinance, lifetime }: Asked) {
  const isSplit = [cash, stocksShares, innovativeFinance, lifetime].some((part) => part !== undefined)
  if (used !== undefined && isSplit) throw invalid('"used" is given beside amounts per type. Give either "used" or the amounts, because "used" is their sum.')
  if (used !== undefined && used > 0) return { paidInPence: used, payments: null }
  const payments = { cashPence: cash ?? 0, stocksSharesPence: stocksShares ?? 0, innovativeFinancePence: innovativeFinance ?? 0, lifetimePence: lifetime ?? 0 }
  return { paidInPence: Object.values(payments).reduce((sum, pence) => sum + pence, 0), payments }
}

const leastAge = Math.min(...taxYears.map((taxYear) => isaRules(taxYear).cashFromAge))

/** Tax years in which cash ISAs were open to some who were no adults yet. */
const youngYears = taxYears.filter((taxYear) => isaRules(taxYear).cashFromAge < adultFromAge)

function checkAge(age: number | null, taxYear: TaxYear): void {
  const { cashFromAge } = isaRules(taxYear)
  if (age === null || age >= cashFromAge) return
  const before = `Cash ISAs were open from ${leastAge} in ${youngYears.join(', ')} only.`
  throw invalid(`"age" must be ${cashFromAge} or more in ${taxYear}: nobody younger may pay into an ISA of adults in that tax year. ${before}`)
}

export const calculateIsaAllowance = defineItem({
  id: 'calculators.isa-allowance',
  no: 34,
  path: '/calculators/isa-allowance',
  tool: 'calculators_isa_allowance',
  summary: 'What is left of the ISA allowance.',
  description: 'Give either "used", everything paid into adult ISAs in the tax year, or the amounts per type. Without either, nothing was paid in yet.',
  when: 'to check what may still be paid into ISAs this tax year.',
  scope: 'rates:read',
  price: perRequest(1),
  live: 'open',
  sampled: true,
  input: z.object({
    used: amount.describe('Everything paid into ISAs in the tax year, in GBP.'),
    cash: amount.describe('Paid into cash ISAs in the tax year, in GBP.'),
    stocksShares: amount.describe('Paid into stocks and shares ISAs in the tax year, in GBP.'),
    innovativeFinance: amount.describe('Paid into innovative finance ISAs in the tax year, in GBP.'),
    lifetime: amount.describe('Paid into a lifetime ISA in the tax year, in GBP, without the bonus.'),
    withdrawn: amount.describe('Taken out of ISAs in the tax year, in GBP.'),
    flexible: queryBoolean().optional().describe('Whether the ISA that money was taken out of is flexible; false when left out.'),
    age: queryInt({ min: leastAge, max: 120 })
      .optional()
      .describe(`Age in whole years: ${adultFromAge} or over, and in ${youngYears.join(', ')} ${leastAge} or over, when cash ISAs were open from that age.`),
    taxYear: taxYearParameter,
  }),
  output: IsaAllowance,
  handle: ({ taxYear: asked, withdrawn = 0, flexible = false, age = null, ...parts }) => {
    const asOf = today()
    const taxYear = chosenTaxYear(asked, asOf)
    checkAge(age, taxYear)
    const request = { taxYear, ...paidIn(parts), withdrawnPence: withdrawn, isFlexible: flexible, age }
    const result = isaAllowance(request)
    const { payments } = request
    return {
      taxYear,
      overallLimit: twoDecimals(result.rules.overallLimitPence),
      cash: moneyOrNull(payments?.cashPence),
      stocksShares: moneyOrNull(payments?.stocksSharesPence),
      innovativeFinance: moneyOrNull(payments?.innovativeFinancePence),
      lifetime: moneyOrNull(payments?.lifetimePence),
      used: twoDecimals(request.paidInPence),
      currentYearUsed: twoDecimals(result.currentYearUsedPence),
      remaining: twoDecimals(result.remainingPence),
      replaceableEarlierYears: twoDecimals(result.replaceableEarlierYearsPence),
      cashLimit: twoDecimals(result.cashLimitPence),
      remainingCash: moneyOrNull(result.remainingCashPence),
      lifetimeLimit: twoDecimals(result.rules.lifetimeLimitPence),
      remainingLifetime: moneyOrNull(result.remainingLifetimePence),
      lifetimeBonus: moneyOrNull(result.lifetimeBonusPence),
      asOf,
      daysLeft: daysLeft(taxYear, asOf),
      resetsOn: resetDay(taxYear),
      valid: result.breaches.length === 0,
      breaches: [...result.breaches],
      notes: isaNotes(result, request),
    }
  },
})
