import type { Metric, Registry } from 'prom-client'
import type { Histogram } from './telemetry/counters.ts'

type Labels = Readonly<Record<string, string>>

/** Sample of a metric: one line of the scrape. */
export type Sample = { readonly labels: Labels; readonly value: number; readonly metricName?: string }

/** Samples of a metric, or the value of a metric without labels. Null omits the metric. */
type Reading = Sample[] | number | boolean | null

const toSamples = (reading: Reading): Sample[] => {
  if (reading === null) return []
  return Array.isArray(reading) ? reading : [{ labels: {}, value: Number(reading) }]
}

/** Rule for combining the values of several processes. `first` is for values that every process reads from the same database. */
type Aggregator = 'sum' | 'max' | 'min' | 'first'

/**
 * Returns functions that register metrics whose values are read on each scrape. prom-client's own metric classes store values, which would have to be updated on
 * every call; its registry only needs the fields given here.
 */
export function metricsOf(registry: Registry) {
  const register = (type: 'counter' | 'gauge' | 'histogram', aggregator: Aggregator, name: string, help: string, read: () => Reading | Promise<Reading>) => {
    const facts = { name, help, type, aggregator }
    const metric = { ...facts, get: async () => ({ ...facts, values: toSamples(await read()) }) }
    registry.registerMetric(metric as unknown as Metric)
  }
  return {
    counter: (name: string, help: string, read: () => Reading) => register('counter', 'sum', name, help, read),
    gauge: (aggregator: Aggregator, name: string, help: string, read: () => Reading | Promise<Reading>) => register('gauge', aggregator, name, help, read),
    histogram: (name: string, help: string, read: () => Sample[]) => register('histogram', 'sum', name, help, read),
  }
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

/** Returns one sample per entry of `values`, with the entry's name as the value of the label. */
export const byLabel = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
