import { z } from 'zod'
import { twoDecimals } from '../../contract/formats.ts'
import { perRequest } from '../../contract/prices.ts'
import { queryInt, queryPence, queryPercent } from '../../contract/query.ts'
import { moneyText } from '../../market/calculators/money-text.ts'
import { inTodaysMoney, savingsGrowth } from '../../market/calculators/savings-growth.ts'
import { defineItem } from '../define.ts'
import { money, mostMonths, mostPence, mostRateBp, notes, nullableMoney, rate } from './fields.ts'

const GrowthYear = z.object({
  year: z.number().int().describe('Year, from 1; the last may be shorter than twelve months.'),
  paidIn: money('Paid in during the year; in year 1 with the amount at the start.'),
  interest: money('Interest credited at the end of the year.'),
  balance: money('Balance at the end of the year.'),
})

const SavingsGrowth = z.object({
  amount: money('Amount at the start.'),
  monthly: money('Paid in at the start of every month.'),
  rate: rate('Yearly rate.'),
  months: z.number().int().describe('Number of months.'),
  compounding: z.literal('annually').describe('Interest is credited every twelve months and at the end.'),
  totalPaidIn: money('Everything paid in, the amount at the start included.'),
  totalInterest: money('All interest.'),
  endBalance: money('Balance at the end.'),
  realEndBalance: nullableMoney('Balance at the end in today\'s money; null without "inflation".'),
  schedule: z.array(GrowthYear).describe('One row for each year.'),
  notes,
})

const rules = [
  'The rate stays as it is and compounds annually: interest is credited every twelve months, and for a part of a year at the end.',
  'Monthly payments are made at the start of each month and earn interest from then on. A month is a twelfth of a year.',
  'Interest builds up unrounded and is rounded half-up to the penny at each credit. It is before tax.',
]

const inflationRule = "Today's money: the end balance divided by (1 + inflation) to the power of the years."

export const calculateSavingsGrowth = defineItem({
  id: 'calculators.savings-growth',
  no: 35,
  path: '/calculators/savings-growth',
  tool: 'calculators_savings_growth',
  summary: 'Growth of savings at a rate.',
  description: 'An amount, and monthly payments if given, at a rate that compounds annually.',
  when: 'to work out what savings come to at a rate that is known or assumed.',
  scope: 'rates:read',
  price: perRequest(1),
  live: 'open',
  sampled: true,
  input: z.object({
    amount: queryPence({ max: mostPence }).describe('Amount at the start, in GBP.'),
    rate: queryPercent({ max: mostRateBp }).describe('Yearly rate in percent, such as 4.50.'),
    months: queryInt({ min: 1, max: mostMonths }).describe('Number of months.'),
    monthly: queryPence({ max: mostPence }).optional().describe('Paid in at the start of every month, in GBP; 0 when left out.'),
    inflation: queryPercent({ max: mostRateBp }).optional().describe("Yearly inflation in percent, to give the end balance in today's money too."),
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
