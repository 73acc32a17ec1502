import { readDecimal, toWholeHundredths } from '../sources/exact-decimal.ts'
import type { StatisticRow } from './statistics.store.ts'

/** A percentage in hundredths on one day; null when there was one that is not known. */
export type Point = { readonly date: string; readonly valueBp: number | null }

/** The values of a series, oldest first, and where they come from. */
export type RateSeries = {
  readonly points: readonly Point[]
  /** The newest day with a known value. */
  readonly asOf: string
  readonly source: string
  readonly licence: string
  /** When the newest of the values was taken from its source. */
  readonly fetchedAt: string
}

function toBp(value: string | null): number | null {
  const decimal = value === null ? undefined : readDecimal(value)
  return decimal ? toWholeHundredths(decimal) : null
}

function seriesOf(rows: readonly StatisticRow[]): RateSeries | undefined {
  const newest = rows.findLast(({ value }) => value !== null)
  if (!newest) return undefined
  const fetchedAt =
    rows
      .map((row) => row.fetched_at)
      .sort()
      .at(-1) ?? newest.fetched_at
  const points = rows.map(({ date, value }) => ({ date, valueBp: toBp(value) }))
  return { points, asOf: newest.date, source: newest.source, licence: newest.licence, fetchedAt }
}

/** Rows in order of series and date as series by code. One without a known value is left out. */
export function seriesByCode(rows: readonly StatisticRow[]): ReadonlyMap<string, RateSeries> {
  const groups = new Map<string, StatisticRow[]>()
  for (const row of rows) {
    const group = groups.get(row.series)
    if (group) group.push(row)
    else groups.set(row.series, [row])
  }
  return new Map(
    [...groups].flatMap(([code, group]) => {
      const series = seriesOf(group)
      return series ? [[code, series] as const] : []
    }),
  )
}

/** The days on which a rate that holds until it is changed took another value, oldest first. Days that only confirm it fall away. */
export function changesOf(points: readonly Point[]): Point[] {
  return points.filter(({ valueBp }, index) => index === 0 || valueBp !== points[index - 1]?.valueBp)
}

/** The value in force on a day; null before the first one and where it is not known. */
export function valueOn(points: readonly Point[], date: string): number | null {
  return points.findLast((point) => point.date <= date)?.valueBp ?? null
}
