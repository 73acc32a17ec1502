import type { Metric, Registry } from 'prom-client'
import type { Histogram } from './telemetry/histogram.ts'

export type Labels = Readonly<Record<string, string>>

/** One line of a metric. */
export type Sample = { readonly labels: Labels; readonly value: number; readonly metricName?: string }

export type MetricFacts = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** What several processes of one service say together: `first` is for what they all read from one database. */
  readonly aggregator: 'sum' | 'max' | 'min' | 'first'
}

/**
 * Registers a metric whose samples are made when somebody asks. The classes of prom-client keep values of their own, which would have to be written with every call; their
 * registry asks of a metric no more than what is here.
 */
export function register(registry: Registry, facts: MetricFacts, read: () => Sample[] | Promise<Sample[]>): void {
  const metric = { ...facts, get: async () => ({ ...facts, values: await read() }) }
  registry.registerMetric(metric as unknown as Metric)
}

const msPerSecond = 1_000

/** The lines of a histogram as Prometheus wants them: each bucket holds those below it too. `unit` is what its numbers are divided by. */
export function histogramSamples(name: string, histogram: Histogram, labels: Labels, unit = msPerSecond): Sample[] {
  let total = 0
  const buckets = [...histogram.counts].map((count, at): Sample => {
    total += count
    const bound = histogram.bounds[at]
    return { labels: { ...labels, le: bound === undefined ? '+Inf' : String(bound / unit) }, value: total, metricName: `${name}_bucket` }
  })
  return [...buckets, { labels, value: histogram.sum / unit, metricName: `${name}_sum` }, { labels, value: total, metricName: `${name}_count` }]
}

export const one = (value: number): Sample[] => [{ labels: {}, value }]

/** Numbers by name as samples with one label. */
export const byLabel = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
