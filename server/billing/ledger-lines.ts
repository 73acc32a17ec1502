import type { Database } from '#server/db/prisma.ts'
import { publicRequestId } from '#server/ids.ts'
import { type BillingDeps, BillingError } from './billing-deps.ts'
import {
  type Direction,
  type EntryKind,
  findChargePosition,
  type LinePosition,
  type LineQuery,
  type LineRange,
  type LineRow,
  readChargedDays,
  readCharges,
  readEntries,
} from './ledger.sql.ts'

export type LineKind = EntryKind | 'charge'

/** Endpoints of the API. `no` is the number that the request log stores for an endpoint. */
export type Endpoints = readonly { readonly no: number; readonly method: string; readonly path: string }[]

const topUpKinds = new Set(['top_up', 'refund', 'dispute'])
const requestKinds = new Set(['charge', 'reversal'])

function getCall(no: number | null, endpoints: Endpoints): string | null {
  const found = endpoints.find((one) => one.no === no)
  return found ? `${found.method} ${found.path}` : null
}

/**
 * Converts a row to a ledger line: a charge or an entry. `credits` is signed; `balanceCredits` is the balance after it. The kind determines what `reference`
 * refers to.
 */
export function toLedgerLine(row: LineRow, endpoints: Endpoints) {
  const { kind, reference } = row
  return {
    at: new Date(Number(BigInt(row.at) / 1_000n)).toISOString(),
    kind: kind as LineKind,
    credits: Number(row.credits),
    balanceCredits: Number(row.balanceAfter),
    /** Origin of the movement: `key`, `account`, `auto top-up`, `operator`, `stripe`, `system` or `service`. */
    actor: row.actor,
    reason: row.reason,
    /** Request that was charged for, or whose charge was reversed. */
    request: reference !== null && requestKinds.has(kind) ? publicRequestId(reference.replaceAll('-', '')) : null,
    /** Top-up that was bought, refunded or disputed. */
    topUp: topUpKinds.has(kind) ? reference : null,
    /** Webhook delivery that was charged for. */
    delivery: kind === 'webhook' ? reference : null,
    /** Endpoint that was called, such as `GET /rates`. `key` is the key that was used. */
    endpoint: getCall(row.endpoint, endpoints),
    key: row.key,
  }
}

export type LedgerLine = ReturnType<typeof toLedgerLine>

const dayBatchSize = 62

/** Returns the start of a UTC day, plus a number of days, in microseconds. */
const toMicros = (day: string, offsetDays: number): string => String((Date.parse(day) + offsetDays * 86_400_000) * 1_000)

/** Streams rows page by page, beginning after the position of the query. */
async function* streamPages(read: (after: LinePosition | null) => Promise<LineRow[]>, { after, batchSize }: LineQuery): AsyncGenerator<LineRow> {
  let position = after
  for (;;) {
    const rows = await read(position)
    yield* rows
    position = rows.at(-1) ?? null
    if (rows.length < batchSize) return
  }
}

/**
 * Returns the part of a query's range that is left after its position `after`. Charges are read by day, so the day of that position is read again; the query
 * for that day skips the charges up to the position.
 */
function getRemainingRange({ range, direction, after }: LineQuery): LineRange {
  if (after === null) return range
  return direction === 'newest first' ? { from: range.from, to: after.at } : { from: after.at, to: range.to }
}

/** Returns the part of the range that comes after a day, in the reading direction. */
function getRangeAfterDay(range: LineRange, day: string, direction: Direction): LineRange {
  if (direction === 'oldest first') return { from: toMicros(day, 1), to: range.to }
  return { from: range.from, to: String(BigInt(toMicros(day, 0)) - 1n) }
}

async function* streamCharges(db: Database, accountId: number, query: LineQuery): AsyncGenerator<LineRow> {
  let remaining = getRemainingRange(query)
  for (;;) {
    const days = await readChargedDays(db, accountId, remaining, query.direction, dayBatchSize)
    for (const day of days) yield* streamPages((after) => readCharges(db, accountId, day, query, after), query)
    const last = days.at(-1)
    if (last === undefined || days.length < dayBatchSize) return
    remaining = getRangeAfterDay(remaining, last, query.direction)
  }
}

/** Returns true if `a` is older than `b`. */
function isBefore(a: LinePosition, b: LinePosition): boolean {
  if (a.at !== b.at) return BigInt(a.at) < BigInt(b.at)
  return a.rank === b.rank ? a.id < b.id : BigInt(a.rank) < BigInt(b.rank)
}

/** Streams the ledger lines of an account in order. Keeps at most one batch of entries and one batch of charges in memory. */
export async function* streamLines(db: Database, accountId: number, query: LineQuery): AsyncGenerator<LineRow> {
  const entries = streamPages((after) => readEntries(db, accountId, query, after), query)
  const charges = streamCharges(db, accountId, query)
  let [entry, charge] = await Promise.all([entries.next(), charges.next()])
  const isNewestFirst = query.direction === 'newest first'
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

const maxRows = 100
const everything = { from: '0', to: String(8_640_000_000_000_000n) } as const
/** Format of a cursor. Its numbers have at most 18 digits, so that they fit into a PostgreSQL bigint. */
const cursorForm = /^(\d{1,18})_(-?\d{1,18})_([0-9a-f-]{0,36})$/

const toCursor = ({ at, rank, id }: LinePosition): string => `${at}_${rank}_${id}`

function parseCursor(cursor: string | null): LinePosition | null {
  if (cursor === null) return null
  const [, at, rank, id] = cursorForm.exec(cursor) ?? []
  if (at === undefined || rank === undefined || id === undefined) throw new BillingError("This isn't a ledger cursor. Start again without a cursor.")
  return { at, rank, id }
}

const requestForm = /^req_([0-9a-f]{32})$/

/** Returns the position directly before the charge of a request; null if the request is unknown, was not charged or belongs to another account. */
async function findPositionBefore({ pool: db }: BillingDeps, accountId: number, request: string): Promise<LinePosition | null> {
  const [, id] = requestForm.exec(request) ?? []
  const charge = id === undefined ? undefined : await findChargePosition(db, accountId, id)
  return charge ? { at: charge.at, rank: String(BigInt(charge.rank) + 1n), id: '' } : null
}

type LedgerPageRequest = {
  /** `nextCursor` of the previous page; null for the newest lines. */
  readonly cursor: string | null
  /** Id of a request, as an alternative to a cursor: the page starts at the charge for this request, or at the newest line if it was not charged. */
  readonly request: string | null
  readonly limit: number
}

/** Returns a page of an account's ledger, newest first: every charge and entry with the balance after it. Consecutive pages leave no gaps. */
export async function getLedgerPage(deps: BillingDeps, accountId: number, { cursor, request, limit }: LedgerPageRequest, endpoints: Endpoints) {
  const { pool: db } = deps
  const wanted = Math.min(Math.max(1, limit), maxRows)
  const after = request === null ? parseCursor(cursor) : await findPositionBefore(deps, accountId, request)
  const query = { range: everything, direction: 'newest first', after, batchSize: wanted + 1 } as const
  const lines: LedgerLine[] = []
  let last: LinePosition | null = null
  for await (const row of streamLines(db, accountId, query)) {
    if (lines.length === wanted) return { lines, nextCursor: last && toCursor(last) }
    lines.push(toLedgerLine(row, endpoints))
    last = row
  }
  return { lines, nextCursor: null }
}
