import { z } from 'zod'
import { twoDecimals } from '../../contract/formats.ts'
import { perRequest } from '../../contract/prices.ts'
import { queryInt, queryPence, queryPercent } from '../../contract/query.ts'
import { moneyText } from '../../market/calculators/money-text.ts'
import { regularSaver } from '../../market/calculators/regular-saver.ts'
import { defineItem } from '../define.ts'
import { money, mostMonthlyRows, mostPence, mostRateBp, notes, rate } from './fields.ts'

const SaverMonth = z.object({
  month: z.number().int().describe('Month, from 1.'),
  deposit: money('Paid in at the start of the month.'),
  depositInterest: money('What this deposit earns from its month up to the next credit of interest, rounded for itself.'),
  interest: money('Interest credited at the end of the month; 0.00 in a month without a credit.'),
  balance: money('Balance at the end of the month.'),
})

const RegularSaver = z.object({
  monthly: money('Paid in at the start of every month.'),
  rate: rate('Yearly rate.'),
  months: z.number().int().describe('Number of months.'),
  basis: z.string().describe('How interest is worked out.'),
  totalPaidIn: money('Everything paid in.'),
  totalInterest: money('All interest.'),
  endBalance: money('Balance at the end.'),
  averageBalance: money('Mean of the balances that earned interest.'),
  effectiveReturn: rate('Interest as a share of what was paid in. It is below the rate, because later deposits earn interest for fewer months.'),
  schedule: z.array(SaverMonth).describe('One row for each month.'),
  notes,
})

const basis =
  'Each deposit is made at the start of its month and earns rate ÷ 12 for every month from then on. Interest is credited every twelve months and at the end; over up to twelve months that is monthly × rate ÷ 12 × n(n + 1) ÷ 2 for n months.'

const rules = [
  'The rate is the gross yearly rate and stays as it is. A month is a twelfth of a year; a bank that counts days pays a few pence more or less.',
  'Interest builds up unrounded and is rounded half-up to the penny at each credit. It is before tax.',
]

export const calculateRegularSaver = defineItem({
  id: 'calculators.regular-saver',
  no: 36,
  path: '/calculators/regular-saver',
  tool: 'calculators_regular_saver',
  summary: 'Interest of a regular saver.',
  description: 'The same payment at the start of every month; interest is worked out on each deposit.',
  when: 'to work out what monthly payments earn.',
  scope: 'rates:read',
  price: perRequest(1),
  live: 'open',
  sampled: true,
  input: z.object({
    monthly: queryPence({ min: 1, max: mostPence }).describe('Paid in at the start of every month, in GBP.'),
    rate: queryPercent({ max: mostRateBp }).describe('Yearly rate in percent, such as 7.00.'),
    months: queryInt({ min: 1, max: mostMonthlyRows }).describe('Number of months.'),
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
