import { z } from 'zod'
import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { topProviderCount } from '#server/market/figures/market-figures.ts'
import type { Context } from '../define.ts'
import { defineItem } from '../define.ts'
import { absolute, logoUrl, orNull, toRecord } from '../record-fields.ts'
import { marketAsOf, originFields, percent, toOrigin } from './statistic-fields.ts'

const Overview = z.object({
  asOf: marketAsOf,
  bankRate: percent.nullable().describe('Bank of England Bank Rate in percent, two decimals; null if unknown.'),
  bankRateChangedOn: z.iso.date().nullable().describe('First day of that Bank Rate, ISO 8601 date.'),
  nextMpcDate: z.iso.date().nullable().describe('Date of the next announced Bank Rate decision; null while no source provides it.'),
  cpi: percent.nullable().describe('Consumer prices index, latest annual rate in percent, two decimals; null if unknown.'),
  cpiMonth: z
    .string()
    .regex(/^\d{4}-\d\d$/)
    .nullable()
    .describe('Month of the CPI rate, for example "2026-08".'),
  productCount: z.int().describe('Number of listed savings products.'),
  providerCount: z.int().describe('Number of active providers, including those without savings products.'),
  beatingBankRate: z.int().nullable().describe('Number of products with a rate above Bank Rate; null if Bank Rate is unknown.'),
  beatingInflation: z.int().nullable().describe('Number of products with a rate before tax above CPI; null if CPI is unknown.'),
  risesLast7Days: z.int().describe('Number of rate rises in the last seven days (UK time), including today.'),
  cutsLast7Days: z.int().describe('Number of rate cuts in the last seven days (UK time), including today.'),
  topProviders: z
    .array(
      z.object({
        slug: z.string().describe('Slug of the provider, as in /reference/providers.'),
        name: z.string().describe('Display name.'),
        logoUrl,
        bestRate: percent.describe('Best rate of the provider, AER in percent with two decimals.'),
        accountType: z.enum(accountTypeValues).describe('Account type of the product with that rate, as `type` on /rates.'),
      }),
    )
    .describe(`The ${topProviderCount} providers with the best rates, best first.`),
  bestByType: z
    .array(
      z.object({
        accountType: z.enum(accountTypeValues).describe('Account type, as `type` on /rates.'),
        rate: percent.describe('Best rate of the account type, AER in percent with two decimals.'),
        provider: z.string().describe('Display name of the provider.'),
        sourceKey: z.string().describe('Stable product ID; for equal rates, the one listed first on /rates.'),
      }),
    )
    .describe('Best product of each account type that has products.'),
  sources: z
    .array(z.object({ of: z.enum(['bankRate', 'cpi']).describe('Field that this source provides.'), ...originFields }))
    .describe('Sources of the public statistics.'),
})

/** Returns the public statistics, and the numbers of products that beat Bank Rate and inflation. */
function toStatistics({ statistics, figures }: Context['market']) {
  const [rate, inflation] = [statistics.bankRate(), statistics.inflation()]
  const cpiBp = inflation?.cpi.valueBp ?? null
  return {
    bankRate: orNull(rate?.currentBp ?? null),
    bankRateChangedOn: rate?.effectiveDate ?? null,
    cpi: orNull(cpiBp),
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
  summary: 'Get an overview of the savings market compared with Bank Rate and inflation.',
  description: 'Counts of rate rises and cuts use dates in UK time and match the rows of /history. A rate equal to Bank Rate or CPI does not beat it.',
  when: 'to see how good savings rates are now, compared with Bank Rate and inflation.',
  scope: 'market:read',
  price: { credits: 5, per: 'request' },
  live: 'test-only',
  sampled: true,
  output: Overview,
  handle: (_input, { market, publicUrl }) => {
    const { figures } = market
    const { productCount, providerCount, topProviders, bestByType } = figures.overview()
    const { rises, cuts } = figures.movesLast7Days()
    return toRecord(Overview, {
      ...toStatistics(market),
      asOf: figures.asOf,
      nextMpcDate: null,
      productCount,
      providerCount,
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
    })
  },
})
