import { AggregatorRegistry, Registry } from 'prom-client'
import type { ReadFigures } from './database-figures.ts'
import { type ProcessParts, registerDatabase, registerProcess } from './state-metrics.ts'
import { type AdmissionGauges, registerAdmission, registerCalls, registerWork } from './telemetry-metrics.ts'

type RegistryParts = ProcessParts & { readonly admission: AdmissionGauges; readonly figures: ReadFigures }

/** Creates a registry with all metrics of this process. */
export function openRegistry({ admission, figures, ...parts }: RegistryParts): Registry {
  const registry = new Registry()
  registerCalls(registry)
  registerAdmission(registry, admission)
  registerWork(registry)
  registerDatabase(registry, figures)
  registerProcess(registry, parts)
  return registry
}

export const contentType = Registry.PROMETHEUS_CONTENT_TYPE

/**
 * Returns the metrics of several processes as text, each combined by its aggregation rule. `missing` is the number of processes that did not respond in time.
 */
export function getText(collected: readonly unknown[], missing: number): Promise<string> {
  const help = 'Processes of this service that did not respond to the scrape in time.'
  const gap = [{ name: 'svc_processes_missing', help, type: 'gauge', aggregator: 'sum', values: [{ labels: {}, value: missing }] }]
  return AggregatorRegistry.aggregate([...(collected as object[]), gap]).metrics()
}
