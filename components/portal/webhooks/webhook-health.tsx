'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { seriesColour } from '#components/charts/colours.ts'
import { Legend } from '#components/charts/legend.tsx'
import { LineChart } from '#components/charts/line-chart.tsx'
import { lines } from '#components/charts/lines.ts'
import { periodName } from '#components/charts/time-axis.ts'
import { DataTable } from '#components/data/data-table.tsx'
import { Time, useTimeZone } from '#components/data/time.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Figure, FigureStrip } from '#components/ui/figures.tsx'
import { TableSummary } from '#components/ui/summary-button.tsx'
import { number } from '../amounts.ts'
import { liveEveryMs, successRateText, waitingCount } from './webhook-labels.tsx'

type Hour = {
  readonly hour: Date
  readonly attempts: number
  readonly delivered: number
  readonly medianMs: number | null
  readonly p95Ms: number | null
}

const ms = (value: number | null): string => (value === null ? '–' : `${number(value)} ms`)

const series = [
  { id: 'medianMs', name: 'Median' },
  { id: 'p95Ms', name: 'p95' },
] as const

/** Minimum number of hours for a chart. Fewer are shown as text. */
const minCharted = 3

/** Latency of the first hours with attempts, in words. */
function LatencyText({ hours }: { hours: readonly Hour[] }) {
  return (
    <>
      {hours.map(({ hour, medianMs, p95Ms }) => (
        <p key={hour.toISOString()}>
          Median {ms(medianMs)}, p95 {ms(p95Ms)}{' '}
          <span className="text-note text-ink-2">
            <Time at={hour} />
          </span>
        </p>
      ))}
      <p className="mt-1 text-note text-ink-2">Time to first byte by hour.</p>
    </>
  )
}

/** The receiver's time to first byte, by hour: median and 95th percentile. Hours without attempts are left out. */
function Latency({ hours }: { hours: readonly Hour[] }) {
  const timeZone = useTimeZone()
  const chart = lines(series.map(({ id }) => hours.map((hour) => hour[id])))
  if (chart === null) return null
  const measured = hours.filter(({ medianMs }) => medianMs !== null)
  if (measured.length < minCharted) return <LatencyText hours={measured} />
  const periods = hours.map(({ hour }) => hour.toISOString().slice(0, 13))
  const colours = series.map((_, index) => seriesColour(index))
  return (
    <figure>
      <LineChart
        name="Time to first byte by hour"
        periods={periods}
        chart={chart}
        colours={colours}
        readings={hours.map(({ medianMs, p95Ms, attempts }, index) => ({
          title: periodName(periods[index] ?? '', timeZone),
          value: `median ${ms(medianMs)}, p95 ${ms(p95Ms)}, ${number(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'}`,
        }))}
        format={ms}
        timeZone={timeZone}
        size="low"
      />
      <Legend entries={series.map(({ id, name }, index) => ({ id, name, value: '', swatch: colours[index]?.swatch ?? '' }))} />
      <figcaption className="mt-1 text-note text-ink-2">Time to first byte by hour.</figcaption>
    </figure>
  )
}

/** Key figures of an endpoint. */
export function WebhookFigures({ id }: { id: string }) {
  const { webhooks } = useTRPC()
  const { attempts, successRate } = useSuspenseQuery(webhooks.health.queryOptions({ id }, { refetchInterval: liveEveryMs })).data
  const { waiting, failingSince } = useSuspenseQuery(webhooks.read.queryOptions({ id }, { refetchInterval: liveEveryMs })).data
  const tone = failingSince === null ? undefined : 'caution'
  return (
    <FigureStrip count={3}>
      <Figure name="Success rate, 7 days" value={successRateText(successRate)} tone={tone} />
      <Figure name="Attempts, 7 days" value={number(attempts)} />
      <Figure name="Events waiting" value={waitingCount(waiting)} tone={waiting === 0 ? undefined : 'caution'} />
    </FigureStrip>
  )
}

/** Success rate and latency of an endpoint in the last seven days. */
export function Health({ id }: { id: string }) {
  const { data } = useSuspenseQuery(useTRPC().webhooks.health.queryOptions({ id }, { refetchInterval: liveEveryMs }))
  const { attempts, successRate, hours } = data
  return (
    <section aria-labelledby="health">
      <h2 id="health" className="text-h2 font-semibold">
        Response times
      </h2>
      {successRate === null ? (
        <p className="mt-1 text-ink-2">No attempts in the last 7 days.</p>
      ) : (
        <>
          <p className="mt-1 mb-4">
            {(successRate * 100).toFixed(1)}% of {number(attempts)} {attempts === 1 ? 'attempt' : 'attempts'} succeeded (2xx).
          </p>
          <Latency hours={hours} />
          <details className="mt-2">
            <TableSummary />
            <DataTable
              caption="Attempts by hour"
              rows={hours}
              rowKey={({ hour }) => hour.toISOString()}
              columns={[
                { name: 'Hour', isHead: true, cell: ({ hour }) => <Time at={hour} /> },
                { name: 'Attempts', isNumber: true, cell: (row) => number(row.attempts) },
                { name: 'Delivered', isNumber: true, cell: ({ delivered }) => number(delivered) },
                { name: 'Median', isNumber: true, cell: ({ medianMs }) => ms(medianMs) },
                { name: 'p95', isNumber: true, cell: ({ p95Ms }) => ms(p95Ms) },
              ]}
            />
          </details>
        </>
      )}
    </section>
  )
}
