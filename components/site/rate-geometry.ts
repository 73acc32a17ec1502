/** Where the steps of a rate stand in a chart whose sides are 0 to 100, from the left and from the top. */

export type ChartStep = { readonly date: string; readonly rate: string | null; readonly baseRate: string; readonly boostRate: string }

export type ChartRange = { readonly from: string; readonly to: string; readonly steps: readonly ChartStep[] }

/** A part of the line that holds one rate. */
export type Tread = {
  readonly left: number
  readonly right: number
  readonly top: number
  /** Where the base rate stands, below the bonus. */
  readonly baseTop: number
  /** Whether the rate changed here within the range, so that it has a dot. */
  readonly isChange: boolean
  /** Whether it goes on from the tread before, without a gap between. */
  readonly isJoined: boolean
}

export type RateChart = {
  readonly treads: readonly Tread[]
  readonly ticks: readonly { readonly rate: string; readonly top: number }[]
  readonly hasBonus: boolean
}

const at = (date: string) => Date.parse(`${date}T00:00:00Z`)

/** Distances between the lines of the scale, in hundredths of a percent. */
const tickSteps = [5, 10, 25, 50, 100, 200, 500, 1_000, 2_000]
const mostTicks = 5

const hundredths = (rate: string) => Math.round(Number(rate) * 100)

/** Lines of the scale that hold all rates between them, from the lowest; at least two. */
function scaleOf(rates: readonly number[]): number[] {
  const [low, high] = [Math.min(...rates), Math.max(...rates)]
  const step = tickSteps.find((size) => Math.ceil((high + 1) / size) - Math.floor(low / size) < mostTicks) ?? 5_000
  const [first, last] = [Math.floor(low / step), Math.ceil((high + 1) / step)]
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** Null when there is nothing to draw. */
export function rateChart({ from, to, steps }: ChartRange): RateChart | null {
  const shown = steps.filter((step) => step.rate !== null)
  if (shown.length === 0) return null
  const hasBonus = shown.some(({ boostRate }) => hundredths(boostRate) > 0)
  const rates = shown.flatMap(({ rate, baseRate }) => [hundredths(rate ?? '0'), hundredths(hasBonus ? baseRate : (rate ?? '0'))])
  const scale = scaleOf(rates)
  const [lowest = 0, highest = 1] = [scale[0], scale.at(-1)]
  const topOf = (rate: string) => 100 - ((hundredths(rate) - lowest) / (highest - lowest)) * 100
  const [start, end] = [at(from), Math.max(at(to), at(from) + 1)]
  const leftOf = (date: string) => (Math.min(Math.max(at(date) - start, 0), end - start) / (end - start)) * 100
  const treads = steps.flatMap(({ date, rate, baseRate }, index) => {
    if (rate === null) return []
    const before = steps[index - 1]
    const right = leftOf(steps[index + 1]?.date ?? to)
    return [
      { left: leftOf(date), right, top: topOf(rate), baseTop: topOf(baseRate), isChange: date > from, isJoined: before !== undefined && before.rate !== null },
    ]
  })
  return { treads, hasBonus, ticks: scale.map((rate) => ({ rate: (rate / 100).toFixed(2), top: topOf((rate / 100).toFixed(2)) })) }
}

/** The line of a path: level for as long as a rate holds, straight up or down where it changes. */
export function linePath(treads: readonly Tread[]): string {
  return treads.map(({ left, right, top, isJoined }) => `${isJoined ? 'L' : 'M'}${left} ${top}L${right} ${top}`).join('')
}

/** The months that the scale of time names: the first day of every third, within the range. */
export function monthTicks(from: string, to: string): { readonly date: string; readonly left: number }[] {
  const [start, end] = [at(from), at(to)]
  const first = new Date(start)
  return Array.from({ length: 5 }, (_, index) => new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1 + index * 3, 1)))
    .filter((day) => day.getTime() <= end)
    .map((day) => ({ date: day.toISOString().slice(0, 10), left: ((day.getTime() - start) / (end - start)) * 100 }))
}
