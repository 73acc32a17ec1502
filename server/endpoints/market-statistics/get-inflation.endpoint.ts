import { z } from 'zod'
import { perRequest } from '../../contract/prices.ts'
import type { InflationMeasure } from '../../market/statistics/inflation.ts'
import { defineItem } from '../define.ts'
import { missingStatistic } from '../missing-items.ts'
import { originFields, percent, percentOrNull, toOrigin } from './statistic-fields.ts'

const month = z.string().regex(/^\d{4}-\d\d$/)

const measureOf = <const Id extends string>(seriesId: Id, name: string) =>
  z
    .object({
      value: percent.nullable().describe('Newest value in percent over twelve months, two decimals; null when none is known.'),
      month: month.nullable().describe('Month of the value, for example "2026-08".'),
      previous: percent.nullable().describe('Value of the month before, in percent; null when it is not known.'),
      seriesId: z.literal(seriesId).describe('Identifier of the series in dataset MM23.'),
    })
    .describe(name)

const Inflation = z.object({
  cpi: measureOf('D7G7', 'Consumer prices index, annual rate.'),
  cpih: measureOf('L55O', 'Consumer prices index with housing costs, annual rate.'),
  rpi: measureOf('CZBH', 'Retail prices index, annual rate.'),
  releaseDate: z.iso.date().nullable().describe('Day on which the newest CPI was released; null when it is not known.'),
  nextRelease: z.iso.date().nullable().describe('Day of the next announced release; null when it is not known.'),
  realRateNeeded: percent.nullable().describe('Interest rate before tax, in percent, that savings must exceed to keep up with CPI; null without CPI.'),
  history: z
    .array(
      z.object({
        month: month.describe('Month, for example "2026-08".'),
        cpi: percent.nullable().describe('Consumer prices index, percent over twelve months.'),
        cpih: percent.nullable().describe('Consumer prices index with housing costs, percent over twelve months.'),
        rpi: percent.nullable().describe('Retail prices index, percent over twelve months.'),
      }),
    )
    .describe('Annual rates in percent by month, newest first; null when a value is not known.'),
  ...originFields,
})

const toMeasure = <const Id extends string>({ valueBp, month: newest, previousBp }: InflationMeasure, seriesId: Id) => ({
  value: percentOrNull(valueBp),
  month: newest,
  previous: percentOrNull(previousBp),
  seriesId,
})

export const getInflation = defineItem({
  id: 'market.inflation',
  no: 31,
  path: '/market/inflation',
  tool: 'market_inflation',
  summary: 'Read UK inflation: CPI, CPIH and RPI, now and by month.',
  description: 'True data for live and test keys alike. `asOf` is the last day of the newest CPI month; source, licence and `stale` are those of CPI.',
  when: 'to compare a rate with inflation.',
  scope: 'market:read',
  price: perRequest(5),
  live: 'test-only',
  input: z.object({}),
  output: Inflation,
  handle: (_input, { market }) => {
    const found = market.statistics.inflation()
    if (!found) throw missingStatistic('D7G7')
    return {
      cpi: toMeasure(found.cpi, 'D7G7'),
      cpih: toMeasure(found.cpih, 'L55O'),
      rpi: toMeasure(found.rpi, 'CZBH'),
      releaseDate: found.releasedOn,
      nextRelease: found.nextReleaseOn,
      realRateNeeded: percentOrNull(found.cpi.valueBp),
      history: found.history.map(({ month: of, cpiBp, cpihBp, rpiBp }) => ({
        month: of,
        cpi: percentOrNull(cpiBp),
        cpih: percentOrNull(cpihBp),
        rpi: percentOrNull(rpiBp),
      })),
      ...toOrigin(found),
    }
  },
})
