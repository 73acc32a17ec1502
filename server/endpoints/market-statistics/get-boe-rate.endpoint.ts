import { z } from 'zod'
import { twoDecimals } from '../../contract/formats.ts'
import { perRequest } from '../../contract/prices.ts'
import { signedTwoDecimals } from '../../market/sources/exact-decimal.ts'
import { defineItem } from '../define.ts'
import { missingStatistic } from '../missing-items.ts'
import { originFields, percent, signedPoints, toOrigin } from './statistic-fields.ts'

const BoeRate = z.object({
  current: percent.describe('Official Bank Rate in percent a year, two decimals.'),
  effectiveDate: z.iso.date().describe('First day of the current rate.'),
  previous: percent.nullable().describe('The rate before, in percent; null when it is not known.'),
  change: signedPoints.nullable().describe('Current less previous in percentage points, signed, for example "-0.25"; null when previous is not known.'),
  nextDecisionDate: z.iso.date().nullable().describe('Day of the next announced decision; null while no source of ours gives it.'),
  series: z.literal('IUDBEDR').describe('Code of the series in the database of the Bank of England.'),
  history: z
    .array(
      z.object({
        date: z.iso.date().describe('First day of the rate.'),
        rate: percent.describe('Rate in percent from that day on.'),
        change: signedPoints.nullable().describe('Change in percentage points, signed; null for the first known rate and behind days whose rate is not known.'),
      }),
    )
    .describe('Every known change of the rate, newest first.'),
  ...originFields,
})

const points = (changeBp: number | null) => (changeBp === null ? null : signedTwoDecimals(changeBp))

export const getBoeRate = defineItem({
  id: 'market.boe-rate',
  no: 29,
  path: '/market/boe-rate',
  tool: 'market_boe_rate',
  summary: 'Read Bank Rate of the Bank of England and every change of it.',
  description: 'True data for live and test keys alike. `stale` says when the last confirmed day is more than a week ago.',
  when: 'to read Bank Rate, now or in the past.',
  scope: 'market:read',
  price: perRequest(5),
  live: 'test-only',
  input: z.object({}),
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
