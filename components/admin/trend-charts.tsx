'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { BarChart } from '#components/charts/bar-chart.tsx'
import { seriesColour } from '#components/charts/colours.ts'
import { shortDay } from '#components/data/time-format.ts'
import { number } from '#components/portal/amounts.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { TableSummary } from '#components/ui/summary-button.tsx'
import { AdminTable } from './kit/admin-table.tsx'
import { type Outputs, Section } from './kit/layout.tsx'

type Day = Outputs['now']['trends'][number]
type Figure = Exclude<keyof Day, 'day'>

const pounds = (pence: number): string => `£${number(Math.round(pence / 100))}`

type Trend = {
  readonly figure: Figure
  readonly name: string
  readonly format: (value: number) => string
  /** Size of the scale's unit: 100 for a scale in pounds of values in pence. */
  readonly unit?: number
  /** Label of the total of all days. Without it, the chart shows the latest value. */
  readonly total: boolean
}

const trends: readonly Trend[] = [
  { figure: 'signUps', name: 'Sign-ups', format: number, total: true },
  { figure: 'calls', name: 'Calls', format: number, total: true },
  { figure: 'revenuePence', name: 'Revenue', format: pounds, unit: 100, total: true },
  { figure: 'errors', name: 'Failed (5xx)', format: number, total: true },
  { figure: 'sources', name: 'Sources with fresh data', format: number, total: false },
]

function TrendChart({ trend: { figure, name, format, unit = 1, total }, days }: { trend: Trend; days: readonly Day[] }) {
  const values = days.map((day) => day[figure])
  const sum = values.reduce((all, value) => all + value, 0)
  return (
    <figure className="min-w-0 rounded-panel border border-line bg-surface p-4">
      <figcaption className="flex items-baseline justify-between gap-4">
        <span className="font-medium">{name}</span>
        <span className="text-ink-2 tabular-nums">{total ? format(sum) : `${format(values.at(-1) ?? 0)} today`}</span>
      </figcaption>
      {values.every((value) => value === 0) ? (
        <p className="mt-2 text-note text-ink-2">None in the last 14 days.</p>
      ) : (
        <BarChart
          name={`${name} per day`}
          periods={days.map(({ day }) => day)}
          values={values.map((value) => [value / unit])}
          series={[{ id: figure, name }]}
          colours={[seriesColour(0)]}
          describe={(value) => format(value * unit)}
          format={number}
          timeZone="UTC"
          isLastOpen
          isLow
        />
      )}
    </figure>
  )
}

/** Daily figures of the last 14 days as charts, and as a table. */
export function TrendCharts() {
  const { data: days } = useSuspenseQuery(useTRPC().admin.now.trends.queryOptions())
  return (
    <Section id="trends" title="Last 14 days" lead="Per UTC day. Today is incomplete.">
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {trends.map((trend) => (
          <TrendChart key={trend.figure} trend={trend} days={days} />
        ))}
      </div>
      <details className="mt-4">
        <TableSummary />
        <AdminTable
          caption="Figures per UTC day"
          rows={days.toReversed()}
          rowKey={({ day }) => day}
          columns={[
            { name: 'Day', isHead: true, cell: ({ day }) => shortDay(new Date(day)) },
            ...trends.map(({ figure, name, format }) => ({ name, isNumber: true, cell: (day: Day) => format(day[figure]) })),
          ]}
          empty="No days."
        />
      </details>
    </Section>
  )
}
