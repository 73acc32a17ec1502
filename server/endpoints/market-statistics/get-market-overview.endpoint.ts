import { z } from 'zod'
import { accountTypeValues } from '../../contract/account-types.ts'
import { twoDecimals } from '../../contract/formats.ts'
import { perRequest } from '../../contract/prices.ts'
import { topProviderCount } from '../../market/figures/market-figures.ts'
import type { Context } from '../define.ts'
import { defineItem } from '../define.ts'
import { absolute, logoUrl } from '../providers/record-fields.ts'
import { marketAsOf, originFields, percent, percentOrNull, toOrigin } from './statistic-fields.ts'

const Overview = z.object({
  asOf: marketAsOf,
  bankRate: percent.nullable().describe('Bank Rate of the Bank of England in percent a year, two decimals; null when it is not known.'),
  bankRateChangedOn: z.iso.date().nullable().describe('First day of that Bank Rate, ISO 8601 day.'),
  nextMpcDate: z.iso.date().nullable().describe('Day of the next announced decision on Bank Rate; null while no source of ours gives it.'),
  cpi: percent.nullable().describe('Consumer prices index, newest annual rate in percent, two decimals; null when it is not known.'),
  cpiMonth: z
    .string()
    .regex(/^\d{4}-\d\d$/)
    .nullable()
    .describe('Month of that rate, for example "2026-08".'),
  productCount: z.int().describe('Savings products that are listed.'),
  providerCount: z.int().describe('Active providers, also those without a savings product.'),
  beatingBankRate: z.int().nullable().describe('Products whose rate is above Bank Rate; null without one.'),
  beatingInflation: z.int().nullable().describe('Products whose rate, before tax, is above CPI; null without one.'),
  risesLast7Days: z.int().describe('Rises of rates today and on the six days before, days in London.'),
  cutsLast7Days: z.int().describe('Cuts of rates on the same days.'),
  topProviders: z
    .array(
      z.object({
        slug: z.string().describe('Slug of the provider, as in /reference/providers.'),
        name: z.string().describe('Display name.'),
        logoUrl,
        bestRate: percent.describe('Its best rate, AER in percent with two decimals.'),
        accountType: z.enum(accountTypeValues).describe('Type of the product with that rate, as `type` on /rates.'),
      }),
    )
    .describe(`The ${topProviderCount} providers with the best rates, best first; a provider stands once.`),
  bestByType: z
    .array(
      z.object({
        accountType: z.enum(accountTypeValues).describe('Account type, as `type` on /rates.'),
        rate: percent.describe('Best rate of the type, AER in percent with two decimals.'),
        provider: z.string().describe('Display name of the provider.'),
        sourceKey: z.string().describe('Stable id of the product; of equal rates that which /rates has first.'),
      }),
    )
    .describe('The best product of each account type that has one.'),
  sources: z
    .array(z.object({ of: z.enum(['bankRate', 'cpi']).describe('The field that comes from it.'), ...originFields }))
    .describe('Where the figures come from that are not of this market.'),
})

type Figures = Pick<z.infer<typeof Overview>, 'bankRate' | 'bankRateChangedOn' | 'cpi' | 'cpiMonth' | 'beatingBankRate' | 'beatingInflation' | 'sources'>

/** What public statistics say, and how many products pay more. */
function toStatistics({ statistics, figures }: Context['market']): Figures {
  const [rate, inflation] = [statistics.bankRate(), statistics.inflation()]
  const cpiBp = inflation?.cpi.valueBp ?? null
  return {
    bankRate: percentOrNull(rate?.currentBp ?? null),
    bankRateChangedOn: rate?.effectiveDate ?? null,
    cpi: percentOrNull(cpiBp),
    cpiMonth: inflation?.cpi.month ?? null,
    beatingBankRate: rate ? figures.countAbove(rate.currentBp) : null,
    beatingInflation: cpiBp === null ? null : figures.countAbove(cpiBp),
    sources: [...(rate ? [{ of: 'bankRate' as const, ...toOrigin(rate) }] : []), ...(inflation ? [{ of: 'cpi' as const, ...toOrigin(inflation) }] : [])],
  }
}

export const getMarketOverview = defineItem({
  id: 'market.overview',
  no: 24,
  path: '/market/overview',
  tool: 'market_overview',
  summary: 'Read how the savings market stands beside Bank Rate and inflation.',
  description: 'Counts of days follow the calendar of London and the rows of /history. A rate that only equals Bank Rate or CPI does not beat it.',
  when: 'to tell how good rates are now, compared with Bank Rate and inflation.',
  scope: 'market:read',
  price: perRequest(5),
  live: 'test-only',
  sampled: true,
  input: z.object({}),
  output: Overview,
  handle: (_input, { market, publicUrl }) => {
    const { figures } = market
    const { productCount, providerCount, topProviders, bestByType } = figures.overview()
    const { bankRate, bankRateChangedOn, cpi, cpiMonth, beatingBankRate, beatingInflation, sources } = toStatistics(market)
    const { rises, cuts } = figures.movesLast7Days()
    return {
      asOf: figures.asOf,
      bankRate,
      bankRateChangedOn,
      nextMpcDate: null,
      cpi,
      cpiMonth,
      productCount,
      providerCount,
      beatingBankRate,
      beatingInflation,
      risesLast7Days: rises,
      cutsLast7Days: cuts,
      topProviders: topProviders.map(({ provider: { slug, name, logoPath }, best }) => ({
        slug,
        name,
        logoUrl: absolute(logoPath, publicUrl),
        bestRate: twoDecimals(best.rateBp),
        accountType: best.accountType,
      })),
      bestByType: bestByType.map(({ accountType, rateBp, provider, sourceKey }) => ({ accountType, rate: twoDecimals(rateBp), provider, sourceKey })),
      sources,
    }
  },
})
