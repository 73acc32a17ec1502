/** Reads ledger lines: entries, and charges from the partitioned request log, in microsecond order. Prisma has neither microseconds nor UNION. */
import type { Database } from '#server/db/prisma.ts'

/**
 * Sort position of a ledger line: microseconds since 1970, then a tie-breaker. Charges of one batch share a time, and each lowers the balance, so they are
 * ordered by the resulting balance; entries are ordered by id. `at` and `rank` are whole numbers as text.
 */
export type LinePosition = { readonly at: string; readonly rank: string; readonly id: string }

export type LineRow = LinePosition & {
  readonly kind: string
  readonly credits: string
  readonly balanceAfter: string
  readonly actor: string
  readonly reason: string
  readonly reference: string | null
  /** Endpoint number and public key id of a charge. */
  readonly endpoint: number | null
  readonly key: string | null
}

export type Direction = 'newest first' | 'oldest first'

/** Time range in microseconds since 1970; `from` is inclusive, `to` exclusive. */
export type LineRange = { readonly from: string; readonly to: string }

const micros = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint`
const timestamp = (parameter: string) => `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond')`

const toOrder = (direction: Direction) => (direction === 'newest first' ? ({ than: '<', by: 'DESC' } as const) : ({ than: '>', by: 'ASC' } as const))

/** Returns the UTC days on which the account may have been charged, in order: days with summed charges, and every day not yet summed. Bounds the log scan. */
export async function readChargedDays(db: Database, accountId: number, range: LineRange, direction: Direction, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ day: string }>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day FROM (
       SELECT day FROM usage_day WHERE account_id = $1 AND credits > 0
       UNION SELECT generate_series((as_of AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date, interval '1 day')::date FROM usage_progress) d
     WHERE day >= (${timestamp('$2')} AT TIME ZONE 'UTC')::date AND day <= (${timestamp('$3')} AT TIME ZONE 'UTC')::date
     ORDER BY day ${toOrder(direction).by} LIMIT $4`,
    [accountId, range.from, range.to, limit],
  )
  return rows.map((row) => row.day)
}

/**
 * Returns charges of one UTC day, after a position. Partitions follow the arrival time in the id, which is slightly earlier than the charge; a margin of half
 * an hour on either side allows for this delay and for clock differences between servers.
 */
export async function readCharges(
  db: Database,
  accountId: number,
  day: string,
  range: LineRange,
  after: LinePosition | null,
  direction: Direction,
  limit: number,
) {
  const { than, by } = toOrder(direction)
  const { rows } = await db.query<LineRow>(
    `SELECT ${micros('l.at')}::text AS at, (-l.balance)::text AS rank, l.id::text AS id, 'charge' AS kind, (-l.credits)::text AS credits,
       l.balance::text AS "balanceAfter", 'key' AS actor, '' AS reason, l.id::text AS reference, l.endpoint, k.public_id AS key
     FROM request_log l LEFT JOIN api_key k ON k.id = l.key_id
     WHERE l.account_id = $1 AND l.credits > 0
       AND l.id >= first_id_at($2::date::timestamp AT TIME ZONE 'UTC' - interval '30 minutes')
       AND l.id < first_id_at($2::date::timestamp AT TIME ZONE 'UTC' + interval '1 day 30 minutes')
       AND l.at >= $2::date::timestamp AT TIME ZONE 'UTC' AND l.at < $2::date::timestamp AT TIME ZONE 'UTC' + interval '1 day'
       AND l.at >= ${timestamp('$3')} AND l.at < ${timestamp('$4')}
       AND ($5::bigint IS NULL OR (l.at, -l.balance, l.id::text) ${than} (${timestamp('$5')}, $6::bigint, $7))
     ORDER BY l.at ${by}, -l.balance ${by}, l.id::text ${by} LIMIT $8`,
    [accountId, day, range.from, range.to, after?.at ?? null, after?.rank ?? null, after?.id ?? null, limit],
  )
  return rows
}

/** Returns the position of a request's charge in its account's ledger. */
export async function findChargePosition(db: Database, accountId: number, request: string): Promise<LinePosition | undefined> {
  const { rows } = await db.query<LinePosition>(
    `SELECT ${micros('at')}::text AS at, (-balance)::text AS rank, id::text AS id FROM request_log WHERE account_id = $1 AND id = $2::uuid AND credits > 0`,
    [accountId, request],
  )
  return rows[0]
}

/** Returns ledger entries, after a position. */
export async function readEntries(db: Database, accountId: number, range: LineRange, after: LinePosition | null, direction: Direction, limit: number) {
  const { than, by } = toOrder(direction)
  const { rows } = await db.query<LineRow>(
    `SELECT ${micros('e.at')}::text AS at, e.id::text AS rank, '' AS id, e.kind, e.credits::text AS credits, e.balance_after::text AS "balanceAfter",
       e.actor, e.reason, e.reference, NULL::int AS endpoint, NULL AS key
     FROM ledger_entry e
     WHERE e.account_id = $1 AND e.at >= ${timestamp('$2')} AND e.at < ${timestamp('$3')}
       AND ($4::bigint IS NULL OR (e.at, e.id, '') ${than} (${timestamp('$4')}, $5::bigint, $6))
     ORDER BY e.at ${by}, e.id ${by} LIMIT $7`,
    [accountId, range.from, range.to, after?.at ?? null, after?.rank ?? null, after?.id ?? null, limit],
  )
  return rows
}

type SumRow = { kind: string; before: string; within: string; hasMoved: boolean }

/**
 * Returns credits by kind before a month and within it, all in one snapshot: entries from the ledger, charges from the daily sums and from log rows not yet
 * summed. `first` is the first day of the month, `next` the first day of the next month.
 */
export async function readSums(db: Database, accountId: number, first: string, next: string): Promise<SumRow[]> {
  const { rows } = await db.query<SumRow>(
    `WITH bounds AS (SELECT $2::date::timestamp AT TIME ZONE 'UTC' AS lo, $3::date::timestamp AT TIME ZONE 'UTC' AS hi),
          moved AS (
            SELECT e.kind, e.credits, e.at FROM ledger_entry e WHERE e.account_id = $1
            UNION ALL SELECT 'charge', -u.credits, u.day::timestamp AT TIME ZONE 'UTC' FROM usage_day u WHERE u.account_id = $1 AND u.credits > 0
            UNION ALL SELECT 'charge', -l.credits, l.at FROM request_log l
              WHERE l.account_id = $1 AND l.credits > 0 AND l.tx >= (SELECT next_tx FROM usage_progress))
     SELECT kind, coalesce(sum(credits) FILTER (WHERE at < lo), 0)::text AS before, coalesce(sum(credits) FILTER (WHERE at >= lo), 0)::text AS within,
       count(*) FILTER (WHERE at >= lo) > 0 AS "hasMoved"
     FROM moved, bounds WHERE at < hi GROUP BY kind ORDER BY kind`,
    [accountId, first, next],
  )
  return rows
}
