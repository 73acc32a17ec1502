/** Where the pieces of stacked bars stand in a chart whose sides are 0 to 100, from the left and from the top. */

export type Measure = 'credits' | 'calls'

type Amounts = Readonly<Record<Measure, number>>

export type ChartGroup = Amounts & { readonly id: string; readonly name: string }

export type ChartDay = { readonly day: string; readonly parts: readonly (Amounts & { readonly id: string })[] }

/** A colour of the chart with what it stands for. Its place says which colour. */
export type Series = { readonly id: string; readonly name: string; readonly total: number }

export type Piece = { readonly series: number; readonly top: number; readonly height: number }

export type Bar = {
  readonly day: string
  readonly left: number
  readonly width: number
  readonly total: number
  /** From the bottom up. */
  readonly pieces: readonly Piece[]
}

export type BarChart = {
  readonly series: readonly Series[]
  readonly bars: readonly Bar[]
  readonly ticks: readonly { readonly value: number; readonly top: number }[]
}

/** Series that have a colour of their own; all others share one. */
const mostSeries = 4
const mostTicks = 4

/** Lines of the scale: whole numbers from zero to at least `most`. */
export function scaleTo(most: number): number[] {
  let size = 1
  for (let power = 1; most / size > mostTicks - 1; power *= 10)
    size = [1, 2, 5, 10].map((step) => step * power).find((step) => most / step <= mostTicks - 1) ?? size
  const steps = Math.max(1, Math.ceil(most / size))
  return Array.from({ length: steps + 1 }, (_, index) => index * size)
}

/** The largest groups by what is shown, each a series, and the others as one. */
function seriesOf(groups: readonly ChartGroup[], show: Measure): Series[] {
  const sorted = groups.filter((group) => group[show] > 0).sort((a, b) => Number(a.id === 'other') - Number(b.id === 'other') || b[show] - a[show])
  const own = sorted.filter(({ id }) => id !== 'other').slice(0, mostSeries)
  const rest = sorted.filter((group) => !own.includes(group))
  const told = own.map((group) => ({ id: group.id, name: group.name, total: group[show] }))
  if (rest.length === 0) return told
  return [...told, { id: 'other', name: 'Other', total: rest.reduce((sum, group) => sum + group[show], 0) }]
}

/** Null when there is nothing to draw. */
export function barChart(days: readonly ChartDay[], groups: readonly ChartGroup[], show: Measure): BarChart | null {
  const series = seriesOf(groups, show)
  if (series.length === 0 || days.length === 0) return null
  const placeOf = new Map(series.map(({ id }, index) => [id, index]))
  const last = series.length - 1
  const sums = days.map(({ parts }) => {
    const bySeries = series.map(() => 0)
    for (const part of parts) {
      const place = placeOf.get(part.id) ?? last
      bySeries[place] = (bySeries[place] ?? 0) + part[show]
    }
    return bySeries
  })
  const totals = sums.map((bySeries) => bySeries.reduce((sum, value) => sum + value, 0))
  const scale = scaleTo(Math.max(...totals))
  const highest = scale.at(-1) ?? 1
  const slot = 100 / days.length
  const bars = days.map(({ day }, index) => {
    let below = 0
    const pieces = (sums[index] ?? []).flatMap((value, place) => {
      if (value === 0) return []
      below += value
      return [{ series: place, top: 100 - (below / highest) * 100, height: (value / highest) * 100 }]
    })
    return { day, left: index * slot + slot * 0.1, width: slot * 0.8, total: totals[index] ?? 0, pieces }
  })
  return { series, bars, ticks: scale.map((value) => ({ value, top: 100 - (value / highest) * 100 })) }
}
