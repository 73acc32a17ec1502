import { number } from './amounts.ts'

/** Axis labels of a chart. HTML because the SVG is stretched; as wide as the widest label. */
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
