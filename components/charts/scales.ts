import { nice, ticks } from 'd3-array'
import { scaleBand } from 'd3-scale'

/** Tick of the vertical axis. `top` is a percentage of the chart's height. */
export type Tick = { readonly value: number; readonly top: number }

/** Horizontal share of one period, as percentages of the chart's width. `left` and `width` are those of the whole slot; a bar is narrower. */
export type Slot = { readonly left: number; readonly width: number; readonly barLeft: number; readonly barWidth: number }

const maxTicks = 4

/** Returns the vertical scale of a chart with sides of 100, measured from the top, and its ticks. The scale always includes zero. */
export function verticalScale(lowest: number, highest: number): { readonly toTop: (value: number) => number; readonly ticks: readonly Tick[] } {
  const [bottom, top] = nice(Math.min(0, lowest), Math.max(0, highest, lowest + 1), maxTicks)
  // Interpolated here, because d3's linear scale pulls in colour interpolation, which every page with a chart would have to load.
  const toTop = (value: number) => 100 - ((value - bottom) / (top - bottom)) * 100
  return {
    toTop,
    ticks: ticks(bottom, top, maxTicks)
      .filter(Number.isInteger)
      .map((value) => ({ value, top: toTop(value) })),
  }
}

/** Returns the slots of `count` periods in a chart that is 100 wide. */
export function horizontalSlots(count: number): readonly Slot[] {
  const indexes = Array.from({ length: count }, (_, index) => index)
  const scale = scaleBand(indexes, [0, 100]).paddingInner(0.2).paddingOuter(0.1)
  const width = 100 / Math.max(1, count)
  return indexes.map((index) => ({ left: index * width, width, barLeft: scale(index) ?? 0, barWidth: scale.bandwidth() }))
}
