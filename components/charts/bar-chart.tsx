import { type Bar, stackedBars } from './bars.ts'
import { ChartFrame, type ChartSize } from './chart-frame.tsx'
import type { Colour } from './colours.ts'
import { axisLabels, periodName } from './time-axis.ts'

/** Hatching over the bar of an incomplete period. Placed outside the SVG so that it isn't stretched. */
function Incomplete({ bar }: { bar: Bar | undefined }) {
  if (bar === undefined || bar.total === 0) return null
  const top = Math.min(...bar.pieces.map((piece) => piece.top))
  return (
    <div
      className="absolute bottom-0 border-t border-dashed border-ink-3 bg-[repeating-linear-gradient(135deg,var(--color-surface)_0_1px,transparent_1px_5px)]"
      style={{ left: `${bar.barLeft}%`, width: `${bar.barWidth}%`, top: `${top}%` }}
    />
  )
}

/** Returns the path of the gaps between the segments of the bars, each one pixel high. */
const gaps = (bars: readonly Bar[]): string =>
  bars.flatMap(({ barLeft, barWidth, pieces }) => pieces.slice(0, -1).map(({ top }) => `M${barLeft} ${top}h${barWidth}`)).join('')

type Props = {
  name: string
  /** UTC hours, days or months, oldest first. */
  periods: readonly string[]
  /** Values of each series, by period. */
  values: readonly (readonly number[])[]
  series: readonly { readonly id: string; readonly name: string }[]
  colours: readonly Colour[]
  /** Describes a value with its unit, such as `12 credits`. */
  describe: (value: number) => string
  /** Formats a value for the axis and in lists. */
  format: (value: number) => string
  timeZone: string
  /** True if the last period is incomplete. Its bar is hatched. */
  isLastOpen?: boolean
  size?: ChartSize
}

/** Stacked bars by hour, day or month. Renders nothing if all values are zero. */
export function BarChart({ name, periods, values, series, colours, describe, format, timeZone, isLastOpen = false, size = 'regular' }: Props) {
  const chart = stackedBars(values)
  if (chart === null) return null
  const { bars, ticks } = chart
  const last = periods.length - 1
  const readings = bars.map(({ total }, index) => ({
    title: periodName(periods[index] ?? '', timeZone),
    value: `${describe(total)}${isLastOpen && index === last ? ' so far' : ''}`,
    rows:
      series.length < 2
        ? []
        : series.flatMap((one, place) => {
            const value = values[index]?.[place] ?? 0
            return value === 0 ? [] : [{ name: one.name, value: format(value), swatch: colours[place]?.swatch ?? '' }]
          }),
  }))
  return (
    <ChartFrame
      name={name}
      slots={bars}
      readings={readings}
      ticks={ticks}
      format={format}
      labels={axisLabels(periods, timeZone)}
      size={size}
      over={isLastOpen ? <Incomplete bar={bars[last]} /> : null}
    >
      {bars.flatMap(({ barLeft, barWidth, pieces }, index) =>
        pieces.map(({ series: place, top, height }) => (
          <rect
            key={`${periods[index]} ${place}`}
            x={barLeft}
            y={top}
            width={barWidth}
            height={height}
            className={`${colours[place]?.fill} ${isLastOpen && index === last ? 'opacity-50' : ''}`}
          />
        )),
      )}
      <path d={gaps(bars)} className="fill-none stroke-surface" strokeWidth="1" vectorEffect="non-scaling-stroke" />
    </ChartFrame>
  )
}
