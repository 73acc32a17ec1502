import { monthBefore } from '#server/api/contract/dates.ts'
import { inflationSeries, onsCpi } from '../sources/ons-series.ts'
import type { Release } from './fetches.ts'
import type { Origin, RateSeries } from './key-rates.ts'

/** Latest month of an inflation measure; months as `2026-08`, values in basis points. */
export type InflationMeasure = {
  readonly seriesId: string
  readonly valueBp: number | null
  readonly month: string | null
  /** Value of the previous month; null if unknown. */
  readonly previousBp: number | null
}

export type InflationMonth = { readonly month: string; readonly cpiBp: number | null; readonly cpihBp: number | null; readonly rpiBp: number | null }

/** Inflation measures, with the origin of CPI. The history is newest first and includes every month for which any measure has a value. */
export type Inflation = Origin & {
  readonly cpi: InflationMeasure
  readonly cpih: InflationMeasure
  readonly rpi: InflationMeasure
  readonly releasedOn: string | null
  readonly nextReleaseOn: string | null
  readonly history: readonly InflationMonth[]
}

const getMonth = (date: string) => date.slice(0, 7)

type Months = ReadonlyMap<string, number>

function getMonths(found: RateSeries | undefined): Months {
  return new Map(found?.points.flatMap(({ date, valueBp }) => (valueBp === null ? [] : [[getMonth(date), valueBp] as const])))
}

function toMeasure(seriesId: string, months: Months): InflationMeasure {
  const [month, valueBp] = [...months].at(-1) ?? [null, null]
  return { seriesId, valueBp, month, previousBp: month === null ? null : (months.get(monthBefore(month)) ?? null) }
}

export function toInflation(series: ReadonlyMap<string, RateSeries>, releases: readonly Release[]): Inflation | undefined {
  const found = series.get(inflationSeries.cpi)
  if (!found) return undefined
  const [cpi, cpih, rpi] = [getMonths(found), getMonths(series.get(inflationSeries.cpih)), getMonths(series.get(inflationSeries.rpi))]
  const release = releases.find(({ source }) => source === onsCpi.name)
  const months = [...new Set([...cpi.keys(), ...cpih.keys(), ...rpi.keys()])].sort().reverse()
  const { asOf, source, licence, fetchedAt } = found
  return {
    asOf,
    source,
    licence,
    fetchedAt,
    cpi: toMeasure(inflationSeries.cpi, cpi),
    cpih: toMeasure(inflationSeries.cpih, cpih),
    rpi: toMeasure(inflationSeries.rpi, rpi),
    releasedOn: release?.releasedOn ?? null,
    nextReleaseOn: release?.nextReleaseOn ?? null,
    history: months.map((month) => ({ month, cpiBp: cpi.get(month) ?? null, cpihBp: cpih.get(month) ?? null, rpiBp: rpi.get(month) ?? null })),
  }
}
