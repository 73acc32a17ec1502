import type { Registry } from 'prom-client'
import { errorCodes, errors } from '#server/api/contract/errors.ts'
import { byLabel, histogramSamples, metricsOf, type Sample } from './metric.ts'
import { callModes, calls, type EndpointCounts, outcomeSlots, stepNames } from './telemetry/calls.ts'
import { admissions, deliveries, jobRuns } from './telemetry/counters.ts'

const known = (): EndpointCounts[] => calls.endpoints.filter((telemetry) => telemetry !== undefined)

/** Metric labels for each slot of the call counters. */
const outcomes = [
  { slot: outcomeSlots.ok, status: '200', error: '' },
  { slot: outcomeSlots.unchanged, status: '304', error: '' },
  ...errorCodes.map((code) => ({ slot: outcomeSlots.errors + errors[code].no, status: String(errors[code].status), error: code })),
]

function requestSamples(): Sample[] {
  return known().flatMap(({ id, counts }) =>
    Object.entries(callModes).flatMap(([mode, no]) =>
      outcomes.flatMap(({ slot, status, error }) => {
        const value = counts[no]?.[slot] ?? 0
        return value === 0 ? [] : [{ labels: { endpoint: id, mode, status, error }, value }]
      }),
    ),
  )
}

const perEndpoint = (value: (telemetry: EndpointCounts) => number): Sample[] =>
  known().map((telemetry) => ({ labels: { endpoint: telemetry.id }, value: value(telemetry) }))

/** Registers the call metrics. */
export function registerCalls(registry: Registry): void {
  const { counter, gauge, histogram } = metricsOf(registry)
  counter('svc_requests_total', 'Completed calls, by endpoint, mode of the key, status and error code.', requestSamples)
  counter('svc_credits_charged_total', 'Credits charged for calls.', () => perEndpoint(({ credits }) => credits))
  counter('svc_pages_shared_total', 'Pages served from the cache.', () => perEndpoint(({ shared }) => shared))
  counter('svc_pages_built_total', 'Pages built because none was cached.', () => perEndpoint(({ built }) => built))
  const took = 'svc_request_duration_seconds'
  histogram(took, 'Time from the arrival of a call to the writing of its response.', () =>
    known().flatMap(({ id, tookMs }) => histogramSamples(took, tookMs, { endpoint: id })),
  )
  const step = 'svc_request_step_duration_seconds'
  histogram(step, 'Duration of each step of a call, measured for one call in sixteen.', () =>
    stepNames.flatMap((name, no) => {
      const telemetry = calls.stepMs[no]
      return telemetry ? histogramSamples(step, telemetry, { step: name }) : []
    }),
  )
  gauge('sum', 'svc_requests_in_progress', 'Calls in progress.', () => calls.inProgress)
}

/** Gauges of this process's admission path, read on each scrape. */
export type AdmissionGauges = {
  readonly depth: { readonly waiting: number; readonly sent: number; readonly lost: number }
  readonly connections: { readonly open: number; readonly wanted: number }
}

/** Registers the metrics of the admission path: its batches, its queue and their failures. */
export function registerAdmission(registry: Registry, gauges: AdmissionGauges): void {
  const { counter, gauge, histogram } = metricsOf(registry)
  const perBatch = (name: string, help: string, of: 'sizes' | 'waitMs' | 'statementMs' | 'flushMs') =>
    histogram(name, help, () => histogramSamples(name, admissions[of], {}, of === 'sizes' ? 1 : 1_000))
  perBatch('svc_admission_batch_size', 'Calls admitted by one statement.', 'sizes')
  perBatch('svc_admission_wait_seconds', 'Time that the first call of a batch waited before its statement was sent.', 'waitMs')
  perBatch('svc_admission_statement_seconds', 'Duration of the statement of a batch.', 'statementMs')
  perBatch('svc_admission_flush_seconds', 'Time that a batch waited for the flush to disk after its statement.', 'flushMs')
  counter('svc_admission_queue_full_total', 'Calls that failed uncharged because the queue was full.', () => admissions.queueFull)
  counter('svc_admission_late_total', 'Calls that failed uncharged because the database timed out.', () => admissions.late)
  counter('svc_admission_failed_batches_total', 'Batches whose outcome is unknown (lost), or that PostgreSQL rejected.', () =>
    byLabel('reason', { lost: admissions.lost, refused: admissions.refused }),
  )
  counter('svc_settlements_total', 'Calls of lost batches that were reconciled, by outcome.', () => byLabel('outcome', admissions.settled))
  gauge('sum', 'svc_admission_requests', 'Calls on the admission path, by state.', () => byLabel('state', gauges.depth))
  gauge('sum', 'svc_admission_connections', 'Connections of the admission path.', () =>
    byLabel('state', { open: gauges.connections.open, missing: gauges.connections.wanted - gauges.connections.open }),
  )
}

/** Registers the metrics of the worker role in this process. The label of a job is `name`, because Prometheus reserves `job` and would rename ours. */
export function registerWork(registry: Registry): void {
  const { counter, histogram } = metricsOf(registry)
  counter('svc_webhook_attempts_total', 'Webhook delivery attempts, by outcome.', () => byLabel('outcome', deliveries.counts))
  const took = 'svc_webhook_attempt_duration_seconds'
  histogram(took, 'Duration of webhook delivery attempts.', () => histogramSamples(took, deliveries.tookMs, {}))
  counter('svc_job_runs_total', 'Job runs in this process, by outcome.', () =>
    [...jobRuns].flatMap(([name, { succeeded, failed }]) => [
      { labels: { name, outcome: 'ok' }, value: succeeded },
      { labels: { name, outcome: 'failed' }, value: failed },
    ]),
  )
  counter('svc_job_run_seconds_total', 'Total running time of jobs in this process.', () =>
    [...jobRuns].map(([name, { tookMs }]) => ({ labels: { name }, value: tookMs / 1_000 })),
  )
}
