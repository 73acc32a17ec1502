import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { type LogFilter, type Operations, operationId, operationName, toNumberedFilter } from './log-filter.ts'
import { addTo, toPercentiles } from './traffic.ts'
import { type Grain, type Grouping, type GroupRow, type HistogramRow, readGroups, readHistograms } from './usage.sql.ts'
import { readUsageRange, type UsageDates } from './usage-range.ts'

export type ReportQuestion = UsageDates & LogFilter & { readonly grain: Grain; readonly by: Grouping }

type Amounts = {
  readonly calls: number
  readonly credits: number
  /** Calls that got a 4xx response. */
  readonly rejected: number
  /** Calls that got a 5xx response. */
  readonly failed: number
}

/** Maximum number of groups in a report. The rest are combined into "Other". */
const maxGroups = 100
const others = '-1'

/** Endpoint, key or status in a report. `id` identifies it in URLs. */
type Name = { readonly id: string; readonly name: string; readonly mode: 'test' | 'live' | null }

const otherName: Name = { id: 'other', name: 'Other', mode: null }

/** Returns the public ids and names of an account's keys, keyed by the internal ids used in the totals. */
async function keyNames(db: Database, accountId: number, ids: readonly string[]): Promise<Map<string, Name>> {
  const select = { id: true, publicId: true, name: true, hint: true, mode: true } as const
  const keys = await db.apiKey.findMany({ where: { accountId, id: { in: ids.map(Number) } }, take: maxGroups, select })
  return new Map(keys.map(({ id, publicId, name, hint, mode }) => [String(id), { id: publicId, name: name === '' ? `svc_${mode}_…${hint}` : name, mode }]))
}

/** Returns a function that maps a group's id in the totals to its public id, name and mode. */
async function readNames(db: Database, accountId: number, by: Grouping, ids: readonly string[], operations: Operations): Promise<(id: string) => Name> {
  const keys = by === 'key' ? await keyNames(db, accountId, ids) : null
  return (id) => {
    if (id === others) return otherName
    if (by === 'status') return { id, name: id, mode: null }
    if (by === 'endpoint') return { id: operationId(operations, Number(id)), name: operationName(operations, Number(id)), mode: null }
    return keys?.get(id) ?? otherName
  }
}

const nothing: Amounts = { calls: 0, credits: 0, rejected: 0, failed: 0 }

function sumUp(rows: readonly GroupRow[]): Amounts {
  return rows.reduce(
    (sum, row) => ({
      calls: sum.calls + Number(row.calls),
      credits: sum.credits + Number(row.credits),
      rejected: sum.rejected + Number(row.rejected),
      failed: sum.failed + Number(row.failed),
    }),
    nothing,
  )
}

type Histograms = Map<string, Map<number, number>>

/** Returns the histograms of each group, of each period, and of all calls together. */
function collectHistograms(rows: readonly HistogramRow[]) {
  const [groups, periods, all]: [Histograms, Histograms, Map<number, number>] = [new Map(), new Map(), new Map()]
  for (const { id, period, bucket, requests } of rows) {
    const one = new Map([[bucket, Number(requests)]])
    const [into, name] = id === null ? [periods, period ?? ''] : [groups, id]
    const histogram = into.get(name) ?? new Map<number, number>()
    into.set(name, histogram)
    addTo(histogram, one)
    if (id !== null) addTo(all, one)
  }
  const percentiles = (from: Histograms, name: string) => toPercentiles(from.get(name) ?? new Map())
  return { ofGroup: (id: string) => percentiles(groups, id), ofPeriod: (period: string) => percentiles(periods, period), all: toPercentiles(all) }
}

/**
 * Builds a report of usage by UTC hour, day or month. `groups` is sorted by credits, highest first; each period's `parts` refer to groups by id. Percentiles
 * measure the time from a call's arrival to its admission decision. Reads the totals, and from the log only the calls that they don't include yet, so the report
 * agrees with the balance, and its cost doesn't depend on the number of calls. @throws RefusedError (400) for an invalid range.
 */
export async function usageReport(db: Database, accountId: number, question: ReportQuestion, operations: Operations) {
  const { by, grain } = question
  const { from, to, periods: all } = readUsageRange(question, grain)
  const filter = await toNumberedFilter(db, accountId, question, operations)
  const asOf = new Date(clock.now())
  // Omits the remaining hours of today.
  const periods = grain === 'hour' ? all.filter((period) => period <= asOf.toISOString()) : all
  // Read before the totals, so that they are complete at least up to then.
  const completeTo = (await db.usageProgress.findFirst({ select: { asOf: true } }))?.asOf ?? new Date(0)
  const numbered = filter === null ? null : { ...filter, from, to, grain, by }
  const rows = numbered === null ? [] : await readGroups(db, accountId, numbered, completeTo, maxGroups)
  const ids = [...new Set(rows.map(({ id }) => id))]
  const listed = ids.filter((id) => id !== others)
  const [getName, histograms] = await Promise.all([
    readNames(db, accountId, by, listed, operations),
    numbered === null ? [] : readHistograms(db, accountId, numbered, completeTo, listed),
  ])
  const latency = collectHistograms(histograms)
  const groups = ids
    .map((id) => ({ ...getName(id), ...sumUp(rows.filter((row) => row.id === id)), ...latency.ofGroup(id) }))
    .sort((a, b) => Number(a.id === 'other') - Number(b.id === 'other') || b.credits - a.credits || b.calls - a.calls || a.name.localeCompare(b.name))
  const byPeriod = Map.groupBy(rows, ({ period }) => period)
  const toPart = (row: GroupRow) => ({ id: getName(row.id).id, calls: Number(row.calls), credits: Number(row.credits) })
  return {
    grain,
    by,
    asOf,
    totals: { ...sumUp(rows), ...latency.all },
    groups,
    periods: periods.map((period) => {
      const own = byPeriod.get(period) ?? []
      return { period, parts: own.map(toPart), ...sumUp(own), ...latency.ofPeriod(period) }
    }),
  }
}
