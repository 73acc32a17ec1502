import { credits, number } from './amounts.ts'

/** Axis labels of a chart. Rendered as HTML, because text in the stretched SVG would be distorted. As wide as the widest label. */
export function ChartScale({ ticks }: { ticks: readonly { readonly value: number; readonly top: number }[] }) {
  return (
    <div aria-hidden="true" className="relative h-48 min-w-8 text-right text-note text-ink-2 tabular-nums">
      {ticks.map(({ value }) => (
        <span key={value} className="invisible block h-0">
          {number(value)}
        </span>
      ))}
      {ticks.map(({ value, top }) => (
        <span key={`at ${value}`} className="absolute right-0 -translate-y-1/2" style={{ top: `${top}%` }}>
          {number(value)}
        </span>
      ))}
    </div>
  )
}

export type SparklineDay = { readonly calls: number; readonly credits: number }

const [width, height] = [80, 20]

/** Sparkline of daily calls, 80 by 20 pixels, with the total. Each sparkline has its own scale. */
export function Sparkline({ days }: { days: readonly SparklineDay[] }) {
  const max = Math.max(...days.map(({ calls }) => calls))
  const [calls, spent] = [days.reduce((sum, day) => sum + day.calls, 0), days.reduce((sum, day) => sum + day.credits, 0)]
  const slot = width / days.length
  return (
    <span className="inline-flex items-end gap-2" title={`${credits(spent)} in ${days.length} days`}>
      {max === 0 ? null : (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false" className="max-lg:hidden">
          {days.map(({ calls: count }, index) => {
            // At least one pixel, so that a day with a single call is visible next to days with thousands.
            const tall = count === 0 ? 0 : Math.max(1, (count / max) * height)
            // biome-ignore lint/suspicious/noArrayIndexKey: days are identified by their position
            return <rect key={index} x={index * slot} y={height - tall} width={slot - 1} height={tall} className="fill-chart-1" />
          })}
        </svg>
      )}
      <span className="tabular-nums">{number(calls)}</span>
    </span>
  )
}
