import { scaleLinear, scaleUtc } from 'd3-scale'
import { line } from 'd3-shape'

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

const maxTicks = 4
/** Smallest difference between two rates that fills the chart, in basis points. */
const minSpan = 20

const toBasisPoints = (rate: string) => Math.round(Number(rate) * 100)

/** Scale in basis points that encloses all rates. A constant rate is in the middle. */
function scaleAround(rates: readonly number[]) {
  const [low, high] = [Math.min(...rates), Math.max(...rates)]
  const padding = high - low < minSpan ? minSpan : 0
  return scaleLinear([Math.max(0, low - padding), high + padding], [100, 0]).nice(maxTicks)
}

const timeScale = (from: string, to: string) => scaleUtc([at(from), Math.max(at(to), at(from) + 1)], [0, 100]).clamp(true)

/** Lays out a rate history as a step chart in a square with sides of 100, measured from the top left. Returns null if no rate is known. */
export function rateChart({ from, to, steps }: ChartRange): RateChart | null {
  const shown = steps.filter((step) => step.rate !== null)
  if (shown.length === 0) return null
  const hasBonus = shown.some(({ boostRate }) => toBasisPoints(boostRate) > 0)
  const rates = shown.flatMap(({ rate, baseRate }) => [toBasisPoints(rate ?? '0'), toBasisPoints(hasBonus ? baseRate : (rate ?? '0'))])
  const scale = scaleAround(rates)
  const toTop = (rate: string) => scale(toBasisPoints(rate))
  const time = timeScale(from, to)
  const toLeft = (date: string) => time(at(date))
  const treads = steps.flatMap(({ date, rate, baseRate }, index) => {
    if (rate === null) return []
    const before = steps[index - 1]
    const right = toLeft(steps[index + 1]?.date ?? to)
    return [
      { left: toLeft(date), right, top: toTop(rate), baseTop: toTop(baseRate), isChange: date > from, isJoined: before !== undefined && before.rate !== null },
    ]
  })
  return { treads, hasBonus, ticks: scale.ticks(maxTicks).map((rate) => ({ rate: (rate / 100).toFixed(2), top: scale(rate) })) }
}

/** Returns the SVG path of the line: horizontal while a rate applies, vertical where it changes. */
export function linePath(treads: readonly Tread[]): string {
  const points = treads.flatMap(({ left, right, top, isJoined }) => [...(isJoined ? [] : [null]), { left, top }, { left: right, top }])
  return (
    line<(typeof points)[number]>()
      .defined((point) => point !== null)
      .x((point) => point?.left ?? 0)
      .y((point) => point?.top ?? 0)(points) ?? ''
  )
}

/** Returns the ticks of the time axis: the first days of quarters in the range. */
export function monthTicks(from: string, to: string): { readonly date: string; readonly left: number }[] {
  const scale = timeScale(from, to)
  return scale.ticks(maxTicks).map((day) => ({ date: day.toISOString().slice(0, 10), left: scale(day) }))
}
