import { z } from 'zod'
import { invalid } from '#server/api/contract/errors.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { queryBoolean, queryInt, queryPence } from '#server/api/contract/query.ts'
import { adultFromAge, isaAllowance, isaNotes, isaRules } from '#server/market/calculators/isa-allowance.ts'
import { daysLeft, resetDay, type TaxYear, taxYears } from '#server/market/calculators/tax-year.ts'
import { defineItem } from '../define.ts'
import { money, nullableMoney, orNull } from '../record-fields.ts'
import { chosenTaxYear, maxPence, notes, taxYearParameter, today } from './fields.ts'

const amount = queryPence({ max: maxPence }).optional()

const paidInto = (what: string) => nullableMoney(`Paid into ${what} in the tax year; null if only "used" was given and is more than 0.`)

const IsaAllowance = z.object({
  taxYear: z.enum(taxYears).describe('Tax year of the calculation.'),
  overallLimit: money('Maximum that an adult can pay into all ISAs combined.'),
  cash: paidInto('cash ISAs'),
  stocksShares: paidInto('stocks and shares ISAs'),
  innovativeFinance: paidInto('innovative finance ISAs'),
  lifetime: paidInto('a lifetime ISA'),
  used: money('Total paid in: the sum of the amounts by type, or "used" as given.'),
  currentYearUsed: money('Allowance used: "used" minus any allowance restored by withdrawals from a flexible ISA.'),
  remaining: money('Remaining allowance: overallLimit minus currentYearUsed, at least 0.00.'),
  replaceableEarlierYears: money('Money from earlier years withdrawn from a flexible ISA, which can be paid back in this tax year without using allowance.'),
  cashLimit: money('Maximum that can be paid into cash ISAs.'),
  remainingCash: nullableMoney('Remaining cash ISA allowance; null if it depends on the split of "used".'),
  lifetimeLimit: money('Maximum that can be paid into a lifetime ISA, within the overall limit.'),
  remainingLifetime: nullableMoney('Remaining lifetime ISA allowance; null if it depends on the split of "used".'),
  lifetimeBonus: nullableMoney(
    'Government bonus on the lifetime ISA payments; 0.00 at an age when payments are not allowed; null if only "used" was given and is more than 0.',
  ),
  asOf: z.iso.date().describe('Date (UK time) from which daysLeft is counted.'),
  daysLeft: z.number().int().describe('Days from asOf to 5 April, the last day of the tax year; 0 on that day and later.'),
  resetsOn: z.iso.date().describe('6 April, when the next allowance starts.'),
  valid: z.boolean().describe('True if the payments are within the limits.'),
  breaches: z.array(z.string()).describe('Limits that the payments exceed; empty if there are none.'),
  notes,
})

type Asked = { [Name in 'used' | 'cash' | 'stocksShares' | 'innovativeFinance' | 'lifetime']?: number | undefined }

/** Returns the total paid in, and the amounts by type, which are null if only a total is given. If nothing is given, all amounts are zero. */
function paidIn({ used, cash, stocksShares, innovativeFinance, lifetime }: Asked) {
  const isSplit = [cash, stocksShares, innovativeFinance, lifetime].some((part) => part !== undefined)
  if (used !== undefined && isSplit) throw invalid('"used" cannot be combined with amounts by type. Give either "used", which is their total, or the amounts.')
  if (used !== undefined && used > 0) return { paidInPence: used, payments: null }
  const payments = { cashPence: cash ?? 0, stocksSharesPence: stocksShares ?? 0, innovativeFinancePence: innovativeFinance ?? 0, lifetimePence: lifetime ?? 0 }
  return { paidInPence: Object.values(payments).reduce((sum, pence) => sum + pence, 0), payments }
}

const minAge = Math.min(...taxYears.map((taxYear) => isaRules(taxYear).cashFromAge))

/** Tax years in which cash ISAs were open to under-18s. */
const youngYears = taxYears.filter((taxYear) => isaRules(taxYear).cashFromAge < adultFromAge)

function checkAge(age: number | null, taxYear: TaxYear): void {
  const { cashFromAge } = isaRules(taxYear)
  if (age === null || age >= cashFromAge) return
  const before = `Cash ISAs were open from age ${minAge} only in ${youngYears.join(', ')}.`
  throw invalid(`"age" must be ${cashFromAge} or more in ${taxYear}: younger people cannot pay into adult ISAs in that tax year. ${before}`)
}

export const calculateIsaAllowance = defineItem({
  id: 'calculators.isa-allowance',
  no: 34,
  path: '/calculators/isa-allowance',
  tool: 'calculators_isa_allowance',
  summary: 'Calculate the remaining ISA allowance.',
  description:
    'Give either "used", the total paid into adult ISAs in the tax year, or the amounts by type. If you give neither, the calculation assumes that nothing has been paid in.',
  when: 'to check how much can still be paid into ISAs this tax year.',
  scope: 'rates:read',
  price: { credits: 1, per: 'request' },
  live: 'open',
  sampled: true,
  input: z.object({
    used: amount.describe('Total paid into ISAs in the tax year, in GBP.'),
    cash: amount.describe('Paid into cash ISAs in the tax year, in GBP.'),
    stocksShares: amount.describe('Paid into stocks and shares ISAs in the tax year, in GBP.'),
    innovativeFinance: amount.describe('Paid into innovative finance ISAs in the tax year, in GBP.'),
    lifetime: amount.describe('Paid into a lifetime ISA in the tax year, in GBP, excluding the bonus.'),
    withdrawn: amount.describe('Withdrawn from ISAs in the tax year, in GBP.'),
    flexible: queryBoolean().optional().describe('True if the ISA withdrawn from is flexible. Default: false.'),
    age: queryInt({ min: minAge, max: 120 })
      .optional()
      .describe(`Age in whole years: at least ${adultFromAge}, or ${minAge} in ${youngYears.join(', ')}, when cash ISAs were open from that age.`),
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
      cash: orNull(payments?.cashPence),
      stocksShares: orNull(payments?.stocksSharesPence),
      innovativeFinance: orNull(payments?.innovativeFinancePence),
      lifetime: orNull(payments?.lifetimePence),
      used: twoDecimals(request.paidInPence),
      currentYearUsed: twoDecimals(result.currentYearUsedPence),
      remaining: twoDecimals(result.remainingPence),
      replaceableEarlierYears: twoDecimals(result.replaceableEarlierYearsPence),
      cashLimit: twoDecimals(result.cashLimitPence),
      remainingCash: orNull(result.remainingCashPence),
      lifetimeLimit: twoDecimals(result.rules.lifetimeLimitPence),
      remainingLifetime: orNull(result.remainingLifetimePence),
      lifetimeBonus: orNull(result.lifetimeBonusPence),
      asOf,
      daysLeft: daysLeft(taxYear, asOf),
      resetsOn: resetDay(taxYear),
      valid: result.breaches.length === 0,
      breaches: [...result.breaches],
      notes: isaNotes(result, request),
    }
  },
})
