import type { ReactNode } from 'react'
import { ChartReader, type Reading } from './chart-reader.tsx'
import type { Slot, Tick } from './scales.ts'
import type { AxisLabel } from './time-axis.ts'

/** Labels of the vertical axis. Rendered as HTML, because text in the stretched SVG would be distorted. As wide as the widest label. */
function Scale({ ticks, format, className }: { ticks: readonly Tick[]; format: (value: number) => string; className: string }) {
  return (
    <div aria-hidden="true" className={`relative ${className} min-w-8 text-right text-note text-ink-2 tabular-nums`}>
      {ticks.map(({ value }) => (
        <span key={value} className="invisible block h-0">
          {format(value)}
        </span>
      ))}
      {ticks.map(({ value, top }) => (
        <span key={`at ${value}`} className="absolute right-0 -translate-y-1/2" style={{ top: `${top}%` }}>
          {format(value)}
        </span>
      ))}
    </div>
  )
}

/** Position of a label below the middle of its period, kept within the chart. Half of the label's width is estimated from its length. */
const labelLeft = ({ text, left }: AxisLabel): string => `clamp(${text.length * 0.41}ch, ${left}%, 100% - ${text.length * 0.41}ch)`

function TimeAxis({ labels, isNarrow }: { labels: readonly AxisLabel[]; isNarrow: boolean }) {
  return (
    <div aria-hidden="true" className="relative mt-1.5 h-5 text-note whitespace-nowrap text-ink-2">
      {labels.map((label) => (
        <span
          key={label.left}
          className={`absolute -translate-x-1/2 ${label.isMinor ? (isNarrow ? 'hidden' : 'max-sm:hidden') : ''}`}
          style={{ left: labelLeft(label) }}
        >
          {label.text}
        </span>
      ))}
    </div>
  )
}

/**
 * `medium` is for a chart that accompanies other content, `low` for a chart next to another one, and `strip` for a chart above a list, which has only the outer
 * ticks, and no vertical axis on a phone.
 */
export type ChartSize = 'regular' | 'medium' | 'low' | 'strip'

const heights = { regular: 'h-48', medium: 'h-35', low: 'h-32', strip: 'h-14 sm:h-18' } as const

type Props = {
  /** Name of the chart for screen readers. */
  name: string
  slots: readonly Slot[]
  readings: readonly Reading[]
  ticks: readonly Tick[]
  format: (value: number) => string
  labels: readonly AxisLabel[]
  size?: ChartSize
  /** Shapes, in a square with sides of 100. */
  children: ReactNode
  /** HTML on top of the shapes, for content that must not be stretched. */
  over?: ReactNode
}

/** Returns at most four of the ticks, at equal distances from zero. */
function thinTicks(ticks: readonly Tick[]): readonly Tick[] {
  const every = Math.ceil((ticks.length - 1) / 3)
  const zero = ticks.findIndex(({ value }) => value === 0)
  return ticks.filter((_, index) => (index - zero) % every === 0)
}

/** Chart with both axes, grid lines and details at the pointer. The SVG is stretched to fit, so it contains no text, and strokes keep their width. */
export function ChartFrame({ name, slots, readings, ticks: allTicks, format, labels, size = 'regular', children, over }: Props) {
  const height = heights[size]
  const isStrip = size === 'strip'
  const ticks = isStrip ? allTicks.filter((_, index) => index === 0 || index === allTicks.length - 1) : size === 'medium' ? thinTicks(allTicks) : allTicks
  return (
    <div className={isStrip ? 'grid gap-x-2 pt-1.5 sm:grid-cols-[auto_1fr]' : 'grid grid-cols-[auto_1fr] gap-x-2 pt-2'}>
      <Scale ticks={ticks} format={format} className={`${height} ${isStrip ? 'max-sm:hidden' : ''}`} />
      <div className="min-w-0">
        <ChartReader name={name} slots={slots} readings={readings} className={height}>
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full overflow-visible" aria-hidden="true" focusable="false">
            {ticks.map(({ value, top }) => (
              <path
                key={value}
                d={`M0 ${top}H100`}
                className={value === 0 ? 'stroke-line-strong' : 'stroke-line'}
                strokeWidth="1"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            {children}
          </svg>
          {over}
        </ChartReader>
        <TimeAxis labels={labels} isNarrow={size === 'low'} />
      </div>
    </div>
  )
}
