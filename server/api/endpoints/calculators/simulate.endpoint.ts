import { z } from 'zod'
import { invalid } from '#server/api/contract/errors.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { queryInt, queryPence, queryPercent, queryText } from '#server/api/contract/query.ts'
import {
  compoundings,
  plainAssumptions,
  plainTerms,
  productAssumptions,
  productTerms,
  productWarnings,
  type SimulatedProduct,
  simulate,
} from '#server/market/calculators/simulate.ts'
import { moneyText } from '#server/market/decimal.ts'
import { payableTaxYear, yearlyAllowance } from '#server/market/payable.ts'
import type { Product } from '#server/market/product.ts'
import { type Context, defineItem } from '../define.ts'
import { missingProduct } from '../missing-items.ts'
import { money, percent } from '../record-fields.ts'
import { maxMonthlyRows, maxPence, maxRateBp, today } from './fields.ts'

const amount = queryPence({ min: 1, max: maxPence }).optional()

const SimulatedMonth = z.object({
  month: z.number().int().describe('Month number, starting at 1.'),
  rate: percent('Rate in the month (AER).'),
  interest: money('Interest credited at the end of the month; 0.00 in a month without a credit.'),
  balance: money('Balance at the end of the month.'),
})

const Simulation = z.object({
  sourceKey: z.string().nullable().describe('Simulated product; null for a plain rate.'),
  balance: money('Opening balance.'),
  months: z.number().int().describe('Requested number of months.'),
  simulatedMonths: z.number().int().describe('Simulated number of months: less than requested if the account matures earlier.'),
  rateUsed: percent('Opening rate, including the bonus (AER).'),
  baseRate: percent('Rate excluding the bonus (AER).'),
  boostRate: percent('Bonus rate; 0.00 if there is no bonus.'),
  boostEndsAfterMonth: z.number().int().nullable().describe('Last month with the bonus; null if there is no bonus or its duration is unknown.'),
  interestPaid: z.string().describe('Interest payment frequency of the product; "Annually" for a plain rate.'),
  compounding: z.enum(compoundings).describe('Interest-crediting frequency of the simulation. A plain rate compounds annually.'),
  totalInterest: money('Total interest.'),
  endBalance: money('Balance at the end.'),
  effectiveAer: percent('Yearly rate that gives the same end balance.'),
  schedule: z.array(SimulatedMonth).describe('One row per month.'),
  assumptions: z.array(z.string()).describe('Assumptions of the simulation, one sentence each.'),
  warnings: z
    .array(z.string())
    .describe('Limitations of the simulation: balance limits, monthly deposit limits, ISA allowances, maturity, deposit protection.'),
})

type Asked = { sourceKey?: string | undefined; rate?: number | undefined; amount?: number | undefined; balance?: number | undefined }

function chosenAmount({ amount: given, balance }: Asked): number {
  if (given !== undefined && balance !== undefined) throw invalid('"amount" and "balance" are the same parameter. Give only one of them.')
  const chosen = given ?? balance
  if (chosen === undefined) throw invalid('"amount" is missing.')
  return chosen
}

function chosenSource({ sourceKey, rate: rateBp }: Asked, { market }: Context): Product | number {
  const advice = 'Give either "sourceKey" for a product or "rate" for a plain rate.'
  if (rateBp !== undefined && sourceKey !== undefined) throw invalid(`"sourceKey" and "rate" cannot be combined. ${advice}`)
  if (rateBp !== undefined) return rateBp
  if (sourceKey === undefined) throw invalid(`"sourceKey" or "rate" is missing. ${advice}`)
  const match = market.product(sourceKey)
  if (!match) throw missingProduct(sourceKey, market)
  return match.product
}

type SimulatedFigures = Pick<SimulatedProduct, 'terms' | 'amountPence' | 'askedMonths' | 'result'>

/** Returns the text fields of the simulation. For a product, the assumptions and warnings are about its terms; a simulation of only a rate has no warnings. */
function wording(source: Product | number, figures: SimulatedFigures, { market }: Context) {
  if (typeof source === 'number') return { sourceKey: null, interestPaid: 'Annually', assumptions: plainAssumptions(), warnings: [] }
  const { sourceKey, interestPaid, providerSlug } = source
  const simulated = {
    ...figures,
    product: source,
    protectionLimitPence: market.provider(providerSlug)?.protectionLimitPence ?? null,
    yearlyAllowancePence: yearlyAllowance(source.accountType, payableTaxYear(today())),
  }
  return { sourceKey, interestPaid, assumptions: productAssumptions(simulated), warnings: productWarnings(simulated) }
}

export const simulateBalance = defineItem({
  id: 'simulate',
  no: 32,
  path: '/simulate',
  tool: 'simulate',
  summary: 'Simulate the growth of a balance in a product.',
  description:
    "Uses the product's actual terms: its AER is converted to a rate per interest payment, an introductory bonus ends after its duration, and a fixed rate ends at maturity. A plain rate compounds annually. Interest is rounded half up to the penny at each credit.",
  when: 'to calculate how a balance grows in a product, including its bonus and term.',
  scope: 'rates:read',
  price: { credits: 2, per: 'request' },
  example: { rate: '4.50', amount: '1000', months: '12' },
  live: 'open',
  sampled: true,
  input: z.object({
    sourceKey: queryText().optional().describe('Stable product ID. Give either this or "rate".'),
    rate: queryPercent({ max: maxRateBp }).optional().describe('Plain yearly rate in percent, such as 4.50. Give either this or "sourceKey".'),
    amount: amount.describe('Opening balance, in GBP.'),
    balance: amount.describe('Alias of "amount". Give only one of them.'),
    months: queryInt({ min: 1, max: maxMonthlyRows }).describe('Number of months.'),
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
