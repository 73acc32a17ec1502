import { BillingError, type BillingRoom } from './billing-room.ts'
import type { LinePlace } from './ledger-lines.store.ts'
import { type LedgerLine, lineFromDb, linesOf } from './ledger-lines.ts'

const mostRows = 100
const everything = { from: '0', to: String(8_640_000_000_000_000n) } as const
const cursorForm = /^(\d{1,20})_(-?\d{1,20})_([0-9a-f-]{0,36})$/

const cursorOf = ({ at, rank, id }: LinePlace): string => `${at}_${rank}_${id}`

function placeOf(cursor: string | null): LinePlace | null {
  if (cursor === null) return null
  const [, at, rank, id] = cursorForm.exec(cursor) ?? []
  if (at === undefined || rank === undefined || id === undefined) throw new BillingError('This page of the ledger does not exist.')
  return { at, rank, id }
}

/**
 * A page of an account's ledger, newest first: every charge and every entry with the balance after it, without a gap between two pages.
 * `cursor` is what the page before gave.
 */
export async function ledgerPage({ pool }: BillingRoom, accountId: number, { cursor, limit }: { cursor: string | null; limit: number }) {
  const wanted = Math.min(Math.max(1, limit), mostRows)
  const reading = { range: everything, direction: 'newest first', after: placeOf(cursor), batch: wanted + 1 } as const
  const lines: LedgerLine[] = []
  let last: LinePlace | null = null
  for await (const row of linesOf(pool, accountId, reading)) {
    if (lines.length === wanted) return { lines, nextCursor: last && cursorOf(last) }
    lines.push(lineFromDb(row))
    last = row
  }
  return { lines, nextCursor: null }
}
