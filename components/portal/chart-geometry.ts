export type Measure = 'credits' | 'calls'

type Amounts = Readonly<Record<Measure, number>>

export type ChartGroup = Amounts & { readonly id: string; readonly name: string }

export type ChartDay = { readonly day: string; readonly parts: readonly (Amounts & { readonly id: string })[] }

/** Entry of the legend. Its index selects the colour. */
export type Series = { readonly id: string; readonly name: string; readonly total: number }

export type Piece = { readonly series: number; readonly top: number; readonly height: number }

export type Bar = {
  readonly day: string
  readonly left: number
  readonly width: number
  readonly total: number
  /** Stacked pieces, from bottom to top. */
  readonly pieces: readonly Piece[]
}

export type BarChart = {
  readonly series: readonly Series[]
  readonly bars: readonly Bar[]
  readonly ticks: readonly { readonly value: number; readonly top: number }[]
}

/** Maximum number of series with their own colour. All other groups are merged into one series. */
const maxSeries = 4
const maxTicks = 4

/** Returns the ticks of the scale: whole numbers from zero to at least `max`. */
function scaleTo(max: number): number[] {
  let size = 1
  for (let power = 1; max / size > maxTicks - 1; power *= 10)
    size = [1, 2, 5, 10].map((step) => step * power).find((step) => max / step <= maxTicks - 1) ?? size
  const steps = Math.max(1, Math.ceil(max / size))
  return Array.from({ length: steps + 1 }, (_, index) => index * size)
}

/** Returns the largest groups as one series each, and the remainder as one series named "Other". */
function groupIntoSeries(groups: readonly ChartGroup[], show: Measure): Series[] {
  const sorted = groups.filter((group) => group[show] > 0).sort((a, b) => Number(a.id === 'other') - Number(b.id === 'other') || b[show] - a[show])
  const own = sorted.filter(({ id }) => id !== 'other').slice(0, maxSeries)
  const rest = sorted.filter((group) => !own.includes(group))
  const series = own.map((group) => ({ id: group.id, name: group.name, total: group[show] }))
  if (rest.length === 0) return series
  return [...series, { id: 'other', name: 'Other', total: rest.reduce((sum, group) => sum + group[show], 0) }]
}

/** Lays out stacked bars in a square with sides of 100, measured from the top left. Returns null if there is nothing to draw. */
export function barChart(days: readonly ChartDay[], groups: readonly ChartGroup[], show: Measure): BarChart | null {
  const series = groupIntoSeries(groups, show)
  if (series.length === 0 || days.length === 0) return null
  const indexById = new Map(series.map(({ id }, index) => [id, index]))
  const last = series.length - 1
  const sums = days.map(({ parts }) => {
    const bySeries = series.map(() => 0)
    for (const part of parts) {
      const place = indexById.get(part.id) ?? last
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

export type BalanceDay = { readonly day: string; readonly balanceCredits: number; readonly movedCredits: number; readonly toppedUpCredits: number }

export type BalanceChart = {
  /** SVG path with one step per day; vertical where the day changes. */
  readonly line: string
  readonly steps: readonly { readonly left: number; readonly width: number; readonly top: number }[]
  readonly ticks: readonly { readonly value: number; readonly top: number }[]
}

/**
 * Lays out the balance of each day as a step chart in a square with sides of 100, measured from the top left. The scale always includes zero. Returns null if
 * the balance was zero throughout.
 */
export function balanceChart(days: readonly BalanceDay[]): BalanceChart | null {
  const balances = days.map(({ balanceCredits }) => balanceCredits)
  const [lowest, highest] = [Math.min(0, ...balances), Math.max(0, ...balances)]
  if (lowest === highest) return null
  const size = scaleTo(highest - lowest)[1] ?? 1
  const [first, last] = [Math.floor(lowest / size), Math.ceil(highest / size)]
  const scale = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * size)
  const toTop = (value: number) => 100 - ((value - first * size) / ((last - first) * size)) * 100
  const width = 100 / days.length
  const steps = balances.map((balance, index) => ({ left: index * width, width, top: toTop(balance) }))
  const line = steps.map(({ left, top }, index) => `${index === 0 ? 'M' : 'L'}${left} ${top}H${left + width}`).join('')
  return { line, steps, ticks: scale.map((value) => ({ value, top: toTop(value) })) }
}
