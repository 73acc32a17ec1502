'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { shortDay, weekDay } from '#components/data/time-format.ts'
import { number } from '#components/portal/amounts.ts'
import { BarsReader } from '#components/portal/bars-reader.tsx'
import { type BarChart, barChart } from '#components/portal/chart-geometry.ts'
import { ChartScale } from '#components/portal/chart-parts.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { AdminTable } from './kit/admin-table.tsx'
import { type Outputs, Section } from './kit/layout.tsx'

type Day = Outputs['now']['trends'][number]
type Figure = Exclude<keyof Day, 'day'>

const pounds = (pence: number): string => `£${number(Math.round(pence / 100))}`

type Trend = {
  readonly figure: Figure
  readonly name: string
  readonly format: (value: number) => string
  /** Converts a value to the unit of the scale. */
  readonly toScale?: (value: number) => number
  /** Label of the total of all days. Without it, the chart shows the latest value. */
  readonly total: boolean
}

const trends: readonly Trend[] = [
  { figure: 'signUps', name: 'Sign-ups', format: number, total: true },
  { figure: 'calls', name: 'Calls', format: number, total: true },
  { figure: 'revenuePence', name: 'Revenue', format: pounds, toScale: (pence) => pence / 100, total: true },
  { figure: 'errors', name: 'Errors (5xx)', format: number, total: true },
  { figure: 'sources', name: 'Sources with fresh data', format: number, total: false },
]

const at = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** Bars of the chart. The SVG is stretched to fit, so it contains no text. */
function Bars({ chart }: { chart: BarChart }) {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full" aria-hidden="true" focusable="false">
      {chart.ticks.map(({ value, top }) => (
        <path key={value} d={`M0 ${top}H100`} className="stroke-line" strokeWidth="1" vectorEffect="non-scaling-stroke" />
      ))}
      {chart.bars.flatMap(({ day, left, width, pieces }) =>
        pieces.map(({ top, height }) => <rect key={day} x={left} y={top} width={width} height={height} className="fill-chart-1" />),
      )}
    </svg>
  )
}

function TrendChart({ trend: { figure, name, format, toScale = (value) => value, total }, days }: { trend: Trend; days: readonly Day[] }) {
  const values = days.map((day) => day[figure])
  const sum = values.reduce((all, value) => all + value, 0)
  const bars = days.map((day) => ({ day: day.day, parts: [{ id: figure, calls: toScale(day[figure]), credits: 0 }] }))
  const chart = barChart(bars, [{ id: figure, name, calls: toScale(sum), credits: 0 }], 'calls')
  const slot = 100 / days.length
  const readable = days.map(({ day }, index) => ({ label: `${weekDay(at(day))}: ${format(values[index] ?? 0)}`, left: index * slot, width: slot }))
  const [first] = days
  return (
    <figure className="min-w-0 rounded-panel border border-line bg-surface p-4">
      <figcaption className="flex items-baseline justify-between gap-4">
        <span className="font-medium">{name}</span>
        <span className="text-ink-2 tabular-nums">{total ? format(sum) : `${format(values.at(-1) ?? 0)} today`}</span>
      </figcaption>
      {chart === null || first === undefined ? (
        <p className="mt-2 text-note text-ink-2">None in the last 14 days.</p>
      ) : (
        <div className="mt-3 grid grid-cols-[auto_1fr] gap-x-2">
          <ChartScale ticks={chart.ticks} />
          <div className="relative min-w-0">
            <BarsReader name={`${name} per day`} bars={readable}>
              <Bars chart={chart} />
            </BarsReader>
            <div aria-hidden="true" className="absolute inset-x-0 top-49 flex justify-between text-note text-ink-2">
              <span>{shortDay(at(first.day))}</span>
              <span>Today</span>
            </div>
          </div>
        </div>
      )}
    </figure>
  )
}

/** Daily figures of the last 14 days as charts, and as a table. */
export function TrendCharts() {
  const { data: days } = useSuspenseQuery(useTRPC().admin.now.trends.queryOptions())
  return (
    <Section id="trends" title="Last 14 days" lead="Per UTC day. Today is incomplete.">
      <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {trends.map((trend) => (
          <TrendChart key={trend.figure} trend={trend} days={days} />
        ))}
      </div>
      <details className="mt-4">
        <summary className="prose-link cursor-pointer">Show as table</summary>
        <AdminTable
          caption="Figures per UTC day"
          rows={days.toReversed()}
          rowKey={({ day }) => day}
          columns={[
            { name: 'Day', isHead: true, cell: ({ day }) => shortDay(at(day)) },
            ...trends.map(({ figure, name, format }) => ({ name, isNumber: true, cell: (day: Day) => format(day[figure]) })),
          ]}
          empty="No days."
        />
      </details>
    </Section>
  )
}
