import type { Registry } from 'prom-client'
import { byLabel, histogramSamples, register, type Sample } from './metric.ts'
import { deliveries, type JobCounts, jobRuns } from './telemetry/work.ts'

/** Returns one sample per job. The label is `name`, because Prometheus reserves `job` and would rename ours. */
const perJob = (value: (telemetry: JobCounts) => number): Sample[] => [...jobRuns].map(([name, telemetry]) => ({ labels: { name }, value: value(telemetry) }))

/** Registers the metrics of the worker role in this process. */
export function registerWork(registry: Registry): void {
  const counter = { type: 'counter', aggregator: 'sum' } as const
  register(registry, { ...counter, name: 'svc_webhook_attempts_total', help: 'Webhook delivery attempts, by outcome.' }, () =>
    byLabel('outcome', deliveries.counts),
  )
  const took = 'svc_webhook_attempt_duration_seconds'
  register(registry, { type: 'histogram', aggregator: 'sum', name: took, help: 'Duration of webhook delivery attempts.' }, () =>
    histogramSamples(took, deliveries.tookMs, {}),
  )
  register(registry, { ...counter, name: 'svc_job_runs_total', help: 'Job runs in this process, by outcome.' }, () =>
    [...jobRuns].flatMap(([name, { succeeded, failed }]) => [
      { labels: { name, outcome: 'ok' }, value: succeeded },
      { labels: { name, outcome: 'failed' }, value: failed },
    ]),
  )
  register(registry, { ...counter, name: 'svc_job_run_seconds_total', help: 'Total running time of jobs in this process.' }, () =>
    perJob(({ tookMs }) => tookMs / 1_000),
  )
}
