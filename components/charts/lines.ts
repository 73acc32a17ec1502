import { curveStepAfter, line } from 'd3-shape'
import { horizontalSlots, type Slot, type Tick, verticalScale } from './scales.ts'

export type Lines = {
  /** SVG path of each series. A gap in the values is a gap in the path. */
  readonly paths: readonly string[]
  readonly slots: readonly Slot[]
  readonly ticks: readonly Tick[]
  readonly toTop: (value: number) => number
}

type Values = readonly (number | null)[]

/** Ratio of the scale to the highest point. */
const headroom = 1.1

/** Lays out one line per series in a square with sides of 100. Points are in the middle of their periods. Returns null if there are no values. */
export function lines(series: readonly Values[]): Lines | null {
  const known = series.flat().filter((value) => value !== null)
  if (known.length === 0) return null
  const { toTop, ticks } = verticalScale(0, Math.max(...known) * headroom)
  const slots = horizontalSlots(Math.max(...series.map(({ length }) => length)))
  const draw = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => (slots[index]?.left ?? 0) + (slots[index]?.width ?? 0) / 2)
    .y((value) => toTop(value ?? 0))
  return { paths: series.map((values) => draw([...values]) ?? ''), slots, ticks, toTop }
}

/** Lays out values that stay constant during a period, such as a balance. `room` enlarges the scale. Returns null if all of them are zero. */
export function steps(values: readonly number[], room = 1): Lines | null {
  if (values.every((value) => value === 0)) return null
  const { toTop, ticks } = verticalScale(Math.min(...values), Math.max(...values) * room)
  const slots = horizontalSlots(values.length)
  // The last value is repeated at the right edge, so that the last period is as wide as the others.
  const draw = line<number>()
    .x((_, index) => index * (100 / values.length))
    .y(toTop)
    .curve(curveStepAfter)
  return { paths: [draw([...values, values.at(-1) ?? 0]) ?? ''], slots, ticks, toTop }
}
