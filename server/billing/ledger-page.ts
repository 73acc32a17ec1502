import { type BillingDeps, BillingError } from './billing-deps.ts'
import { findChargePosition, type LinePosition } from './ledger-lines.store.ts'
import { type LedgerLine, lineFromDb, type NumberedEndpoint, streamLines } from './ledger-lines.ts'

const maxRows = 100
const everything = { from: '0', to: String(8_640_000_000_000_000n) } as const
/** Up to 18 digits, which fit into a PostgreSQL bigint. */
const cursorForm = /^(\d{1,18})_(-?\d{1,18})_([0-9a-f-]{0,36})$/

const toCursor = ({ at, rank, id }: LinePosition): string => `${at}_${rank}_${id}`

function parseCursor(cursor: string | null): LinePosition | null {
  if (cursor === null) return null
  const [, at, rank, id] = cursorForm.exec(cursor) ?? []
  if (at === undefined || rank === undefined || id === undefined) throw new BillingError('Unknown ledger cursor.')
  return { at, rank, id }
}

const requestForm = /^req_([0-9a-f]{32})$/

/** Returns the position directly before the charge of a request; null if the request is unknown, was not charged or belongs to another account. */
async function findPositionBefore({ pool }: BillingDeps, accountId: number, request: string): Promise<LinePosition | null> {
  const [, id] = requestForm.exec(request) ?? []
  const charge = id === undefined ? undefined : await findChargePosition(pool, accountId, id)
  return charge ? { at: charge.at, rank: String(BigInt(charge.rank) + 1n), id: '' } : null
}

export type LedgerPageRequest = {
  /** `nextCursor` of the previous page; null for the newest lines. */
  readonly cursor: string | null
  /** Starts at the charge of this request instead of a cursor. A request that was not charged starts at the newest line. */
  readonly request: string | null
  readonly limit: number
}

/** Returns a page of an account's ledger, newest first: every charge and entry with the balance after it. Consecutive pages leave no gaps. */
export async function getLedgerPage(
  deps: BillingDeps,
  accountId: number,
  { cursor, request, limit }: LedgerPageRequest,
  endpoints: readonly NumberedEndpoint[],
) {
  const { pool } = deps
  const wanted = Math.min(Math.max(1, limit), maxRows)
  const after = request === null ? parseCursor(cursor) : await findPositionBefore(deps, accountId, request)
  const query = { range: everything, direction: 'newest first', after, batchSize: wanted + 1 } as const
  const lines: LedgerLine[] = []
  let last: LinePosition | null = null
  for await (const row of streamLines(pool, accountId, query)) {
    if (lines.length === wanted) return { lines, nextCursor: last && toCursor(last) }
    lines.push(lineFromDb(row, endpoints))
    last = row
  }
  return { lines, nextCursor: null }
}
