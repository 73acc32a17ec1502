import { z } from 'zod'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { signedTwoDecimals } from '#server/market/sources/exact-decimal.ts'
import { defineItem } from '../define.ts'
import { missingStatistic } from '../missing-items.ts'
import { originFields, percent, signedPoints, toOrigin } from './statistic-fields.ts'

const BoeRate = z.object({
  current: percent.describe('Official Bank Rate in percent, two decimals.'),
  effectiveDate: z.iso.date().describe('First day of the current rate.'),
  previous: percent.nullable().describe('Previous rate in percent; null if unknown.'),
  change: signedPoints
    .nullable()
    .describe('Difference between the current and the previous rate in percentage points, signed, for example "-0.25"; null if previous is unknown.'),
  nextDecisionDate: z.iso.date().nullable().describe('Date of the next announced decision; null while no source provides it.'),
  series: z.literal('IUDBEDR').describe("Series code in the Bank of England's database."),
  history: z
    .array(
      z.object({
        date: z.iso.date().describe('First day of the rate.'),
        rate: percent.describe('Rate from that day on, in percent.'),
        change: signedPoints.nullable().describe('Change in percentage points, signed; null for the first known rate and after a gap in the data.'),
      }),
    )
    .describe('All known rate changes, newest first.'),
  ...originFields,
})

const points = (changeBp: number | null) => (changeBp === null ? null : signedTwoDecimals(changeBp))

export const getBoeRate = defineItem({
  id: 'market.boe-rate',
  no: 29,
  path: '/market/boe-rate',
  tool: 'market_boe_rate',
  summary: "Get the Bank of England's Bank Rate and its history.",
  description: 'Real data for both live and test keys. `stale` is true if the last confirmed day is more than a week ago.',
  when: 'to get the current or a past Bank Rate.',
  scope: 'market:read',
  price: { credits: 5, per: 'request' },
  live: 'test-only',
  output: BoeRate,
  handle: (_input, { market }) => {
    const rate = market.statistics.bankRate()
    if (!rate) throw missingStatistic('IUDBEDR')
    return {
      current: twoDecimals(rate.currentBp),
      effectiveDate: rate.effectiveDate,
      previous: rate.previousBp === null ? null : twoDecimals(rate.previousBp),
      change: points(rate.changeBp),
      nextDecisionDate: null,
      series: rate.series,
      history: rate.history.map(({ date, rateBp, changeBp }) => ({ date, rate: twoDecimals(rateBp), change: points(changeBp) })),
      ...toOrigin(rate),
    }
  },
})
