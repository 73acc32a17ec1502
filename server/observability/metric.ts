import type { Metric, Registry } from 'prom-client'
import type { Histogram } from './telemetry/counters.ts'

export type Labels = Readonly<Record<string, string>>

/** Sample of a metric: one line of the scrape. */
export type Sample = { readonly labels: Labels; readonly value: number; readonly metricName?: string }

export type MetricData = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** Rule for combining the values of several processes. `first` is for values that every process reads from the same database. */
  readonly aggregator: 'sum' | 'max' | 'min' | 'first'
}

/**
 * Registers a metric whose samples are computed on each scrape. prom-client's own metric classes store values, which would have to be updated on every call;
 * its registry only needs the fields given here.
 */
export function register(registry: Registry, facts: MetricData, read: () => Sample[] | Promise<Sample[]>): void {
  const metric = { ...facts, get: async () => ({ ...facts, values: await read() }) }
  registry.registerMetric(metric as unknown as Metric)
}

const msPerSecond = 1_000

/** Returns the samples of a histogram in Prometheus form: each bucket includes those below it. Values are divided by `unit`. */
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

/** Returns a sample for each named number. The name is the value of the label. */
export const byLabel = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
