import { z } from 'zod'
import { invalid } from '#server/api/contract/errors.ts'
import { perRequest } from '#server/api/contract/price-kinds.ts'
import { queryInt } from '#server/api/contract/query.ts'
import { daysBetween } from '#server/market/history/rate-change.ts'
import type { TypeTrend } from '#server/market/history/rate-history.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import { today } from '../calculators/fields.ts'
import { defineWhole } from '../define.ts'
import { checkKnown, historyFilters, typeFilter } from './history-fields.ts'
import { type About, getSeries, RateTrendSeries } from './rate-trend-series.ts'

const yearDays = 365
/** Ten years. No series exceeds 131 points, whatever its window. */
const maxDays = 3_653

/** Returns the number of days between points: 1 for up to three months, 7 for up to two years, otherwise 28. */
function stepFor(days: number): number {
  if (days <= 92) return 1
  return days <= 731 ? 7 : 28
}

/** Returns the requested window, which ends today. Its first point is on its first day or less than one step later. */
function toWindow(days: number | undefined, from: string | undefined) {
  if (days !== undefined && from !== undefined) throw invalid('"days" and "from" cannot be combined. Give only one of them.')
  const to = today()
  const length = from === undefined ? (days ?? yearDays) : daysBetween(from, to)
  if (length < 1 || length > maxDays) throw invalid(`"from" must be 1 to ${maxDays} days before today.`)
  const stepDays = stepFor(length)
  return { to, stepDays, steps: Math.floor(length / stepDays) }
}

/** Returns the product or provider of the trend, with the names from its latest change. */
async function findAbout(filter: { provider?: string | undefined; sourceKey?: string | undefined }, market: MarketView): Promise<About> {
  if (filter.provider === undefined && filter.sourceKey === undefined) return { provider: null, product: null }
  const { rows } = await market.history.changes({ filter, after: null, limit: 1 })
  const [latest] = rows
  if (!latest) await checkKnown(filter, market)
  return { provider: latest ?? null, product: filter.sourceKey === undefined ? null : (latest ?? null) }
}

/** Merges the trends of one product, which may have had several types over time. */
function joined(trends: readonly TypeTrend[], { product }: About): readonly TypeTrend[] {
  if (product === null || trends.length === 0) return trends
  const points = trends.flatMap((trend) => trend.points).sort((a, b) => (a.date < b.date ? -1 : 1))
  return [{ accountType: product.accountType, points }]
}

export const listRateTrends = defineWhole({
  id: 'rate-trends',
  no: 14,
  path: '/rate-trends',
  tool: 'rate_trends',
  summary: 'Get savings rate trends as time series.',
  description:
    'Returns the best, average and median rate by account type, for the whole market or one provider; for a product, its own rate. Points are one day apart for windows of up to 92 days, one week up to 731 days, and four weeks beyond; the last one is today.',
  when: 'to see how rates have moved over months.',
  scope: 'history:read',
  price: perRequest(5),
  live: 'test-only',
  sampled: true,
  input: z.object({
    type: historyFilters.type,
    provider: historyFilters.provider.describe('Slug of a provider, to include only its products.'),
    sourceKey: historyFilters.sourceKey,
    days: queryInt({ min: 1, max: maxDays }).optional().describe(`Length of the window in days, ending today. Default: ${yearDays}.`),
    from: historyFilters.from.describe('First day of the window. Alternative to "days".'),
  }),
  row: RateTrendSeries,
  takesFields: true,
  handle: async ({ type, provider, sourceKey, days, from }, context) => {
    const { market } = context
    const window = toWindow(days, from)
    const filter = { type: typeFilter(type), provider, sourceKey }
    const about = await findAbout({ provider, sourceKey }, market)
    const trends = await market.history.trends({ filter, ...window })
    return joined(trends, about).flatMap((trend) => getSeries(trend, about, context))
  },
})
