/** Posts to the ledger and reads it together with the request log, in one snapshot each: Prisma has no UNION, and its queries would see different snapshots. */
import type { ClientBase } from 'pg'
import type { Database, Db } from '#server/db/prisma.ts'
import { queryWithin } from '#server/db/transaction.ts'

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

/** Ten minutes, because adding up the whole log takes longer than the timeouts for pages and calls allow. */
const verifyTimeoutMs = 600_000

type DifferenceRow = { account: string | null; balance: string; sum: string; accounts: string }

const differencesSql = `WITH charged AS (
      SELECT account_id, sum(credits) AS credits
      FROM (SELECT account_id, credits FROM request_log UNION ALL SELECT account_id, credits FROM dropped_charge) c GROUP BY account_id),
    entered AS (SELECT account_id, sum(credits) AS credits FROM ledger_entry GROUP BY account_id),
    totals AS (
      SELECT a.public_id AS account, w.balance, coalesce(e.credits, 0) - coalesce(c.credits, 0) AS sum
      FROM wallet w JOIN account a ON a.id = w.account_id
      LEFT JOIN entered e ON e.account_id = w.account_id LEFT JOIN charged c ON c.account_id = w.account_id)
  SELECT account, balance, sum, 0 AS accounts FROM totals WHERE balance <> sum
  UNION ALL SELECT NULL, 0, 0, count(*) FROM totals ORDER BY account NULLS LAST`

/**
 * Returns accounts whose balance differs from the sum of its entries: ledger entries, minus the charges in the request log and in dropped log days. Reads one
 * snapshot, so that a charge in progress is either in both or in neither.
 */
export async function readDifferences(db: Database): Promise<LedgerReport> {
  return toReport(await queryWithin<DifferenceRow>(db, verifyTimeoutMs, differencesSql, []))
}

/** Does the same as `readDifferences`, but with the snapshot and the time limit of the caller's transaction. */
export async function readDifferencesWithin(client: ClientBase): Promise<LedgerReport> {
  return toReport((await client.query<DifferenceRow>(differencesSql)).rows)
}

function toReport(rows: readonly DifferenceRow[]): LedgerReport {
  const accounts = Number(rows.at(-1)?.accounts ?? 0)
  return { accounts, differences: rows.slice(0, -1).map((row) => ({ account: row.account ?? '', balance: Number(row.balance), sum: Number(row.sum) })) }
}

type MovedRow = { day: string; credits: string; toppedUp: string; balance: string }

/**
 * Returns the balance movements by UTC day since a date, and the current balance, all in one snapshot: entries from the ledger, charges from the daily sums and
 * from log rows not yet summed. A row with an empty day contains only the balance.
 */
export async function readMovements(db: Database, accountId: number, from: string): Promise<MovedRow[]> {
  const { rows } = await db.query<MovedRow>(
    `WITH moved AS (
       SELECT (e.at AT TIME ZONE 'UTC')::date AS day, e.credits, CASE WHEN e.kind = 'top_up' THEN e.credits ELSE 0 END AS topped_up
         FROM ledger_entry e WHERE e.account_id = $1 AND e.at >= $2::date::timestamp AT TIME ZONE 'UTC'
       UNION ALL SELECT u.day, -u.credits, 0 FROM usage_day u WHERE u.account_id = $1 AND u.credits > 0 AND u.day >= $2::date
       UNION ALL SELECT (l.at AT TIME ZONE 'UTC')::date, -l.credits, 0 FROM request_log l
         WHERE l.account_id = $1 AND l.credits > 0 AND l.tx >= (SELECT next_tx FROM usage_progress)),
     days AS (SELECT day, sum(credits) AS credits, sum(topped_up) AS topped_up FROM moved GROUP BY day)
     SELECT coalesce(to_char(d.day, 'YYYY-MM-DD'), '') AS day, coalesce(d.credits, 0)::text AS credits, coalesce(d.topped_up, 0)::text AS "toppedUp",
       w.balance::text AS balance
     FROM wallet w LEFT JOIN days d ON true WHERE w.account_id = $1 ORDER BY 1 LIMIT 100`,
    [accountId, from],
  )
  return rows
}

/** Returns the credits charged to an account in the current UTC month, minus reversals. */
export async function readMonthSpent(db: Database, accountId: number): Promise<number> {
  const { rows } = await db.query<{ spent: string }>('SELECT spent_in_month(wallet, clock_timestamp()) AS spent FROM wallet WHERE account_id = $1', [accountId])
  return Number(rows[0]?.spent ?? 0)
}

/** Ten minutes, because the query adds up the ledger entries of every top-up. */
const unbalancedTimeoutMs = 600_000

type Unbalanced = { topUp: string; kind: string; expected: string; entered: string }

/** Returns top-ups whose ledger entries don't add up to their recorded state. Any result is a bug. */
export async function readUnbalancedTopUps(db: Database, limit: number): Promise<Unbalanced[]> {
  return queryWithin<Unbalanced>(
    db,
    unbalancedTimeoutMs,
    `WITH expected AS (
       SELECT t.public_id, k.kind, k.credits FROM top_up t
       CROSS JOIN LATERAL (VALUES ('top_up', t.entered_credits), ('refund', -t.refunded_credits), ('dispute', -t.disputed_credits)) k(kind, credits)),
     entered AS (
       SELECT reference, kind, sum(credits)::bigint AS credits FROM ledger_entry WHERE kind IN ('top_up', 'refund', 'dispute') GROUP BY reference, kind)
     SELECT coalesce(x.public_id, e.reference, '') AS "topUp", coalesce(x.kind, e.kind) AS kind, coalesce(x.credits, 0)::text AS expected,
       coalesce(e.credits, 0)::text AS entered
     FROM expected x FULL JOIN entered e ON e.reference = x.public_id AND e.kind = x.kind
     WHERE coalesce(x.credits, 0) <> coalesce(e.credits, 0) ORDER BY 1, 2 LIMIT $1`,
    [limit],
  )
}
