'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { BarChart } from '#components/charts/bar-chart.tsx'
import { type Colour, seriesColour, statusColours } from '#components/charts/colours.ts'
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
  /** Number of value units in one unit of the scale: 100 for values in pence on a scale in pounds. */
  readonly unit?: number
  /** True to show the total of all days; otherwise the chart shows the latest value. */
  readonly total: boolean
  readonly colour: Colour
}

const [, clientErrors = seriesColour(0), serverErrors = seriesColour(0)] = statusColours

const trends: readonly Trend[] = [
  { figure: 'calls', name: 'Calls', format: number, total: true, colour: seriesColour(0) },
  { figure: 'rejected', name: 'Rejected (4xx)', format: number, total: true, colour: clientErrors },
  { figure: 'errors', name: 'Failed (5xx)', format: number, total: true, colour: serverErrors },
  { figure: 'signUps', name: 'Sign-ups', format: number, total: true, colour: seriesColour(0) },
  { figure: 'revenuePence', name: 'Revenue', format: pounds, unit: 100, total: true, colour: seriesColour(0) },
]
const sources: Trend = { figure: 'sources', name: 'Sources with fresh data', format: number, total: false, colour: seriesColour(0) }

function TrendChart({ trend: { figure, name, format, unit = 1, total, colour }, days }: { trend: Trend; days: readonly Day[] }) {
  const values = days.map((day) => day[figure])
  const sum = values.reduce((all, value) => all + value, 0)
  return (
    <figure className="min-w-0 rounded-panel border border-line bg-surface p-4">
      <figcaption className="flex items-baseline justify-between gap-4">
        <span className="text-ink-2">{name}</span>
        <span className="text-h2 font-semibold tabular-nums">{total ? format(sum) : `${format(values.at(-1) ?? 0)} today`}</span>
      </figcaption>
      {values.every((value) => value === 0) ? (
        <p className="flex items-center justify-center py-4 text-note text-ink-2 sm:h-40">None in the last 14 days.</p>
      ) : (
        <BarChart
          name={`${name} per day`}
          periods={days.map(({ day }) => day)}
          values={values.map((value) => [value / unit])}
          series={[{ id: figure, name }]}
          colours={[colour]}
          describe={(value) => format(value * unit)}
          format={number}
          timeZone="UTC"
          isLastOpen
          size="low"
        />
      )}
    </figure>
  )
}

/** Daily figures of the last 14 days as charts, and as a table. Data sources are left out if none is configured. */
export function TrendCharts({ hasSources }: { hasSources: boolean }) {
  const { data: days } = useSuspenseQuery(useTRPC().admin.now.trends.queryOptions())
  const shown = hasSources ? [...trends, sources] : trends
  return (
    <Section id="trends" title="Last 14 days" lead="Per UTC day. Today is incomplete.">
      {/* Five charts fill two rows if the first one is wider. */}
      <div className={`grid gap-4 sm:grid-cols-2 xl:grid-cols-3 ${hasSources ? '' : 'sm:[&>figure:first-child]:col-span-2'}`}>
        {shown.map((trend) => (
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
            ...shown.map(({ figure, name, format }) => ({ name, isNumber: true, cell: (day: Day) => format(day[figure]) })),
          ]}
          empty="No days."
        />
      </details>
    </Section>
  )
}
