import type { Pool } from 'pg'
import { addTo, percentileMs } from './latency.ts'
import { type Operations, operationId, operationName } from './operations.ts'
import { listDays } from './usage-range.ts'
import { type DayRange, type GroupDayRow, type Grouping, readAsOf, readGroupDays, readKeyNames, readLatency } from './usage-report.store.ts'

type Amounts = { readonly calls: number; readonly credits: number }

/** Median and 95th percentile of the time from arrival to decision; null without calls. */
type Percentiles = { readonly p50Ms: number | null; readonly p95Ms: number | null }

/** Usage of an endpoint, key or status. `id` is its identifier in URLs. */
export type UsageGroup = Amounts & Percentiles & { readonly id: string; readonly name: string; readonly mode: 'test' | 'live' | null }

/** Usage by UTC day, complete up to `asOf`. Groups are sorted by credits, highest first; each day refers to its groups by id. */
export type UsageReport = DayRange & {
  readonly asOf: Date
  readonly by: Grouping
  readonly totals: Amounts & Percentiles
  readonly groups: readonly UsageGroup[]
  readonly days: readonly { readonly day: string; readonly parts: readonly (Amounts & { readonly id: string })[] }[]
}

export type UsageQuestion = DayRange & { readonly by: Grouping }

/** Maximum number of groups to list; the rest are combined. */
const maxGroups = 100
const others = '-1'

type Name = Pick<UsageGroup, 'id' | 'name' | 'mode'>

const otherName: Name = { id: 'other', name: 'Other', mode: null }

async function keyNames(pool: Pool, accountId: number, ids: readonly string[]): Promise<Map<string, Name>> {
  const rows = await readKeyNames(pool, accountId, ids)
  return new Map(rows.map((row) => [row.id, { id: row.public_id, name: row.name === '' ? `svc_${row.mode}_…${row.hint}` : row.name, mode: row.mode }]))
}

/** Returns a lookup from the id in the sums to the name of a group. */
async function readNames(pool: Pool, accountId: number, by: Grouping, ids: readonly string[], operations: Operations): Promise<(id: string) => Name> {
  const keys = by === 'key' ? await keyNames(pool, accountId, ids) : null
  return (id) => {
    if (id === others) return otherName
    if (by === 'status') return { id, name: id, mode: null }
    if (by === 'endpoint') return { id: operationId(operations, Number(id)), name: operationName(operations, Number(id)), mode: null }
    return keys?.get(id) ?? otherName
  }
}

function sumUp(rows: readonly GroupDayRow[]): Amounts {
  return rows.reduce((sum, row) => ({ calls: sum.calls + Number(row.calls), credits: sum.credits + Number(row.credits) }), { calls: 0, credits: 0 })
}

const toPercentiles = (histogram: ReadonlyMap<number, number>): Percentiles => ({ p50Ms: percentileMs(histogram, 0.5), p95Ms: percentileMs(histogram, 0.95) })

/** Returns latency histograms by group, and of all groups together. */
async function readHistograms(pool: Pool, accountId: number, { by, from, to }: UsageQuestion, ids: readonly string[]) {
  const groups = new Map<string, Map<number, number>>()
  const all = new Map<number, number>()
  for (const { id, bucket, requests } of await readLatency(pool, accountId, by, { from, to }, ids)) {
    const one = new Map([[bucket, Number(requests)]])
    const group = groups.get(id) ?? new Map<number, number>()
    groups.set(id, group)
    addTo(group, one)
    addTo(all, one)
  }
  return { groups, all }
}

/**
 * Builds a usage report. Reads sums only, never the log, so its cost doesn't depend on the number of calls. @throws RefusedError (400) for an invalid range.
 */
export async function usageReport(pool: Pool, accountId: number, question: UsageQuestion, operations: Operations): Promise<UsageReport> {
  const { by, from, to } = question
  const days = listDays(question)
  // Read before the sums, so that they are complete at least up to this time.
  const asOf = await readAsOf(pool)
  const rows = await readGroupDays(pool, accountId, by, { from, to }, maxGroups)
  const ids = [...new Set(rows.map(({ id }) => id))]
  const listed = ids.filter((id) => id !== others)
  const [getName, latency] = await Promise.all([readNames(pool, accountId, by, listed, operations), readHistograms(pool, accountId, question, listed)])
  const groups = ids
    .map((id) => ({ ...getName(id), ...sumUp(rows.filter((row) => row.id === id)), ...toPercentiles(latency.groups.get(id) ?? new Map()) }))
    .sort((a, b) => Number(a.id === 'other') - Number(b.id === 'other') || b.credits - a.credits || b.calls - a.calls || a.name.localeCompare(b.name))
  const byDay = Map.groupBy(rows, ({ day }) => day)
  const toPart = (row: GroupDayRow) => ({ id: getName(row.id).id, calls: Number(row.calls), credits: Number(row.credits) })
  return {
    from,
    to,
    asOf,
    by,
    totals: { ...sumUp(rows), ...toPercentiles(latency.all) },
    groups,
    days: days.map((day) => ({ day, parts: (byDay.get(day) ?? []).map(toPart) })),
  }
}
