import type { Pool } from 'pg'
import { publicRequestId } from '#server/ids.ts'
import type { EntryKind } from './ledger.store.ts'
import { type Direction, type LinePlace, type LineRange, type LineRow, readChargedDays, readCharges, readEntries } from './ledger-lines.store.ts'

export type LineKind = EntryKind | 'charge'

/** A line of the ledger: a charge or an entry. `credits` is signed; `balanceCredits` is the line before it plus `credits`. */
export type LedgerLine = {
  readonly at: string
  readonly kind: LineKind
  readonly credits: number
  readonly balanceCredits: number
  /** Who moved the credits: `key`, `account`, `auto top-up`, `operator`, `stripe`, `system` or `service`. */
  readonly actor: string
  readonly reason: string
  /** The request of a charge, and of what was given back for one. */
  readonly request: string | null
  /** The top-up that was bought, refunded or disputed. */
  readonly topUp: string | null
  /** The delivery of a webhook that was charged. */
  readonly delivery: string | null
  /** What was called, such as `GET /rates`, and the key that called it. */
  readonly endpoint: string | null
  readonly key: string | null
}

/** An endpoint as the request log numbers it. */
export type NumberedEndpoint = { readonly no: number; readonly method: string; readonly path: string }

const ofTopUp = new Set(['top_up', 'refund', 'dispute'])
const ofRequest = new Set(['charge', 'reversal'])

function callOf(no: number | null, endpoints: readonly NumberedEndpoint[]): string | null {
  const found = endpoints.find((one) => one.no === no)
  return found ? `${found.method} ${found.path}` : null
}

/** What a line refers to follows from its kind. */
export function lineFromDb(row: LineRow, endpoints: readonly NumberedEndpoint[]): LedgerLine {
  const { kind, reference } = row
  return {
    at: new Date(Number(BigInt(row.at) / 1_000n)).toISOString(),
    kind: kind as LineKind,
    credits: Number(row.credits),
    balanceCredits: Number(row.balance_after),
    actor: row.actor,
    reason: row.reason,
    request: reference !== null && ofRequest.has(kind) ? publicRequestId(reference.replaceAll('-', '')) : null,
    topUp: ofTopUp.has(kind) ? reference : null,
    delivery: kind === 'webhook' ? reference : null,
    endpoint: callOf(row.endpoint, endpoints),
    key: row.key,
  }
}

export type Reading = {
  readonly range: LineRange
  readonly direction: Direction
  /** The place behind which reading begins; null: at the beginning of the range. */
  readonly after: LinePlace | null
  /** Rows that are fetched at a time. */
  readonly batch: number
}

const daysAtOnce = 62

/** The beginning of a UTC day, or of one some days later, in microseconds. */
const microsOf = (day: string, later: number): string => String((Date.parse(day) + later * 86_400_000) * 1_000)

async function* entriesOf(pool: Pool, accountId: number, { range, direction, after, batch }: Reading): AsyncGenerator<LineRow> {
  let place = after
  for (;;) {
    const rows = await readEntries(pool, accountId, range, place, direction, batch)
    yield* rows
    place = rows.at(-1) ?? null
    if (rows.length < batch) return
  }
}

async function* chargesOfDay(pool: Pool, accountId: number, day: string, { range, direction, after, batch }: Reading): AsyncGenerator<LineRow> {
  let place = after
  for (;;) {
    const rows = await readCharges(pool, accountId, day, range, place, direction, batch)
    yield* rows
    place = rows.at(-1) ?? null
    if (rows.length < batch) return
  }
}

/** What is left of a range behind a place; the day of the place is read again, from the place on. */
function restOf({ range, direction, after }: Reading): LineRange {
  if (after === null) return range
  return direction === 'newest first' ? { from: range.from, to: after.at } : { from: after.at, to: range.to }
}

/** What is left of a range behind a day. */
function restBehind(range: LineRange, day: string, direction: Direction): LineRange {
  if (direction === 'oldest first') return { from: microsOf(day, 1), to: range.to }
  return { from: range.from, to: String(BigInt(microsOf(day, 0)) - 1n) }
}

async function* chargesOf(pool: Pool, accountId: number, reading: Reading): AsyncGenerator<LineRow> {
  let range = restOf(reading)
  for (;;) {
    const days = await readChargedDays(pool, accountId, range, reading.direction, daysAtOnce)
    for (const day of days) yield* chargesOfDay(pool, accountId, day, reading)
    const last = days.at(-1)
    if (last === undefined || days.length < daysAtOnce) return
    range = restBehind(range, last, reading.direction)
  }
}

/** Whether `a` comes before `b` in time. */
function isBefore(a: LinePlace, b: LinePlace): boolean {
  if (a.at !== b.at) return BigInt(a.at) < BigInt(b.at)
  return a.rank === b.rank ? a.id < b.id : BigInt(a.rank) < BigInt(b.rank)
}

/** The lines of an account in order. Only a batch of them is held at a time, however many there are. */
export async function* linesOf(pool: Pool, accountId: number, reading: Reading): AsyncGenerator<LineRow> {
  const [entries, charges] = [entriesOf(pool, accountId, reading), chargesOf(pool, accountId, reading)]
  let [entry, charge] = await Promise.all([entries.next(), charges.next()])
  const isNewestFirst = reading.direction === 'newest first'
  while (!entry.done || !charge.done) {
    const takesEntry = charge.done || (!entry.done && isBefore(entry.value, charge.value) !== isNewestFirst)
    if (takesEntry && !entry.done) {
      yield entry.value
      entry = await entries.next()
    } else if (!charge.done) {
      yield charge.value
      charge = await charges.next()
    }
  }
}
