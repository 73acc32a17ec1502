import { BillingError, type BillingRoom } from './billing-room.ts'
import { findChargePlace, type LinePlace } from './ledger-lines.store.ts'
import { type LedgerLine, lineFromDb, linesOf, type NumberedEndpoint } from './ledger-lines.ts'

const mostRows = 100
const everything = { from: '0', to: String(8_640_000_000_000_000n) } as const
/** Numbers of up to eighteen digits, which the database can read. */
const cursorForm = /^(\d{1,18})_(-?\d{1,18})_([0-9a-f-]{0,36})$/

const cursorOf = ({ at, rank, id }: LinePlace): string => `${at}_${rank}_${id}`

function placeOf(cursor: string | null): LinePlace | null {
  if (cursor === null) return null
  const [, at, rank, id] = cursorForm.exec(cursor) ?? []
  if (at === undefined || rank === undefined || id === undefined) throw new BillingError('This page of the ledger does not exist.')
  return { at, rank, id }
}

const requestForm = /^req_([0-9a-f]{32})$/

/** The place from which the charge of a request is the next line; null when it has none, or is of somebody else. */
async function placeBefore({ pool }: BillingRoom, accountId: number, request: string): Promise<LinePlace | null> {
  const [, id] = requestForm.exec(request) ?? []
  const charge = id === undefined ? undefined : await findChargePlace(pool, accountId, id)
  return charge ? { at: charge.at, rank: String(BigInt(charge.rank) + 1n), id: '' } : null
}

export type LedgerAsk = {
  /** What the page before gave; null: from the newest line on. */
  readonly cursor: string | null
  /** A request whose charge is to be the first line, in place of a cursor. One that was not charged leads to the newest line. */
  readonly request: string | null
  readonly limit: number
}

/** A page of an account's ledger, newest first: every charge and every entry with the balance after it, without a gap between two pages. */
export async function ledgerPage(room: BillingRoom, accountId: number, { cursor, request, limit }: LedgerAsk, endpoints: readonly NumberedEndpoint[]) {
  const { pool } = room
  const wanted = Math.min(Math.max(1, limit), mostRows)
  const after = request === null ? placeOf(cursor) : await placeBefore(room, accountId, request)
  const reading = { range: everything, direction: 'newest first', after, batch: wanted + 1 } as const
  const lines: LedgerLine[] = []
  let last: LinePlace | null = null
  for await (const row of linesOf(pool, accountId, reading)) {
    if (lines.length === wanted) return { lines, nextCursor: last && cursorOf(last) }
    lines.push(lineFromDb(row, endpoints))
    last = row
  }
  return { lines, nextCursor: null }
}
