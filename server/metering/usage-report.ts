import { dayMs, isoDay, parseDay } from '#server/api/contract/dates.ts'
import { invalid } from '#server/api/contract/errors.ts'
import { csvLine } from '#server/api/contract/formats.ts'
import type { Price } from '#server/api/contract/price-kinds.ts'
import type { Database } from '#server/db/prisma.ts'
import { addTo, toPercentiles } from './traffic.ts'
import { type DayRange, type GroupDayRow, type Grouping, readGroupDays, readLatency, type UsageQuestion } from './usage.sql.ts'

/** API endpoint. `no` is its number in the request log. */
type Operation = { readonly no: number; readonly id: string; readonly method: string; readonly path: string; readonly price: Price }

export type Operations = readonly Operation[]

/** Number that the request log stores for calls to unknown paths. */
const unknownPath = 0

const find = (operations: Operations, no: number) => operations.find((operation) => operation.no === no)

/** Returns the display name, such as `GET /rates`, of the endpoint with this number in the request log. */
export function operationName(operations: Operations, no: number): string {
  const known = find(operations, no)
  if (known) return `${known.method} ${known.path}`
  return no === unknownPath ? 'Unknown path' : `Endpoint ${no}`
}

/** Returns the id, as used in portal URLs, of the endpoint with this number in the request log. */
export const operationId = (operations: Operations, no: number): string => find(operations, no)?.id ?? (no === unknownPath ? 'unknown' : String(no))

/** Returns the number that the request log stores for an endpoint id from a portal URL; null if the id is unknown. */
export const operationNo = (operations: Operations, id: string): number | null =>
  id === 'unknown' ? unknownPath : (operations.find((operation) => operation.id === id)?.no ?? null)

const maxDays = 92

/** Returns all dates of a range, in order. @throws RefusedError (400) if the range is invalid or too long. */
function listDays({ from, to }: DayRange): string[] {
  const [first, last] = [parseDay(from), parseDay(to)]
  if (first === null || last === null || last < first) throw invalid('"from" and "to" must be dates such as 2026-11-21, and "from" must not be after "to".')
  const count = (last.getTime() - first.getTime()) / dayMs + 1
  if (count > maxDays) throw invalid(`A usage range can't exceed ${maxDays} days.`)
  return Array.from({ length: count }, (_, index) => isoDay(first.getTime() + index * dayMs))
}

type Amounts = { readonly calls: number; readonly credits: number }

/** Maximum number of groups in a report. The rest are combined into "Other". */
const maxGroups = 100
const others = '-1'

/** Endpoint, key or status in a report. `id` identifies it in URLs. */
type Name = { readonly id: string; readonly name: string; readonly mode: 'test' | 'live' | null }

const otherName: Name = { id: 'other', name: 'Other', mode: null }

/** Returns the public ids and names of an account's keys, keyed by the internal ids used in the daily totals. */
async function keyNames(db: Database, accountId: number, ids: readonly string[]): Promise<Map<string, Name>> {
  const select = { id: true, publicId: true, name: true, hint: true, mode: true } as const
  const keys = await db.apiKey.findMany({ where: { accountId, id: { in: ids.map(Number) } }, take: maxGroups, select })
  return new Map(keys.map(({ id, publicId, name, hint, mode }) => [String(id), { id: publicId, name: name === '' ? `svc_${mode}_…${hint}` : name, mode }]))
}

/** Returns a function that maps a group's id in the daily totals to its public id, name and mode. */
async function readNames(db: Database, accountId: number, by: Grouping, ids: readonly string[], operations: Operations): Promise<(id: string) => Name> {
  const keys = by === 'key' ? await keyNames(db, accountId, ids) : null
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

/** Returns a latency histogram for each group, and one for all groups together. */
async function readHistograms(db: Database, accountId: number, question: UsageQuestion, ids: readonly string[]) {
  const groups = new Map<string, Map<number, number>>()
  const all = new Map<number, number>()
  for (const { id, bucket, requests } of await readLatency(db, accountId, question, ids)) {
    const one = new Map([[bucket, Number(requests)]])
    const group = groups.get(id) ?? new Map<number, number>()
    groups.set(id, group)
    addTo(group, one)
    addTo(all, one)
  }
  return { groups, all }
}

/**
 * Builds a report of usage by UTC day, complete up to `asOf`. `groups` is sorted by credits, highest first; each day's `parts` refer to groups by id.
 * Percentiles measure the time from a call's arrival to its admission decision. Reads only the daily totals, not the log, so its cost doesn't depend on the
 * number of calls. @throws RefusedError (400) for an invalid range.
 */
export async function usageReport(db: Database, accountId: number, question: UsageQuestion, operations: Operations) {
  const { by, from, to } = question
  const days = listDays(question)
  // `asOf` is read before the totals, so that the totals are complete at least up to then.
  const asOf = (await db.usageProgress.findFirst({ select: { asOf: true } }))?.asOf ?? new Date(0)
  const rows = await readGroupDays(db, accountId, question, maxGroups)
  const ids = [...new Set(rows.map(({ id }) => id))]
  const listed = ids.filter((id) => id !== others)
  const [getName, latency] = await Promise.all([readNames(db, accountId, by, listed, operations), readHistograms(db, accountId, question, listed)])
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

const head = ['day', 'endpoint', 'key', 'keyName', 'mode', 'status', 'calls', 'credits'] as const

/**
 * Streams usage as CSV, one chunk per day and one line per endpoint, key and status. The totals match the usage page.
 * @throws RefusedError (400) for an invalid range, before the first chunk.
 */
export function exportUsage(db: Database, accountId: number, range: DayRange, operations: Operations): AsyncGenerator<string> {
  const days = listDays(range)
  return chunks(db, accountId, days, operations)
}

const maxLines = 100_000

/** Reads the usage of one day in full detail: by endpoint, key and status. */
async function readDay(db: Database, accountId: number, day: string) {
  const where = { accountId, day: new Date(day) }
  const rows = await db.usageDay.findMany({ where, orderBy: [{ endpoint: 'asc' }, { keyId: 'asc' }, { status: 'asc' }], take: maxLines })
  const keyIds = [...new Set(rows.map(({ keyId }) => keyId))]
  const keys = await db.apiKey.findMany({ where: { id: { in: keyIds } }, take: maxLines, select: { id: true, publicId: true, name: true, mode: true } })
  const byId = new Map(keys.map((key) => [key.id, key]))
  return rows.map((row) => ({ ...row, key: byId.get(row.keyId) }))
}

async function* chunks(db: Database, accountId: number, days: readonly string[], operations: Operations): AsyncGenerator<string> {
  yield csvLine(head)
  for (const day of days) {
    const rows = await readDay(db, accountId, day)
    const lines = rows.map(({ endpoint, key, status, requests, credits }) =>
      csvLine([
        day,
        operationName(operations, endpoint),
        ...(key ? [key.publicId, key.name, key.mode] : ['', '', '']),
        status,
        Number(requests),
        Number(credits),
      ]),
    )
    if (lines.length > 0) yield lines.join('')
  }
}
