import { z } from 'zod'
import { accountTypes, type ProductType } from '#server/api/contract/account-types.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import type { RateChange } from '#server/market/history/rate-change.ts'
import type { TrendPoint, TypeTrend } from '#server/market/history/rate-history.ts'
import { signedTwoDecimals } from '#server/market/sources/exact-decimal.ts'
import type { Context } from '../define.ts'
import { signedPoints } from '../market-statistics/statistic-fields.ts'
import { absolute, day, percent, providerLogoUrl } from '../providers/provider-record.ts'

const metrics = ['best', 'average', 'median', 'product'] as const

type Metric = (typeof metrics)[number]

export const RateTrendSeries = z.object({
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

export type RateTrendSeries = z.infer<typeof RateTrendSeries>

/** Provider that a series covers, or product with its provider. Both are null for the whole market. */
export type About = { readonly provider: Pick<RateChange, 'provider' | 'providerSlug' | 'providerLogoPath'> | null; readonly product: RateChange | null }

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
export function getSeries(trend: TypeTrend, about: About, shown: Shown): RateTrendSeries[] {
  const shownMetrics: readonly Metric[] = about.product === null ? ['best', 'average', 'median'] : ['product']
  return shownMetrics.flatMap((metric) => toSeries(metric, trend, about, shown))
}
