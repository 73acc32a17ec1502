import type { Pool } from 'pg'
import { addTo, percentileMs } from './latency.ts'
import { type Operations, operationId, operationName } from './operations.ts'
import { daysOf } from './usage-range.ts'
import { type DayRange, type GroupDayRow, type Grouping, readAsOf, readGroupDays, readKeyNames, readLatency } from './usage-report.store.ts'

type Amounts = { readonly calls: number; readonly credits: number }

/** Times that half and 95 in 100 of the calls stayed below, from arrival to decision; null without calls. */
type Times = { readonly p50Ms: number | null; readonly p95Ms: number | null }

/** An endpoint, a key or a status with what it used. `id` is what an address calls it. */
export type UsageGroup = Amounts & Times & { readonly id: string; readonly name: string; readonly mode: 'test' | 'live' | null }

/** Usage of UTC days, complete up to `asOf`. Groups with the most credits come first; each day names its groups by their id. */
export type UsageReport = DayRange & {
  readonly asOf: Date
  readonly by: Grouping
  readonly totals: Amounts & Times
  readonly groups: readonly UsageGroup[]
  readonly days: readonly { readonly day: string; readonly parts: readonly (Amounts & { readonly id: string })[] }[]
}

export type UsageQuestion = DayRange & { readonly by: Grouping }

/** Groups that are told one by one; those beyond are one group. */
const mostGroups = 100
const others = '-1'

type Name = Pick<UsageGroup, 'id' | 'name' | 'mode'>

const otherName: Name = { id: 'other', name: 'Other', mode: null }

async function keyNames(pool: Pool, accountId: number, ids: readonly string[]): Promise<Map<string, Name>> {
  const rows = await readKeyNames(pool, accountId, ids)
  return new Map(rows.map((row) => [row.id, { id: row.public_id, name: row.name === '' ? `svc_${row.mode}_…${row.hint}` : row.name, mode: row.mode }]))
}

/** What each group is called, by its id in the sums. */
async function namesOf(pool: Pool, accountId: number, by: Grouping, ids: readonly string[], operations: Operations): Promise<(id: string) => Name> {
  const keys = by === 'key' ? await keyNames(pool, accountId, ids) : null
  return (id) => {
    if (id === others) return otherName
    if (by === 'status') return { id, name: id, mode: null }
    if (by === 'endpoint') return { id: operationId(operations, Number(id)), name: operationName(operations, Number(id)), mode: null }
    return keys?.get(id) ?? otherName
  }
}

function sumOf(rows: readonly GroupDayRow[]): Amounts {
  return rows.reduce((sum, row) => ({ calls: sum.calls + Number(row.calls), credits: sum.credits + Number(row.credits) }), { calls: 0, credits: 0 })
}

const timesOf = (histogram: ReadonlyMap<number, number>): Times => ({ p50Ms: percentileMs(histogram, 0.5), p95Ms: percentileMs(histogram, 0.95) })

/** Durations by group, and of all groups together. */
async function latencyOf(pool: Pool, accountId: number, { by, from, to }: UsageQuestion, ids: readonly string[]) {
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

/** Reads sums alone, never the log, so that it costs the same whatever the number of calls. @throws RefusedError (400) for a range that is none. */
export async function usageReport(pool: Pool, accountId: number, question: UsageQuestion, operations: Operations): Promise<UsageReport> {
  const { by, from, to } = question
  const days = daysOf(question)
  // Read before the sums, so that they hold at least what it promises.
  const asOf = await readAsOf(pool)
  const rows = await readGroupDays(pool, accountId, by, { from, to }, mostGroups)
  const ids = [...new Set(rows.map(({ id }) => id))]
  const told = ids.filter((id) => id !== others)
  const [nameOf, latency] = await Promise.all([namesOf(pool, accountId, by, told, operations), latencyOf(pool, accountId, question, told)])
  const groups = ids
    .map((id) => ({ ...nameOf(id), ...sumOf(rows.filter((row) => row.id === id)), ...timesOf(latency.groups.get(id) ?? new Map()) }))
    .sort((a, b) => Number(a.id === 'other') - Number(b.id === 'other') || b.credits - a.credits || b.calls - a.calls || a.name.localeCompare(b.name))
  const byDay = Map.groupBy(rows, ({ day }) => day)
  const partOf = (row: GroupDayRow) => ({ id: nameOf(row.id).id, calls: Number(row.calls), credits: Number(row.credits) })
  return {
    from,
    to,
    asOf,
    by,
    totals: { ...sumOf(rows), ...timesOf(latency.all) },
    groups,
    days: days.map((day) => ({ day, parts: (byDay.get(day) ?? []).map(partOf) })),
  }
}
