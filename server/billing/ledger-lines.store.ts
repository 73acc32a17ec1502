import type { Pool } from 'pg'

/**
 * The place of a line in the order of an account's balances: microseconds since 1970, then what tells lines of one moment apart. Charges of one batch share
 * their moment and each lowers the balance, so the balance after them orders them; entries are ordered by their number. Texts hold whole numbers.
 */
export type LinePlace = { readonly at: string; readonly rank: string; readonly id: string }

export type LineRow = LinePlace & {
  readonly kind: string
  readonly credits: string
  readonly balance_after: string
  readonly actor: string
  readonly reason: string
  readonly reference: string | null
  /** Number of the endpoint and public id of the key, of a charge. */
  readonly endpoint: number | null
  readonly key: string | null
}

export type Direction = 'newest first' | 'oldest first'

/** Times are microseconds since 1970. A range takes in its beginning and not its end. */
export type LineRange = { readonly from: string; readonly to: string }

const micros = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint`
const moment = (parameter: string) => `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond')`

const orderOf = (direction: Direction) => (direction === 'newest first' ? ({ than: '<', by: 'DESC' } as const) : ({ than: '>', by: 'ASC' } as const))

/** The UTC days on which an account was charged, in order: what has been added up, and every day since then. A bound on days is a bound on reading. */
export async function readChargedDays(pool: Pool, accountId: number, range: LineRange, direction: Direction, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ day: string }>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day FROM (
       SELECT day FROM usage_day WHERE account_id = $1 AND credits > 0
       UNION SELECT generate_series((as_of AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date, interval '1 day')::date FROM usage_progress) d
     WHERE day >= (${moment('$2')} AT TIME ZONE 'UTC')::date AND day <= (${moment('$3')} AT TIME ZONE 'UTC')::date
     ORDER BY day ${orderOf(direction).by} LIMIT $4`,
    [accountId, range.from, range.to, limit],
  )
  return rows.map((row) => row.day)
}

/**
 * Charges of one UTC day, from a place on. Partitions go by the time of arrival in the id, which is a little before the moment of the charge; half an hour
 * on either side allows for that and for clocks that differ.
 */
export async function readCharges(pool: Pool, accountId: number, day: string, range: LineRange, after: LinePlace | null, direction: Direction, limit: number) {
  const { than, by } = orderOf(direction)
  const { rows } = await pool.query<LineRow>(
    `SELECT ${micros('l.at')}::text AS at, (-l.balance)::text AS rank, l.id::text AS id, 'charge' AS kind, (-l.credits)::text AS credits,
       l.balance::text AS balance_after, 'key' AS actor, '' AS reason, l.id::text AS reference, l.endpoint, k.public_id AS key
     FROM request_log l LEFT JOIN api_key k ON k.id = l.key_id
     WHERE l.account_id = $1 AND l.credits > 0
       AND l.id >= first_id_at($2::date::timestamp AT TIME ZONE 'UTC' - interval '30 minutes')
       AND l.id < first_id_at($2::date::timestamp AT TIME ZONE 'UTC' + interval '1 day 30 minutes')
       AND l.at >= $2::date::timestamp AT TIME ZONE 'UTC' AND l.at < $2::date::timestamp AT TIME ZONE 'UTC' + interval '1 day'
       AND l.at >= ${moment('$3')} AND l.at < ${moment('$4')}
       AND ($5::bigint IS NULL OR (l.at, -l.balance, l.id::text) ${than} (${moment('$5')}, $6::bigint, $7))
     ORDER BY l.at ${by}, -l.balance ${by}, l.id::text ${by} LIMIT $8`,
    [accountId, day, range.from, range.to, after?.at ?? null, after?.rank ?? null, after?.id ?? null, limit],
  )
  return rows
}

/** The place of a request's charge among the lines of its account. */
export async function findChargePlace(pool: Pool, accountId: number, request: string): Promise<LinePlace | undefined> {
  const { rows } = await pool.query<LinePlace>(
    `SELECT ${micros('at')}::text AS at, (-balance)::text AS rank, id::text AS id FROM request_log WHERE account_id = $1 AND id = $2::uuid AND credits > 0`,
    [accountId, request],
  )
  return rows[0]
}

/** Entries of the ledger, from a place on. */
export async function readEntries(pool: Pool, accountId: number, range: LineRange, after: LinePlace | null, direction: Direction, limit: number) {
  const { than, by } = orderOf(direction)
  const { rows } = await pool.query<LineRow>(
    `SELECT ${micros('e.at')}::text AS at, e.id::text AS rank, '' AS id, e.kind, e.credits::text AS credits, e.balance_after::text AS balance_after,
       e.actor, e.reason, e.reference, NULL::int AS endpoint, NULL AS key
     FROM ledger_entry e
     WHERE e.account_id = $1 AND e.at >= ${moment('$2')} AND e.at < ${moment('$3')}
       AND ($4::bigint IS NULL OR (e.at, e.id, '') ${than} (${moment('$4')}, $5::bigint, $6))
     ORDER BY e.at ${by}, e.id ${by} LIMIT $7`,
    [accountId, range.from, range.to, after?.at ?? null, after?.rank ?? null, after?.id ?? null, limit],
  )
  return rows
}
