import { z } from 'zod'
import { accountTypeValues } from '../../contract/account-types.ts'
import { twoDecimals } from '../../contract/formats.ts'
import { perRequest } from '../../contract/prices.ts'
import type { Benchmark } from '../../market/figures/benchmarks.ts'
import type { AverageFigures } from '../../market/figures/category-figures.ts'
import { pageAfter } from '../../market/page-after.ts'
import { londonDay } from '../../market/sources/calendar.ts'
import { defineList } from '../define.ts'
import { percent, percentOrNull, withheld } from './statistic-fields.ts'

const Average = z.object({
  accountType: z.enum(accountTypeValues).describe('Account type, as `type` on /rates.'),
  term: z
    .string()
    .regex(/^\d+m$/)
    .nullable()
    .describe('Length of the term in months, for example "12m"; null for the accounts without a term.'),
  averageRate: percent.nullable().describe(`Mean of their rates, AER in percent, rounded half up to two decimals; ${withheld}`),
  medianRate: percent.nullable().describe(`Rate in the middle, AER in percent, of an even number the mean of the two there, rounded half up; ${withheld}`),
  bestRate: percent.describe('Best of their rates, AER in percent with two decimals.'),
  productCount: z.int().describe('Products behind the figures.'),
  institutionCount: z.int().describe('Institutions behind them.'),
  monthAgo: percent
    .nullable()
    .describe(`Mean of the rates that stood one calendar month before asOf, AER in percent, in the same way; null when none is known, and ${withheld}`),
  yearAgo: percent
    .nullable()
    .describe(`Mean of the rates that stood one year before asOf, AER in percent, in the same way; null when none is known, and ${withheld}`),
  boeSeriesCode: z
    .string()
    .nullable()
    .describe('Code of the Bank of England series that averages the same kind of account, for example "IUMWTFA"; null without one.'),
  boeRate: percent.nullable().describe('Newest value of that series: a quoted household rate in percent, two decimals.'),
  boeRateAsOf: z.iso.date().nullable().describe('Last day of the month that boeRate is of.'),
  boeSeries: z.string().nullable().describe('What the series averages.'),
  boeSource: z.string().nullable().describe('Where boeRate is published.'),
  boeLicence: z.string().nullable().describe('Terms under which it may be reused.'),
  boeStale: z.boolean().nullable().describe('Whether boeRateAsOf is older than the rhythm of the source explains.'),
  asOf: z.iso.date().nullable().describe('Day in London on which the market data last changed.'),
})

const noBenchmark = { boeSeriesCode: null, boeRate: null, boeRateAsOf: null, boeSeries: null, boeSource: null, boeLicence: null, boeStale: null }

function toBenchmark(benchmark: Benchmark | null) {
  if (benchmark === null) return noBenchmark
  const { series, valueBp, asOf, label, source, licence, stale } = benchmark
  return { boeSeriesCode: series, boeRate: twoDecimals(valueBp), boeRateAsOf: asOf, boeSeries: label, boeSource: source, boeLicence: licence, boeStale: stale }
}

function toAverage(figures: AverageFigures, benchmark: Benchmark | null, asOf: string | null): z.infer<typeof Average> {
  return {
    accountType: figures.accountType,
    term: figures.termMonths === null ? null : `${figures.termMonths}m`,
    averageRate: percentOrNull(figures.averageBp),
    medianRate: percentOrNull(figures.medianBp),
    bestRate: twoDecimals(figures.bestBp),
    productCount: figures.productCount,
    institutionCount: figures.institutionCount,
    monthAgo: percentOrNull(figures.monthAgoBp),
    yearAgo: percentOrNull(figures.yearAgoBp),
    ...toBenchmark(benchmark),
    asOf,
  }
}

/** Terms are far shorter than this, in months. */
const longestTerm = 10_000

/** The place of a row: by type in the order of the contract, then by term. */
const placeOf = ({ accountType, term }: Pick<z.infer<typeof Average>, 'accountType' | 'term'>) =>
  accountTypeValues.indexOf(accountType) * longestTerm + Number.parseInt(term ?? '0', 10)

export const listMarketAverages = defineList({
  id: 'market.averages',
  no: 25,
  path: '/market/averages',
  tool: 'market_averages',
  summary: 'List average rates by account type and term, beside those of the Bank of England.',
  description:
    'Every product counts once, whatever money it holds; bonuses are part of its rate. The quoted rates of the Bank of England are weighted averages of a smaller market, so ours are usually higher. `limit=50` has all rows on one page.',
  when: 'to tell whether a rate is above or below what is usual for its account type.',
  scope: 'market:read',
  price: perRequest(5),
  live: 'test-only',
  sampled: true,
  input: z.object({}),
  row: Average,
  keyOf: (row) => String(placeOf(row)),
  handle: (_input, { limit, after }, { market: { figures } }) => {
    const benchmarkOf = figures.benchmarks()
    const asOf = figures.asOf === null ? null : londonDay(Date.parse(figures.asOf))
    const rows = figures.averages().map((row) => toAverage(row, benchmarkOf(row.accountType, row.termMonths), asOf))
    return pageAfter(rows, limit, (row) => after === null || placeOf(row) > Number(after))
  },
})
