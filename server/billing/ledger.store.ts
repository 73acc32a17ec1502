import type { ClientBase } from 'pg'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { queryWithin } from '#server/db/transaction.ts'

export type EntryKind = 'starter' | 'top_up' | 'adjustment' | 'reversal' | 'refund' | 'dispute' | 'webhook'

export type NewEntry = { accountId: number; kind: EntryKind; credits: number; actor: string; reason: string; reference: string | null }

/** Changes a balance and records the entry, in one statement. Returns the new balance in credits; null if the account has no wallet. */
export async function insertEntry(db: Db, entry: NewEntry): Promise<number | null> {
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

/** Ten minutes, because adding up the whole log takes longer than the timeouts of pages and calls. */
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
export async function readDifferences(pool: Database): Promise<LedgerReport> {
  return toReport(await queryWithin<DifferenceRow>(pool, verifyTimeoutMs, differencesSql, []))
}

/** Does the same as `readDifferences`, but with the snapshot and the time limit of the caller's transaction. */
export async function readDifferencesWithin(client: ClientBase): Promise<LedgerReport> {
  return toReport((await client.query<DifferenceRow>(differencesSql)).rows)
}

function toReport(rows: readonly DifferenceRow[]): LedgerReport {
  const accounts = Number(rows.at(-1)?.accounts ?? 0)
  return { accounts, differences: rows.slice(0, -1).map((row) => ({ account: row.account ?? '', balance: Number(row.balance), sum: Number(row.sum) })) }
}

export type LedgerLine = { kind: string; credits: number; balanceAfter: number; at: string }

/** Returns the latest ledger lines of an account, including charges, oldest first. */
export async function readLedger(pool: Database, accountId: number, max: number): Promise<LedgerLine[]> {
  const { rows } = await pool.query<{ kind: string; credits: string; balance_after: string; at: Date }>(
    `SELECT * FROM (
       SELECT kind, credits, balance_after, at FROM ledger_entry WHERE account_id = $1
       UNION ALL SELECT 'charge', -credits, balance, at FROM request_log WHERE account_id = $1 AND credits > 0
       ORDER BY at DESC LIMIT $2) last ORDER BY at`,
    [accountId, max],
  )
  return rows.map((row) => ({ kind: row.kind, credits: Number(row.credits), balanceAfter: Number(row.balance_after), at: row.at.toISOString() }))
}

type MovedRow = { day: string; credits: string; topped_up: string; balance: string }

/**
 * Returns the balance movements by UTC day since a date, and the current balance, all in one snapshot: entries from the ledger, charges from the daily sums and
 * from log rows not yet summed. A row with an empty day only carries the balance.
 */
export async function readMovements(pool: Database, accountId: number, from: string): Promise<MovedRow[]> {
  const { rows } = await pool.query<MovedRow>(
    `WITH moved AS (
       SELECT (e.at AT TIME ZONE 'UTC')::date AS day, e.credits, CASE WHEN e.kind = 'top_up' THEN e.credits ELSE 0 END AS topped_up
         FROM ledger_entry e WHERE e.account_id = $1 AND e.at >= $2::date::timestamp AT TIME ZONE 'UTC'
       UNION ALL SELECT u.day, -u.credits, 0 FROM usage_day u WHERE u.account_id = $1 AND u.credits > 0 AND u.day >= $2::date
       UNION ALL SELECT (l.at AT TIME ZONE 'UTC')::date, -l.credits, 0 FROM request_log l
         WHERE l.account_id = $1 AND l.credits > 0 AND l.tx >= (SELECT next_tx FROM usage_progress)),
     days AS (SELECT day, sum(credits) AS credits, sum(topped_up) AS topped_up FROM moved GROUP BY day)
     SELECT coalesce(to_char(d.day, 'YYYY-MM-DD'), '') AS day, coalesce(d.credits, 0)::text AS credits, coalesce(d.topped_up, 0)::text AS topped_up,
       w.balance::text AS balance
     FROM wallet w LEFT JOIN days d ON true WHERE w.account_id = $1 ORDER BY 1 LIMIT 100`,
    [accountId, from],
  )
  return rows
}

type OverviewRow = { balance: string; debt_kind: string | null; debt_credits: string | null; debt_at: Date | null }

/** Returns the balance and, if it is below zero, the entry that took it there. */
export async function readOverview(pool: Database, accountId: number): Promise<OverviewRow | undefined> {
  const { rows } = await pool.query<OverviewRow>(
    `SELECT w.balance, d.kind AS debt_kind, (-d.credits)::text AS debt_credits, d.at AS debt_at
     FROM wallet w LEFT JOIN LATERAL (
       SELECT e.kind, e.credits, e.at FROM ledger_entry e
       WHERE w.balance < 0 AND e.account_id = w.account_id AND e.credits < 0 AND e.balance_after < 0 ORDER BY e.at DESC, e.id DESC LIMIT 1) d ON true
     WHERE w.account_id = $1`,
    [accountId],
  )
  return rows[0]
}

type CapRow = { month_cap: string | null; month_spent: string }

const columns = 'month_cap, spent_in_month(wallet, clock_timestamp()) AS month_spent'

/** Returns the cap of an account and its spend in the current UTC month. */
export async function readCap(pool: Database, accountId: number): Promise<CapRow | undefined> {
  const { rows } = await pool.query<CapRow>(`SELECT ${columns} FROM wallet WHERE account_id = $1`, [accountId])
  return rows[0]
}

/** Sets the cap and returns the previous one. The charging statement reads it under the same lock, so it applies from the next call on. */
export async function writeCap(client: Transaction, accountId: number, cap: number | null): Promise<string | null> {
  const { rows } = await client.query<{ month_cap: string | null }>('SELECT month_cap FROM wallet WHERE account_id = $1 FOR NO KEY UPDATE', [accountId])
  await client.query('UPDATE wallet SET month_cap = $2 WHERE account_id = $1', [accountId, cap])
  return rows[0]?.month_cap ?? null
}
