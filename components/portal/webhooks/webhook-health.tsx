'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { number } from '../amounts.ts'
import { liveEveryMs } from './webhook-labels.tsx'

type Hour = {
  readonly hour: Date
  readonly attempts: number
  readonly delivered: number
  readonly medianMs: number | null
  readonly p95Ms: number | null
}

const height = 60
const ms = (value: number | null): string => (value === null ? '–' : `${number(value)} ms`)

/** The receiver's time to first byte, by hour: median and 95th percentile. */
function Latency({ hours }: { hours: readonly Hour[] }) {
  const max = Math.max(1, ...hours.map(({ p95Ms }) => p95Ms ?? 0))
  const bar = (value: number | null) => ((value ?? 0) / max) * height
  return (
    <figure>
      <svg
        viewBox={`0 0 ${Math.max(24, hours.length)} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-20 w-full border-b border-line-strong"
      >
        {hours.map(({ hour, medianMs, p95Ms }, at) => (
          <g key={hour.toISOString()}>
            <rect x={at + 0.1} width={0.8} y={height - bar(p95Ms)} height={bar(p95Ms)} className="fill-chart-2" />
            <rect x={at + 0.1} width={0.8} y={height - bar(medianMs)} height={bar(medianMs)} className="fill-chart-1" />
          </g>
        ))}
      </svg>
      <figcaption className="mt-1 text-note text-ink-2">Time to first byte by hour: median and p95. Highest: {ms(max)}.</figcaption>
    </figure>
  )
}

/** Success rate and latency of an endpoint in the last seven days. */
export function Health({ id }: { id: string }) {
  const { data } = useSuspenseQuery(useTRPC().webhooks.health.queryOptions({ id }, { refetchInterval: liveEveryMs }))
  const { attempts, successRate, hours } = data
  return (
    <section aria-labelledby="health" className="mt-10">
      <h2 id="health" className="text-h2 font-semibold">
        Last 7 days
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
            <summary className="min-h-8 cursor-pointer">Show as table</summary>
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
