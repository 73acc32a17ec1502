import { z } from 'zod'
import { accountTypes, type ProductType } from '#server/api/contract/account-types.ts'
import { invalid } from '#server/api/contract/errors.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { queryInt } from '#server/api/contract/query.ts'
import { daysBetween, type RateChange } from '#server/market/history/rate-change.ts'
import type { TrendPoint, TypeTrend } from '#server/market/history/rate-history.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import { signedTwoDecimals } from '#server/market/sources/exact-decimal.ts'
import { today } from '../calculators/fields.ts'
import { type Context, defineWhole } from '../define.ts'
import { signedPoints } from '../market-statistics/statistic-fields.ts'
import { absolute, day, percent, providerLogoUrl } from '../record-fields.ts'
import { checkKnown, historyFilters, typeFilter } from './history-fields.ts'

const metrics = ['best', 'average', 'median', 'product'] as const

type Metric = (typeof metrics)[number]

const RateTrendSeries = z.object({
  seriesId: z.string().describe('Stable ID of the series.'),
  label: z.string().describe('Short description of the series.'),
  accountType: z.string().describe('Display label of the account type.'),
  providerSlug: z.string().nullable().describe('Slug of the provider whose products are included; null for the whole market.'),
  sourceKey: z.string().nullable().describe('ID of the product; null for a group of products.'),
  metric: z.enum(metrics).describe('Best, average or median rate of the products, or the rate of a single product.'),
  unit: z.literal('percent').describe('Unit of every value.'),
  points: z
    .array(z.object({ date: day('Date of the point.'), value: percent('Rate on that day.') }))
    .describe('Data points, oldest first; days without products are omitted.'),
  first: day('Date of the first point.'),
  last: day('Date of the last point.'),
  change: signedPoints.describe('Difference between the last and the first value in percentage points, signed, for example "-0.25".'),
  providerLogoUrl,
})

type RateTrendSeries = z.infer<typeof RateTrendSeries>

/** Provider, or product and its provider, that a series covers. Both are null for the whole market. */
type About = { readonly provider: Pick<RateChange, 'provider' | 'providerSlug' | 'providerLogoPath'> | null; readonly product: RateChange | null }

type Shown = Pick<Context, 'publicUrl' | 'withLogos'>

const pointValues: Record<Metric, (point: TrendPoint) => number> = {
  best: ({ bestBp }) => bestBp,
  average: ({ averageBp }) => averageBp,
  median: ({ medianBp }) => medianBp,
  product: ({ bestBp }) => bestBp,
}

const metricLabels: Record<Exclude<Metric, 'product'>, string> = { best: 'Best rate', average: 'Average rate', median: 'Median rate' }

function identify(metric: Metric, type: ProductType, { provider, product }: About): Pick<RateTrendSeries, 'seriesId' | 'label'> {
  if (metric === 'product') {
    return { seriesId: `product/${product?.sourceKey}`, label: `${product?.accountName}, ${product?.provider}` }
  }
  const label = `${metricLabels[metric]}, ${accountTypes[type].label}`
  if (provider === null) return { seriesId: `${type}/${metric}`, label }
  return { seriesId: `provider/${provider.providerSlug}/${type}/${metric}`, label: `${label}, ${provider.provider}` }
}

function toSeries(metric: Metric, { accountType, points }: TypeTrend, about: About, { publicUrl, withLogos }: Shown): RateTrendSeries[] {
  const values = points.map((point) => ({ date: point.date, bp: pointValues[metric](point) }))
  const [first, last] = [values[0], values.at(-1)]
  if (!first || !last) return []
  const { provider } = about
  const row = {
    ...identify(metric, accountType, about),
    accountType: accountTypes[accountType].label,
    providerSlug: provider?.providerSlug ?? null,
    sourceKey: about.product?.sourceKey ?? null,
    metric,
    unit: 'percent' as const,
    points: values.map(({ date, bp }) => ({ date, value: twoDecimals(bp) })),
    first: first.date,
    last: last.date,
    change: signedTwoDecimals(last.bp - first.bp),
  }
  return [withLogos ? { ...row, providerLogoUrl: absolute(provider?.providerLogoPath ?? null, publicUrl) } : row]
}

/** Returns the series of a trend: three for a group of products, one for a single product. */
function getSeries(trend: TypeTrend, about: About, shown: Shown): RateTrendSeries[] {
  const shownMetrics: readonly Metric[] = about.product === null ? ['best', 'average', 'median'] : ['product']
  return shownMetrics.flatMap((metric) => toSeries(metric, trend, about, shown))
}

const yearDays = 365
/** Ten years. No series exceeds 131 points, whatever its window. */
const maxDays = 3_653

/** Returns the number of days between points: 1 for up to three months, 7 for up to two years, otherwise 28. */
function stepFor(days: number): number {
  if (days <= 92) return 1
  return days <= 731 ? 7 : 28
}

/** Returns the requested time range, which ends today. The first point is on the range's first day or less than one step later. */
function toWindow(days: number | undefined, from: string | undefined) {
  if (days !== undefined && from !== undefined) throw invalid('"days" and "from" cannot be combined. Give only one of them.')
  const to = today()
  const length = from === undefined ? (days ?? yearDays) : daysBetween(from, to)
  if (length < 1 || length > maxDays) throw invalid(`"from" must be 1 to ${maxDays} days before today.`)
  const stepDays = stepFor(length)
  return { to, stepDays, steps: Math.floor(length / stepDays) }
}

/** Returns the product or provider that a trend covers, with the names from the latest rate change. */
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
    'Returns the best, average and median rate by account type, for the whole market or one provider; for a product, its own rate. Points are one day apart in windows of up to 92 days, one week apart up to 731 days, and four weeks apart in longer ones. The last point is today.',
  when: 'to see how rates have moved over months.',
  scope: 'history:read',
  price: { credits: 5, per: 'request' },
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
