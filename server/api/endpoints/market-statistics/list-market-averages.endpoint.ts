import { z } from 'zod'
import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import type { AverageFigures } from '#server/market/figures/category-figures.ts'
import type { Benchmark } from '#server/market/figures/market-figures.ts'
import { pageAfter } from '#server/market/keyset-pager.ts'
import { londonDay } from '#server/market/sources/calendar.ts'
import { defineList } from '../define.ts'
import { orNull, toRecord } from '../record-fields.ts'
import { percent, withheld } from './statistic-fields.ts'

const Average = z.object({
  accountType: z.enum(accountTypeValues).describe('Account type, as `type` on /rates.'),
  term: z
    .string()
    .regex(/^\d+m$/)
    .nullable()
    .describe('Term in months, for example "12m"; null for accounts without a term.'),
  averageRate: percent.nullable().describe(`Average rate, AER in percent, rounded half up to two decimals; ${withheld}`),
  medianRate: percent.nullable().describe(`Median rate, AER in percent, rounded half up to two decimals; ${withheld}`),
  bestRate: percent.describe('Best rate, AER in percent with two decimals.'),
  productCount: z.int().describe('Number of products included.'),
  institutionCount: z.int().describe('Number of institutions included.'),
  monthAgo: percent
    .nullable()
    .describe(`Average rate one calendar month before asOf, AER in percent, calculated the same way; null if unknown, and ${withheld}`),
  yearAgo: percent.nullable().describe(`Average rate one year before asOf, AER in percent, calculated the same way; null if unknown, and ${withheld}`),
  boeSeriesCode: z.string().nullable().describe('Code of the comparable Bank of England average, for example "IUMWTFA"; null if there is none.'),
  boeRate: percent.nullable().describe('Latest value of that series: a quoted household rate in percent, two decimals.'),
  boeRateAsOf: z.iso.date().nullable().describe('Last day of the month of boeRate.'),
  boeSeries: z.string().nullable().describe('Description of the series.'),
  boeSource: z.string().nullable().describe('Publisher of boeRate.'),
  boeLicence: z.string().nullable().describe('Reuse licence of boeRate.'),
  boeStale: z.boolean().nullable().describe('True if boeRateAsOf is older than expected from the publication schedule.'),
  asOf: z.iso.date().nullable().describe('Date of the last change to the market data, UK time.'),
})

const noBenchmark = { boeSeriesCode: null, boeRate: null, boeRateAsOf: null, boeSeries: null, boeSource: null, boeLicence: null, boeStale: null }

function toBenchmark(benchmark: Benchmark | null) {
  if (benchmark === null) return noBenchmark
  const { series, valueBp, asOf, label, source, licence, stale } = benchmark
  return { boeSeriesCode: series, boeRate: twoDecimals(valueBp), boeRateAsOf: asOf, boeSeries: label, boeSource: source, boeLicence: licence, boeStale: stale }
}

const toAverage = (figures: AverageFigures, benchmark: Benchmark | null, asOf: string | null) =>
  toRecord(Average, {
    ...figures,
    term: figures.termMonths === null ? null : `${figures.termMonths}m`,
    averageRate: orNull(figures.averageBp),
    medianRate: orNull(figures.medianBp),
    bestRate: twoDecimals(figures.bestBp),
    monthAgo: orNull(figures.monthAgoBp),
    yearAgo: orNull(figures.yearAgoBp),
    ...toBenchmark(benchmark),
    asOf,
  })

/** Number of months longer than any term, so that the sort keys of different account types can't overlap. */
const longestTerm = 10_000

/** Returns the sort key of a row: by account type in contract order, then by term. */
const getPlace = ({ accountType, term }: Pick<z.infer<typeof Average>, 'accountType' | 'term'>) =>
  accountTypeValues.indexOf(accountType) * longestTerm + Number.parseInt(term ?? '0', 10)

export const listMarketAverages = defineList({
  id: 'market.averages',
  no: 25,
  path: '/market/averages',
  tool: 'market_averages',
  summary: 'List average rates by account type and term, with Bank of England averages for comparison.',
  description:
    "All products have the same weight, and rates include bonuses. The Bank of England's quoted rates are weighted averages of a smaller market, so ours are usually higher. `limit=50` returns all rows on one page.",
  when: 'to see whether a rate is above or below average for its account type.',
  scope: 'market:read',
  price: { credits: 5, per: 'request' },
  live: 'test-only',
  sampled: true,
  row: Average,
  getKey: (row) => String(getPlace(row)),
  handle: (_input, { limit, after }, { market: { figures } }) => {
    const getBenchmark = figures.benchmarks()
    const asOf = figures.asOf === null ? null : londonDay(Date.parse(figures.asOf))
    const rows = figures.averages().map((row) => toAverage(row, getBenchmark(row.accountType, row.termMonths), asOf))
    return pageAfter(rows, limit, (row) => after === null || getPlace(row) > Number(after))
  },
})
