import { AggregatorRegistry, Registry } from 'prom-client'
import type { DatabaseFiguresReader } from './database-figures.ts'
import { type ProcessParts, registerClock, registerDatabase, registerProcess, registerReplica, registerWritable } from './state-metrics.ts'
import { type AdmissionGauges, registerAdmission, registerCalls, registerWork } from './telemetry-metrics.ts'

export type RegistryParts = ProcessParts & {
  readonly admission: AdmissionGauges
  readonly isReplicaUsed: () => boolean | null
  readonly isWritable: () => Promise<boolean | null>
  readonly clockSkew: () => number | null
  readonly figures: DatabaseFiguresReader
}

/** Creates a registry with all metrics of this process. */
export function openRegistry({ admission, isReplicaUsed, isWritable, clockSkew, figures, ...parts }: RegistryParts): Registry {
  const registry = new Registry()
  registerCalls(registry)
  registerAdmission(registry, admission)
  registerWork(registry)
  registerDatabase(registry, figures)
  registerReplica(registry, isReplicaUsed)
  registerWritable(registry, isWritable)
  registerClock(registry, clockSkew)
  registerProcess(registry, parts)
  return registry
}

export const contentType = Registry.PROMETHEUS_CONTENT_TYPE

/**
 * Returns the metrics of several processes as text, each combined by its aggregation rule. `missing` is the number of processes that did not respond in time.
 */
export function getText(collected: readonly unknown[], missing: number): Promise<string> {
  const name = 'svc_processes_missing'
  const gap = [
    {
      name,
      help: 'Processes of this service that did not respond to the scrape in time.',
      type: 'gauge',
      aggregator: 'sum',
      values: [{ labels: {}, value: missing }],
    },
  ]
  return AggregatorRegistry.aggregate([...(collected as object[]), gap]).metrics()
}
