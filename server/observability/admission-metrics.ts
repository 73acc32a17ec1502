import type { Registry } from 'prom-client'
import { byLabel, histogramSamples, one, register } from './metric.ts'
import { admissions } from './telemetry/admissions.ts'

/** Gauges of this process's admission path, read on each scrape. */
export type AdmissionGauges = {
  readonly depth: { readonly waiting: number; readonly sent: number; readonly lost: number }
  readonly connections: { readonly open: number; readonly wanted: number }
}

/** Registers the metrics of the admission path: batches, the queue, and failures of either. */
export function registerAdmission(registry: Registry, gauges: AdmissionGauges): void {
  const counter = { type: 'counter', aggregator: 'sum' } as const
  const gauge = { type: 'gauge', aggregator: 'sum' } as const
  const histogram = (name: string, help: string, of: 'sizes' | 'waitMs' | 'statementMs' | 'flushMs') =>
    register(registry, { type: 'histogram', aggregator: 'sum', name, help }, () => histogramSamples(name, admissions[of], {}, of === 'sizes' ? 1 : 1_000))
  histogram('svc_admission_batch_size', 'Calls admitted by one statement.', 'sizes')
  histogram('svc_admission_wait_seconds', 'Time that the first call of a batch waited before its statement was sent.', 'waitMs')
  histogram('svc_admission_statement_seconds', 'Duration of the statement of a batch.', 'statementMs')
  histogram('svc_admission_flush_seconds', 'Time that a batch waited for the flush to disk after its statement.', 'flushMs')
  register(registry, { ...counter, name: 'svc_admission_queue_full_total', help: 'Calls that failed uncharged because the queue was full.' }, () =>
    one(admissions.queueFull),
  )
  register(registry, { ...counter, name: 'svc_admission_late_total', help: 'Calls that failed uncharged because the database timed out.' }, () =>
    one(admissions.late),
  )
  register(
    registry,
    { ...counter, name: 'svc_admission_failed_batches_total', help: 'Batches whose outcome is unknown (lost), or that PostgreSQL rejected.' },
    () => byLabel('reason', { lost: admissions.lost, refused: admissions.refused }),
  )
  register(registry, { ...counter, name: 'svc_settlements_total', help: 'Calls of lost batches that were reconciled, by outcome.' }, () =>
    byLabel('outcome', admissions.settled),
  )
  register(registry, { ...gauge, name: 'svc_admission_requests', help: 'Calls on the admission path, by state.' }, () => byLabel('state', gauges.depth))
  register(registry, { ...gauge, name: 'svc_admission_connections', help: 'Connections of the admission path.' }, () =>
    byLabel('state', { open: gauges.connections.open, missing: gauges.connections.wanted - gauges.connections.open }),
  )
}
