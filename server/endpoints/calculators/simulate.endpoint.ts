import { z } from 'zod'
import { invalid } from '../../contract/errors.ts'
import { twoDecimals } from '../../contract/formats.ts'
import { perRequest } from '../../contract/prices.ts'
import { queryInt, queryPence, queryPercent, queryText } from '../../contract/query.ts'
import { compoundings } from '../../market/calculators/compounding.ts'
import { moneyText } from '../../market/calculators/money-text.ts'
import { plainTerms, productTerms } from '../../market/calculators/product-terms.ts'
import { simulate } from '../../market/calculators/simulate.ts'
import { plainAssumptions, productAssumptions, productWarnings, type SimulatedProduct } from '../../market/calculators/simulation-notes.ts'
import type { Product } from '../../market/product.ts'
import { type Context, defineItem } from '../define.ts'
import { missingProduct } from '../missing-items.ts'
import { money, mostMonthlyRows, mostPence, mostRateBp, rate } from './fields.ts'

const amount = queryPence({ min: 1, max: mostPence }).optional()

const SimulatedMonth = z.object({
  month: z.number().int().describe('Month, from 1.'),
  rate: rate('Rate in force in the month (AER).'),
  interest: money('Interest credited at the end of the month; 0.00 in a month without a credit.'),
  balance: money('Balance at the end of the month.'),
})

const Simulation = z.object({
  sourceKey: z.string().nullable().describe('The product simulated; null for a plain rate.'),
  balance: money('Balance at the start.'),
  months: z.number().int().describe('Months asked for.'),
  simulatedMonths: z.number().int().describe('Months that the figures cover: fewer than asked for when the account matures first.'),
  rateUsed: rate('Rate at the start, bonus included (AER).'),
  baseRate: rate('Rate without the bonus (AER).'),
  boostRate: rate('The bonus part of the rate; 0.00 without a bonus.'),
  boostEndsAfterMonth: z.number().int().nullable().describe('The last month with the bonus; null without a bonus, or when its length is not known.'),
  interestPaid: z.string().describe('How often interest is paid, as in the product; "Annually" for a plain rate.'),
  compounding: z.enum(compoundings).describe('How often interest is credited in these figures. A plain rate compounds annually.'),
  totalInterest: money('All interest.'),
  endBalance: money('Balance at the end.'),
  effectiveAer: rate('The yearly rate that gives the same end balance.'),
  schedule: z.array(SimulatedMonth).describe('One row for each month.'),
  assumptions: z.array(z.string()).describe('What the figures take for granted, one sentence each.'),
  warnings: z.array(z.string()).describe('What stands in the way of the figures: balance limits, monthly deposit limits, maturity, protection.'),
})

type Asked = { sourceKey?: string | undefined; rate?: number | undefined; amount?: number | undefined; balance?: number | undefined }

function chosenAmount({ amount: given, balance }: Asked): number {
  if (given !== undefined && balance !== undefined) throw invalid('"amount" and "balance" are two names of one parameter. Give one of them.')
  const chosen = given ?? balance
  if (chosen === undefined) throw invalid('"amount" is missing.')
  return chosen
}

function chosenSource({ sourceKey, rate: rateBp }: Asked, { market }: Context): Product | number {
  const advice = 'Give exactly one of "sourceKey", for a product, and "rate", for a plain rate.'
  if (rateBp !== undefined && sourceKey !== undefined) throw invalid(`Both "sourceKey" and "rate" are given. ${advice}`)
  if (rateBp !== undefined) return rateBp
  if (sourceKey === undefined) throw invalid(`"sourceKey" or "rate" is missing. ${advice}`)
  const match = market.product(sourceKey)
  if (!match) throw missingProduct(sourceKey, market)
  return match.product
}

/** The words around the figures: a product has terms to warn of, a plain rate has none. */
function wording(source: Product | number, figures: Omit<SimulatedProduct, 'product' | 'protectionLimitPence'>, { market }: Context) {
  if (typeof source === 'number') return { sourceKey: null, interestPaid: 'Annually', assumptions: plainAssumptions(), warnings: [] }
  const { sourceKey, interestPaid, providerSlug } = source
  const simulated = { ...figures, product: source, protectionLimitPence: market.provider(providerSlug)?.protectionLimitPence ?? null }
  return { sourceKey, interestPaid, assumptions: productAssumptions(simulated), warnings: productWarnings(simulated) }
}

export const simulateBalance = defineItem({
  id: 'simulate',
  no: 32,
  path: '/simulate',
  tool: 'simulate',
  summary: 'Simulate the growth of a balance in a product.',
  description:
    "By the product's actual terms: the rate (AER) becomes the rate of each credit, an introductory bonus ends on time, and a fixed rate is held to maturity, where the figures stop. A plain rate compounds annually. Interest is rounded half-up to the penny at each credit.",
  when: 'to work out what a balance comes to in a product, its bonus and its term included.',
  scope: 'rates:read',
  price: perRequest(2),
  example: { rate: '4.50', amount: '1000', months: '12' },
  live: 'open',
  sampled: true,
  input: z.object({
    sourceKey: queryText().optional().describe('Stable product id. Give either this or "rate".'),
    rate: queryPercent({ max: mostRateBp }).optional().describe('A plain yearly rate in percent, such as 4.50. Give either this or "sourceKey".'),
    amount: amount.describe('Balance at the start, in GBP.'),
    balance: amount.describe('Another name of "amount". Give one of them.'),
    months: queryInt({ min: 1, max: mostMonthlyRows }).describe('Number of months.'),
  }),
  output: Simulation,
  handle: (input, context) => {
    const amountPence = chosenAmount(input)
    const source = chosenSource(input, context)
    const terms = typeof source === 'number' ? plainTerms(source) : productTerms(source)
    const result = simulate(BigInt(amountPence), input.months, terms)
    const { sourceKey, interestPaid, assumptions, warnings } = wording(source, { terms, amountPence, askedMonths: input.months, result }, context)
    const boostBp = terms.boostMonths > 0 ? terms.boostRateBp : 0
    return {
      sourceKey,
      balance: twoDecimals(amountPence),
      months: input.months,
      simulatedMonths: result.months,
      rateUsed: twoDecimals(terms.baseRateBp + boostBp),
      baseRate: twoDecimals(terms.baseRateBp),
      boostRate: twoDecimals(terms.boostRateBp),
      boostEndsAfterMonth: terms.boostMonths > 0 ? terms.boostMonths : null,
      interestPaid,
      compounding: terms.compounding,
      totalInterest: moneyText(result.interestPence),
      endBalance: moneyText(result.endBalancePence),
      effectiveAer: twoDecimals(result.effectiveAerBp),
      schedule: result.schedule.map(({ month, rateBp, interestPence, balancePence }) => ({
        month,
        rate: twoDecimals(rateBp),
        interest: moneyText(interestPence),
        balance: moneyText(balancePence),
      })),
      assumptions,
      warnings,
    }
  },
})
