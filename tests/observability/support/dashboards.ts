/** Reads the dashboards in deploy/grafana, and the metrics and labels in their queries. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Prometheus } from '../../support/prometheus.ts'

const folder = join(import.meta.dirname, '../../../deploy/grafana')

const datasource = z.strictObject({ type: z.literal('prometheus'), uid: z.literal('$'.concat('{datasource}')) })
const gridPos = z.strictObject({ x: z.int().min(0), y: z.int().min(0), w: z.int().min(1).max(24), h: z.int().min(1) })
const target = z.strictObject({ refId: z.string().regex(/^[A-Z]$/), datasource, expr: z.string().min(1), legendFormat: z.string() })

/** Grafana units that the dashboards use. */
const unit = z.enum(['short', 's', 'reqps', 'ops', 'percentunit', 'bytes', 'bool'])

const row = z.strictObject({ id: z.int(), gridPos, type: z.literal('row'), title: z.string(), collapsed: z.literal(false), panels: z.tuple([]) })
const chart = z.strictObject({
  id: z.int(),
  gridPos,
  type: z.enum(['timeseries', 'stat']),
  title: z.string().min(3),
  description: z.string(),
  datasource,
  fieldConfig: z.strictObject({ defaults: z.looseObject({ unit }), overrides: z.tuple([]) }),
  options: z.looseObject({}),
  targets: z.array(target).min(1),
})

/** The part of Grafana's dashboard model (schema version 39, Grafana 10.4) that the dashboards use. */
const dashboard = z.strictObject({
  uid: z.string().regex(/^[a-z-]{1,40}$/),
  title: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  schemaVersion: z.literal(39),
  version: z.int(),
  editable: z.boolean(),
  graphTooltip: z.literal(1),
  timezone: z.literal('utc'),
  refresh: z.string(),
  time: z.strictObject({ from: z.string(), to: z.literal('now') }),
  templating: z.strictObject({ list: z.array(z.looseObject({ name: z.string(), type: z.enum(['datasource', 'query']) })) }),
  annotations: z.strictObject({ list: z.array(z.looseObject({ expr: z.string(), datasource })) }),
  panels: z.array(z.discriminatedUnion('type', [row, chart])).min(1),
})

export type Dashboard = z.infer<typeof dashboard>
export type Query = { readonly at: string; readonly expr: string; readonly labels: readonly string[] }

export const dashboardFiles = readdirSync(folder).filter((name) => name.endsWith('.json'))

/** @throws ZodError if the file isn't a dashboard as Grafana expects it */
export const readDashboard = (file: string): Dashboard => dashboard.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))

/** Replaces Grafana's variables with the values that Grafana would use. */
const withoutVariables = (expr: string) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', '.+')

/** Labels that a query groups by or that its legend shows. */
function getLabels(expr: string, legend: string): string[] {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()))
  const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
  return [...new Set([...grouped, ...shown])].filter((label) => label !== 'le')
}

export function getQueries(file: string): Query[] {
  const { panels, annotations } = readDashboard(file)
  const charts = panels.flatMap((panel) => (panel.type === 'row' ? [] : panel.targets.map((one) => ({ ...one, title: panel.title }))))
  return [
    ...charts.map(({ title, expr, legendFormat }) => ({ at: `${file}: ${title}`, expr: withoutVariables(expr), labels: getLabels(expr, legendFormat) })),
    ...annotations.list.map(({ expr }) => ({ at: `${file}: annotation`, expr: withoutVariables(expr), labels: [] })),
  ]
}

/** Returns the selectors of a query: metrics with their matchers. */
export const getSelectors = (expr: string): string[] =>
  [...expr.matchAll(/\b(?:svc|nodejs|process|patroni|node|backup)_[a-z0-9_]+(?:\{[^}]*\})?/g)].map(([found]) => found)

/** Metrics of node_exporter, Patroni and record-backup.sh, which the service does not have. */
export const isExternal = (selector: string): boolean => /^(?:patroni|node|backup)_/.test(selector)

/** Evaluates a query, and returns the metrics that have no samples and the labels that no metric has. @throws Error if the query is invalid */
export async function findFaults({ at, expr, labels }: Query, evaluate: Prometheus['query']): Promise<string[]> {
  await evaluate(expr)
  const selectors = getSelectors(expr)
  if (selectors.length === 0) return [`${at}: names no metric`]
  if (selectors.some(isExternal)) return []
  const found = await Promise.all(selectors.map((selector) => evaluate(`last_over_time(${selector}[1m])`)))
  const known = new Set(found.flat().flatMap(({ metric }) => Object.keys(metric)))
  return [
    ...found.flatMap((samples, no) => (samples.length === 0 ? [`${at}: ${selectors[no]} is empty`] : [])),
    ...(known.size === 0 ? [] : labels).filter((label) => !known.has(label)).map((label) => `${at}: no metric has the label ${label}`),
  ]
}
