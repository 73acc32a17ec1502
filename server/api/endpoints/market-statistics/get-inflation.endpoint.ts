import { z } from 'zod'
import type { InflationMeasure } from '#server/market/statistics/key-rates.ts'
import { defineItem } from '../define.ts'
import { missingStatistic } from '../missing-items.ts'
import { orNull } from '../record-fields.ts'
import { originFields, percent, toOrigin } from './statistic-fields.ts'

const month = z.string().regex(/^\d{4}-\d\d$/)

const measureSchema = <const Id extends string>(seriesId: Id, name: string) =>
  z
    .object({
      value: percent.nullable().describe('Latest twelve-month rate in percent, two decimals; null if unknown.'),
      month: month.nullable().describe('Month of the value, for example "2026-08".'),
      previous: percent.nullable().describe('Rate of the previous month in percent; null if unknown.'),
      seriesId: z.literal(seriesId).describe('Series identifier in dataset MM23.'),
    })
    .describe(name)

const Inflation = z.object({
  cpi: measureSchema('D7G7', 'Consumer prices index, annual rate.'),
  cpih: measureSchema('L55O', 'Consumer prices index including housing costs, annual rate.'),
  rpi: measureSchema('CZBH', 'Retail prices index, annual rate.'),
  releaseDate: z.iso.date().nullable().describe('Release date of the latest CPI; null if unknown.'),
  nextRelease: z.iso.date().nullable().describe('Date of the next announced release; null if unknown.'),
  realRateNeeded: percent.nullable().describe('Interest rate before tax, in percent, that savings must exceed to keep up with CPI; null if CPI is unknown.'),
  history: z
    .array(
      z.object({
        month: month.describe('Month, for example "2026-08".'),
        cpi: percent.nullable().describe('Consumer prices index, twelve-month rate in percent.'),
        cpih: percent.nullable().describe('Consumer prices index including housing costs, twelve-month rate in percent.'),
        rpi: percent.nullable().describe('Retail prices index, twelve-month rate in percent.'),
      }),
    )
    .describe('Annual rates in percent by month, newest first; unknown values are null.'),
  ...originFields,
})

const toMeasure = <const Id extends string>({ valueBp, month: newest, previousBp }: InflationMeasure, seriesId: Id) => ({
  value: orNull(valueBp),
  month: newest,
  previous: orNull(previousBp),
  seriesId,
})

export const getInflation = defineItem({
  id: 'market.inflation',
  no: 31,
  path: '/market/inflation',
  tool: 'market_inflation',
  summary: 'Get UK inflation: CPI, CPIH and RPI, latest and by month.',
  description: 'Real data for both live and test keys. `asOf` is the last day of the latest CPI month; source, licence and `stale` refer to CPI.',
  when: 'to compare a rate with inflation.',
  scope: 'market:read',
  price: { credits: 5, per: 'request' },
  live: 'test-only',
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
      realRateNeeded: orNull(found.cpi.valueBp),
      history: found.history.map(({ month: of, cpiBp, cpihBp, rpiBp }) => ({
        month: of,
        cpi: orNull(cpiBp),
        cpih: orNull(cpihBp),
        rpi: orNull(rpiBp),
      })),
      ...toOrigin(found),
    }
  },
})
