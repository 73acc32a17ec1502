import { stack } from 'd3-shape'
import { horizontalSlots, type Slot, type Tick, verticalScale } from './scales.ts'

/** Segment of a bar. `series` is the index of its series. */
export type Piece = { readonly series: number; readonly top: number; readonly height: number }

export type Bar = Slot & { readonly total: number; readonly pieces: readonly Piece[] }

export type Bars = { readonly bars: readonly Bar[]; readonly ticks: readonly Tick[] }

/** Lays out stacked bars, given the values of each series for each bar. Returns null if all values are zero. */
export function stackedBars(values: readonly (readonly number[])[]): Bars | null {
  const totals = values.map((parts) => parts.reduce((sum, value) => sum + value, 0))
  const highest = Math.max(0, ...totals)
  if (highest === 0) return null
  const { toTop, ticks } = verticalScale(0, highest)
  const keys = Object.keys(values[0] ?? []).map(Number)
  const layers = stack<readonly number[], number>()
    .keys(keys)
    .value((parts, key) => parts[key] ?? 0)(values)
  const bars = horizontalSlots(values.length).map((slot, index) => ({
    ...slot,
    total: totals[index] ?? 0,
    pieces: layers.flatMap((layer, series) => {
      const [low = 0, high = 0] = layer[index] ?? []
      return high > low ? [{ series, top: toTop(high), height: toTop(low) - toTop(high) }] : []
    }),
  }))
  return { bars, ticks }
}

/** Group of a report, with its totals by measure. */
type Group<Measure extends string> = Readonly<Record<Measure, number>> & { readonly id: string; readonly name: string }

/** Entry of a legend. Its index selects the colour. */
export type Series = { readonly id: string; readonly name: string; readonly total: number }

/** Maximum number of series next to the one of the remaining groups. */
const maxSeries = 4

/**
 * Returns one series for each of the largest groups, and one for the remainder unless it would be a single group. `nameRest` returns the name of the remainder from
 * its number of groups. If the report has already merged some groups, their number is unknown and the name is "Other".
 */
export function toSeries<Measure extends string>(groups: readonly Group<Measure>[], show: Measure, nameRest?: (count: number) => string): Series[] {
  const sorted = groups.filter((group) => group[show] > 0).sort((a, b) => Number(a.id === 'other') - Number(b.id === 'other') || b[show] - a[show])
  const own = sorted.filter(({ id }) => id !== 'other').slice(0, sorted.length > maxSeries + 1 ? maxSeries : maxSeries + 1)
  const rest = sorted.filter((group) => !own.includes(group))
  const series = own.map((group) => ({ id: group.id, name: group.name, total: group[show] }))
  if (rest.length === 0) return series
  const name = nameRest === undefined || rest.some(({ id }) => id === 'other') ? 'Other' : nameRest(rest.length)
  return [...series, { id: 'other', name, total: rest.reduce((sum, group) => sum + group[show], 0) }]
}

/** Returns the values of one bar, one for each series. Groups without their own series count towards the last one, which is "Other". */
export function toValues<Measure extends string>(
  parts: readonly (Readonly<Record<Measure, number>> & { readonly id: string })[],
  series: readonly Series[],
  show: Measure,
): number[] {
  const values = series.map(() => 0)
  for (const part of parts) {
    const found = series.findIndex(({ id }) => id === part.id)
    const index = found === -1 ? series.length - 1 : found
    values[index] = (values[index] ?? 0) + part[show]
  }
  return values
}
