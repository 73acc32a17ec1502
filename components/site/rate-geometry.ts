export type ChartStep = { readonly date: string; readonly rate: string | null; readonly baseRate: string; readonly boostRate: string }

export type ChartRange = { readonly from: string; readonly to: string; readonly steps: readonly ChartStep[] }

/** Segment of the line with a constant rate. */
export type Tread = {
  readonly left: number
  readonly right: number
  readonly top: number
  /** Position of the base rate, without the bonus. */
  readonly baseTop: number
  /** True if the segment starts with a rate change within the range, which is drawn as a dot. */
  readonly isChange: boolean
  /** True if the segment continues the previous one without a gap. */
  readonly isJoined: boolean
}

export type RateChart = {
  readonly treads: readonly Tread[]
  readonly ticks: readonly { readonly rate: string; readonly top: number }[]
  readonly hasBonus: boolean
}

const at = (date: string) => Date.parse(`${date}T00:00:00Z`)

/** Possible distances between ticks, in basis points. */
const tickSteps = [5, 10, 25, 50, 100, 200, 500, 1_000, 2_000]
const maxTicks = 5

const toBasisPoints = (rate: string) => Math.round(Number(rate) * 100)

/** Returns at least two axis ticks in ascending order. The first and last enclose all rates. */
function scaleAround(rates: readonly number[]): number[] {
  const [low, high] = [Math.min(...rates), Math.max(...rates)]
  const step = tickSteps.find((size) => Math.ceil((high + 1) / size) - Math.floor(low / size) < maxTicks) ?? 5_000
  const [first, last] = [Math.floor(low / step), Math.ceil((high + 1) / step)]
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** Lays out a rate history as a step chart in a square with sides of 100, measured from the top left. Returns null if no rate is known. */
export function rateChart({ from, to, steps }: ChartRange): RateChart | null {
  const shown = steps.filter((step) => step.rate !== null)
  if (shown.length === 0) return null
  const hasBonus = shown.some(({ boostRate }) => toBasisPoints(boostRate) > 0)
  const rates = shown.flatMap(({ rate, baseRate }) => [toBasisPoints(rate ?? '0'), toBasisPoints(hasBonus ? baseRate : (rate ?? '0'))])
  const scale = scaleAround(rates)
  const [lowest = 0, highest = 1] = [scale[0], scale.at(-1)]
  const toTop = (rate: string) => 100 - ((toBasisPoints(rate) - lowest) / (highest - lowest)) * 100
  const [start, end] = [at(from), Math.max(at(to), at(from) + 1)]
  const toLeft = (date: string) => (Math.min(Math.max(at(date) - start, 0), end - start) / (end - start)) * 100
  const treads = steps.flatMap(({ date, rate, baseRate }, index) => {
    if (rate === null) return []
    const before = steps[index - 1]
    const right = toLeft(steps[index + 1]?.date ?? to)
    return [
      { left: toLeft(date), right, top: toTop(rate), baseTop: toTop(baseRate), isChange: date > from, isJoined: before !== undefined && before.rate !== null },
    ]
  })
  return { treads, hasBonus, ticks: scale.map((rate) => ({ rate: (rate / 100).toFixed(2), top: toTop((rate / 100).toFixed(2)) })) }
}

/** Returns the SVG path of the line: horizontal while a rate applies, vertical where it changes. */
export function linePath(treads: readonly Tread[]): string {
  return treads.map(({ left, right, top, isJoined }) => `${isJoined ? 'L' : 'M'}${left} ${top}L${right} ${top}`).join('')
}

/** Returns the ticks of the time axis: the first day of every third month in the range. */
export function monthTicks(from: string, to: string): { readonly date: string; readonly left: number }[] {
  const [start, end] = [at(from), at(to)]
  const first = new Date(start)
  return Array.from({ length: 5 }, (_, index) => new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1 + index * 3, 1)))
    .filter((day) => day.getTime() <= end)
    .map((day) => ({ date: day.toISOString().slice(0, 10), left: ((day.getTime() - start) / (end - start)) * 100 }))
}
