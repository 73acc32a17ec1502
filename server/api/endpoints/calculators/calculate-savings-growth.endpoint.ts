import { z } from 'zod'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { queryInt, queryPence, queryPercent } from '#server/api/contract/query.ts'
import { inTodaysMoney, savingsGrowth } from '#server/market/calculators/savings-growth.ts'
import { moneyText } from '#server/market/decimal.ts'
import { defineItem } from '../define.ts'
import { money, nullableMoney, percent } from '../record-fields.ts'
import { maxMonths, maxPence, maxRateBp, notes } from './fields.ts'

const GrowthYear = z.object({
  year: z.number().int().describe('Year number, starting at 1; the last year may be shorter than twelve months.'),
  paidIn: money('Deposits during the year, including the opening amount in year 1.'),
  interest: money('Interest credited at the end of the year.'),
  balance: money('Balance at the end of the year.'),
})

const SavingsGrowth = z.object({
  amount: money('Opening amount.'),
  monthly: money('Deposit at the start of every month.'),
  rate: percent('Yearly rate.'),
  months: z.number().int().describe('Number of months.'),
  compounding: z.literal('annually').describe('Interest is credited every twelve months and at the end.'),
  totalPaidIn: money('Total deposits, including the opening amount.'),
  totalInterest: money('Total interest.'),
  endBalance: money('Balance at the end.'),
  realEndBalance: nullableMoney('End balance in today\'s money; null if "inflation" is not given.'),
  schedule: z.array(GrowthYear).describe('One row per year.'),
  notes,
})

const rules = [
  'The rate stays the same and compounds annually: interest is credited every twelve months, and pro rata for a partial year at the end.',
  'Monthly deposits are made at the start of each month and earn interest from then on. A month is a twelfth of a year.',
  'Interest accrues unrounded and is rounded half up to the penny at each credit. Tax is not deducted.',
]

const inflationRule = "Today's money: the end balance divided by (1 + inflation) to the power of the number of years."

export const calculateSavingsGrowth = defineItem({
  id: 'calculators.savings-growth',
  no: 35,
  path: '/calculators/savings-growth',
  tool: 'calculators_savings_growth',
  summary: 'Calculate the growth of savings at a given rate.',
  description: 'An opening amount, with optional monthly deposits, at a rate that compounds annually.',
  when: 'to calculate how savings grow at a known or assumed rate.',
  scope: 'rates:read',
  price: { credits: 1, per: 'request' },
  live: 'open',
  sampled: true,
  input: z.object({
    amount: queryPence({ max: maxPence }).describe('Opening amount, in GBP.'),
    rate: queryPercent({ max: maxRateBp }).describe('Yearly rate in percent, such as 4.50.'),
    months: queryInt({ min: 1, max: maxMonths }).describe('Number of months.'),
    monthly: queryPence({ max: maxPence }).optional().describe('Deposit at the start of every month, in GBP. Default: 0.'),
    inflation: queryPercent({ max: maxRateBp })
      .optional()
      .describe("Yearly inflation in percent. If given, the response includes the end balance in today's money."),
  }),
  output: SavingsGrowth,
  handle: ({ amount, rate: rateBp, months, monthly = 0, inflation }) => {
    const result = savingsGrowth({ amountPence: BigInt(amount), monthlyPence: BigInt(monthly), rateBp, months })
    return {
      amount: twoDecimals(amount),
      monthly: twoDecimals(monthly),
      rate: twoDecimals(rateBp),
      months,
      compounding: 'annually' as const,
      totalPaidIn: moneyText(result.paidInPence),
      totalInterest: moneyText(result.interestPence),
      endBalance: moneyText(result.endBalancePence),
      realEndBalance: inflation === undefined ? null : moneyText(inTodaysMoney(result.endBalancePence, inflation, months)),
      schedule: result.years.map(({ year, paidInPence, interestPence, balancePence }) => ({
        year,
        paidIn: moneyText(paidInPence),
        interest: moneyText(interestPence),
        balance: moneyText(balancePence),
      })),
      notes: inflation === undefined ? rules : [...rules, inflationRule],
    }
  },
})
