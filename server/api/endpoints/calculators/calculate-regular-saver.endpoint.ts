import { z } from 'zod'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { queryInt, queryPence, queryPercent } from '#server/api/contract/query.ts'
import { regularSaver } from '#server/market/calculators/savings-growth.ts'
import { moneyText } from '#server/market/decimal.ts'
import { defineItem } from '../define.ts'
import { money, percent } from '../record-fields.ts'
import { maxMonthlyRows, maxPence, maxRateBp, notes } from './fields.ts'

const SaverMonth = z.object({
  month: z.number().int().describe('Month number, starting at 1.'),
  deposit: money('Deposit at the start of the month.'),
  depositInterest: money('Interest that this deposit earns until the next interest credit, rounded separately.'),
  interest: money('Interest credited at the end of the month; 0.00 in a month without a credit.'),
  balance: money('Balance at the end of the month.'),
})

const RegularSaver = z.object({
  monthly: money('Deposit at the start of every month.'),
  rate: percent('Yearly rate.'),
  months: z.number().int().describe('Number of months.'),
  basis: z.string().describe('Method of the interest calculation.'),
  totalPaidIn: money('Total deposits.'),
  totalInterest: money('Total interest.'),
  endBalance: money('Balance at the end.'),
  averageBalance: money('Average of the balances that earned interest.'),
  effectiveReturn: percent('Interest as a percentage of the deposits. Lower than the rate, because later deposits earn interest for fewer months.'),
  schedule: z.array(SaverMonth).describe('One row per month.'),
  notes,
})

const basis =
  'Each deposit is made at the start of its month and earns rate ÷ 12 for every month from then on. Interest is credited every twelve months and at the end; for n months up to twelve, it is monthly × rate ÷ 12 × n(n + 1) ÷ 2.'

const rules = [
  'The rate is the gross yearly rate and stays the same. A month is a twelfth of a year; banks that count days pay a few pence more or less.',
  'Interest accrues unrounded and is rounded half up to the penny at each credit. Tax is not deducted.',
]

export const calculateRegularSaver = defineItem({
  id: 'calculators.regular-saver',
  no: 36,
  path: '/calculators/regular-saver',
  tool: 'calculators_regular_saver',
  summary: 'Calculate the interest on a regular saver.',
  description: 'The same deposit at the start of every month; interest is calculated on each deposit.',
  when: 'to calculate the interest on monthly deposits.',
  scope: 'rates:read',
  price: { credits: 1, per: 'request' },
  live: 'open',
  sampled: true,
  input: z.object({
    monthly: queryPence({ min: 1, max: maxPence }).describe('Deposit at the start of every month, in GBP.'),
    rate: queryPercent({ max: maxRateBp }).describe('Yearly rate in percent, such as 7.00.'),
    months: queryInt({ min: 1, max: maxMonthlyRows }).describe('Number of months.'),
  }),
  output: RegularSaver,
  handle: ({ monthly, rate: rateBp, months }) => {
    const result = regularSaver({ monthlyPence: BigInt(monthly), rateBp, months })
    return {
      monthly: twoDecimals(monthly),
      rate: twoDecimals(rateBp),
      months,
      basis,
      totalPaidIn: moneyText(result.paidInPence),
      totalInterest: moneyText(result.interestPence),
      endBalance: moneyText(result.endBalancePence),
      averageBalance: moneyText(result.averageBalancePence),
      effectiveReturn: twoDecimals(result.effectiveReturnBp),
      schedule: result.schedule.map(({ month, depositPence, depositInterestPence, interestPence, balancePence }) => ({
        month,
        deposit: moneyText(depositPence),
        depositInterest: moneyText(depositInterestPence),
        interest: moneyText(interestPence),
        balance: moneyText(balancePence),
      })),
      notes: rules,
    }
  },
})
