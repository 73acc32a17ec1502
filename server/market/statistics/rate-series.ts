import { readDecimal, toWholeHundredths } from '../sources/exact-decimal.ts'
import type { StatisticRow } from './statistics.store.ts'

/** Rate on a given day, in hundredths of a percent; null if the value for that day is not known. */
export type Point = { readonly date: string; readonly valueBp: number | null }

/** Values of a series, oldest first, and their origin. */
export type RateSeries = {
  readonly points: readonly Point[]
  /** Newest day with a known value. */
  readonly asOf: string
  readonly source: string
  readonly licence: string
  /** Fetch time of the most recently fetched value. */
  readonly fetchedAt: string
}

function toBp(value: string | null): number | null {
  const decimal = value === null ? undefined : readDecimal(value)
  return decimal ? toWholeHundredths(decimal) : null
}

function getSeries(rows: readonly StatisticRow[]): RateSeries | undefined {
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

/** Groups rows, sorted by series and date, into series by code. Omits series without known values. */
export function seriesByCode(rows: readonly StatisticRow[]): ReadonlyMap<string, RateSeries> {
  const groups = new Map<string, StatisticRow[]>()
  for (const row of rows) {
    const group = groups.get(row.series)
    if (group) group.push(row)
    else groups.set(row.series, [row])
  }
  return new Map(
    [...groups].flatMap(([code, group]) => {
      const series = getSeries(group)
      return series ? [[code, series] as const] : []
    }),
  )
}

/** Days on which a rate changed, oldest first, dropping days that only confirm it. */
export function findChanges(points: readonly Point[]): Point[] {
  return points.filter(({ valueBp }, index) => index === 0 || valueBp !== points[index - 1]?.valueBp)
}

/** Rate in force on a day; null before the first value and in gaps. */
export function valueOn(points: readonly Point[], date: string): number | null {
  return points.findLast((point) => point.date <= date)?.valueBp ?? null
}
