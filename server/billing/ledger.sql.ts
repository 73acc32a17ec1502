/**
 * Posts to the ledger and reads it together with the request log, in one snapshot and in microsecond order. Uses raw SQL, because Prisma has no UNION and no
 * microseconds, and separate queries would see different snapshots.
 */
import type { ClientBase } from 'pg'
import type { Database, Db } from '#server/db/prisma.ts'
import { inLongTransaction } from '#server/db/transaction.ts'

export type EntryKind = 'starter' | 'top_up' | 'adjustment' | 'reversal' | 'refund' | 'dispute' | 'webhook'

export type NewEntry = { accountId: number; kind: EntryKind; credits: number; actor: string; reason: string; reference: string | null }

/** Changes a balance and records the entry, in one statement. Returns the new balance in credits; null if the account has no wallet. */
export async function enterCredits(db: Db, entry: NewEntry): Promise<number | null> {
  const { rows } = await db.query<{ balance: string | null }>('SELECT enter_credits($1, $2, $3, $4, $5, $6) AS balance', [
    entry.accountId,
    entry.kind,
    entry.credits,
    entry.actor,
    entry.reason,
    entry.reference,
  ])
  const balance = rows[0]?.balance ?? null
  return balance === null ? null : Number(balance)
}

export type LedgerDifference = { account: string; balance: number; sum: number }

export type LedgerReport = { accounts: number; differences: LedgerDifference[] }

type DifferenceRow = { account: string | null; balance: string; sum: string; accounts: string }

/** On a Citus cluster, each shard computes its totals in one statement. A UNION would be evaluated first, so its charges could be older than the balances. */
const differencesSql = `WITH logged AS (SELECT account_id, sum(credits) AS credits FROM request_log GROUP BY account_id),
    entered AS (SELECT account_id, sum(credits) AS credits FROM ledger_entry GROUP BY account_id),
    totals AS MATERIALIZED (
      SELECT w.account_id, w.balance, coalesce(e.credits, 0) - coalesce(l.credits, 0) - coalesce(d.credits, 0) AS sum
      FROM wallet w LEFT JOIN entered e ON e.account_id = w.account_id LEFT JOIN logged l ON l.account_id = w.account_id
        LEFT JOIN dropped_charge d ON d.account_id = w.account_id)
  SELECT a.public_id AS account, t.balance, t.sum, 0 AS accounts FROM totals t JOIN account a ON a.id = t.account_id WHERE t.balance <> t.sum
  UNION ALL SELECT NULL, 0, 0, count(*) FROM totals ORDER BY account NULLS LAST`

/**
 * Returns accounts whose balance differs from the sum of its entries: ledger entries, minus the charges in the request log and in dropped log days. Reads one
 * snapshot, so that a charge in progress is included in both the balance and the sum, or in neither.
 */
export async function readDifferences(client: Pick<ClientBase, 'query'>): Promise<LedgerReport> {
  const { rows } = await client.query<DifferenceRow>(differencesSql)
  const accounts = Number(rows.at(-1)?.accounts ?? 0)
  return { accounts, differences: rows.slice(0, -1).map((row) => ({ account: row.account ?? '', balance: Number(row.balance), sum: Number(row.sum) })) }
}

type MovedRow = { day: string; credits: string; toppedUp: string; added: string; balance: string }

/**
 * Returns the balance movements by UTC day since a date, and the current balance, all in one snapshot: entries from the ledger, charges from the daily sums and
 * from log rows not yet summed. A row with an empty day contains only the balance.
 */
export async function readMovements(db: Database, accountId: number, from: string): Promise<MovedRow[]> {
  const { rows } = await db.query<MovedRow>(
    `WITH moved AS (
       SELECT (e.at AT TIME ZONE 'UTC')::date AS day, e.credits, CASE WHEN e.kind = 'top_up' THEN e.credits ELSE 0 END AS topped_up,
           greatest(e.credits, 0) AS added
         FROM ledger_entry e WHERE e.account_id = $1 AND e.at >= $2::date::timestamp AT TIME ZONE 'UTC'
       UNION ALL SELECT u.day, -u.credits, 0, 0 FROM usage_day u WHERE u.account_id = $1 AND u.credits > 0 AND u.day >= $2::date
       UNION ALL SELECT (l.at AT TIME ZONE 'UTC')::date, -l.credits, 0, 0 FROM request_log l
         WHERE l.account_id = $1 AND l.credits > 0 AND l.tx >= (SELECT next_tx FROM usage_progress)),
     days AS (SELECT day, sum(credits) AS credits, sum(topped_up) AS topped_up, sum(added) AS added FROM moved GROUP BY day)
     SELECT coalesce(to_char(d.day, 'YYYY-MM-DD'), '') AS day, coalesce(d.credits, 0)::text AS credits, coalesce(d.topped_up, 0)::text AS "toppedUp",
       coalesce(d.added, 0)::text AS added, w.balance::text AS balance
     FROM wallet w LEFT JOIN days d ON true WHERE w.account_id = $1 ORDER BY 1 LIMIT 100`,
    [accountId, from],
  )
  return rows
}

/** Returns the credits charged to an account in the current UTC month, minus reversals. */
export async function readMonthSpent(db: Database, accountId: number): Promise<number> {
  const { rows } = await db.query<{ spent: string }>('SELECT spent_in_month($1::int, clock_timestamp()) AS spent', [accountId])
  return Number(rows[0]?.spent ?? 0)
}

/** Ten minutes, because the query adds up the ledger entries of every top-up. */
const unbalancedTimeoutMs = 600_000

const unbalancedSql = `WITH expected AS (
    SELECT t.public_id, k.kind, k.credits FROM top_up t
    CROSS JOIN LATERAL (VALUES ('top_up', t.entered_credits), ('refund', -t.refunded_credits), ('dispute', -t.disputed_credits)) k(kind, credits)),
  entered AS (
    SELECT reference, kind, sum(credits)::bigint AS credits FROM ledger_entry WHERE kind IN ('top_up', 'refund', 'dispute') GROUP BY reference, kind)
  SELECT coalesce(x.public_id, e.reference, '') AS "topUp", coalesce(x.kind, e.kind) AS kind, coalesce(x.credits, 0)::text AS expected,
    coalesce(e.credits, 0)::text AS entered
  FROM expected x FULL JOIN entered e ON e.reference = x.public_id AND e.kind = x.kind
  WHERE coalesce(x.credits, 0) <> coalesce(e.credits, 0) ORDER BY 1, 2 LIMIT $1`

type Unbalanced = { topUp: string; kind: string; expected: string; entered: string }

/** Returns top-ups whose ledger entries don't add up to their recorded state. Any result is a bug. */
export async function readUnbalancedTopUps(db: Database, limit: number): Promise<Unbalanced[]> {
  return inLongTransaction(db, unbalancedTimeoutMs, async (tx) => (await tx.query<Unbalanced>(unbalancedSql, [limit])).rows)
}

/**
 * Sort position of a ledger line: microseconds since 1970, then a tie-breaker. Charges of one batch share a timestamp, and each lowers the balance, so they are
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

export type LineQuery = {
  readonly range: LineRange
  readonly direction: Direction
  /** Position to continue after; null to start at the beginning of the range. */
  readonly after: LinePosition | null
  /** Rows per query. */
  readonly batchSize: number
}

const micros = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint`
const timestamp = (parameter: string) => `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond')`

const toOrder = (direction: Direction) => (direction === 'newest first' ? ({ than: '<', by: 'DESC' } as const) : ({ than: '>', by: 'ASC' } as const))

/**
 * Returns the UTC days on which the account may have been charged, in order: days with charges in the daily sums, and all days not yet summed. Limits how much
 * of the log is scanned.
 */
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
 * Returns charges of one UTC day, after a position. The log is partitioned by the arrival time encoded in the id, which is slightly earlier than the charge; a
 * margin of half an hour on either side allows for this delay and for clock skew between servers.
 */
export async function readCharges(db: Database, accountId: number, day: string, { range, direction, batchSize }: LineQuery, after: LinePosition | null) {
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
    [accountId, day, range.from, range.to, after?.at ?? null, after?.rank ?? null, after?.id ?? null, batchSize],
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
export async function readEntries(db: Database, accountId: number, { range, direction, batchSize }: LineQuery, after: LinePosition | null) {
  const { than, by } = toOrder(direction)
  const { rows } = await db.query<LineRow>(
    `SELECT ${micros('e.at')}::text AS at, e.id::text AS rank, '' AS id, e.kind, e.credits::text AS credits, e.balance_after::text AS "balanceAfter",
       e.actor, e.reason, e.reference, NULL::int AS endpoint, NULL AS key
     FROM ledger_entry e
     WHERE e.account_id = $1 AND e.at >= ${timestamp('$2')} AND e.at < ${timestamp('$3')}
       AND ($4::bigint IS NULL OR (e.at, e.id, '') ${than} (${timestamp('$4')}, $5::bigint, $6))
     ORDER BY e.at ${by}, e.id ${by} LIMIT $7`,
    [accountId, range.from, range.to, after?.at ?? null, after?.rank ?? null, after?.id ?? null, batchSize],
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
