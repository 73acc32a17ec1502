import type { ClientBase, Pool, PoolClient } from 'pg'
import { queryWithin } from '#server/db/query-within.ts'

export type EntryKind = 'starter' | 'top_up' | 'adjustment' | 'reversal' | 'refund' | 'dispute' | 'webhook'

export type NewEntry = { accountId: number; kind: EntryKind; credits: number; actor: string; reason: string; reference: string | null }

/** Changes a balance and records the entry, in one statement. Returns the new balance in credits; null if the account has no wallet. */
export async function insertEntry(db: Pool | PoolClient, entry: NewEntry): Promise<number | null> {
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
export async function readDifferences(pool: Pool): Promise<LedgerReport> {
  return toReport(await queryWithin<DifferenceRow>(pool, verifyTimeoutMs, differencesSql, []))
}

/** Runs the same check within the caller's transaction, with its snapshot and time limit. */
export async function readDifferencesWithin(client: ClientBase): Promise<LedgerReport> {
  return toReport((await client.query<DifferenceRow>(differencesSql)).rows)
}

function toReport(rows: readonly DifferenceRow[]): LedgerReport {
  const accounts = Number(rows.at(-1)?.accounts ?? 0)
  return { accounts, differences: rows.slice(0, -1).map((row) => ({ account: row.account ?? '', balance: Number(row.balance), sum: Number(row.sum) })) }
}

export type LedgerLine = { kind: string; credits: number; balanceAfter: number; at: string }

/** Returns the latest ledger lines of an account, including charges, oldest first. */
export async function readLedger(pool: Pool, accountId: number, max: number): Promise<LedgerLine[]> {
  const { rows } = await pool.query<{ kind: string; credits: string; balance_after: string; at: Date }>(
    `SELECT * FROM (
       SELECT kind, credits, balance_after, at FROM ledger_entry WHERE account_id = $1
       UNION ALL SELECT 'charge', -credits, balance, at FROM request_log WHERE account_id = $1 AND credits > 0
       ORDER BY at DESC LIMIT $2) last ORDER BY at`,
    [accountId, max],
  )
  return rows.map((row) => ({ kind: row.kind, credits: Number(row.credits), balanceAfter: Number(row.balance_after), at: row.at.toISOString() }))
}
