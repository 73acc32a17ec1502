/** Database records of a round's accounts, read after all traffic has stopped. */
import type { Database } from '#server/db/prisma.ts'
import { addUpUsage } from '#server/metering/usage.ts'
import type { Cast } from './cast.ts'

export type Row = {
  id: string
  accountId: number
  keyId: number
  status: number
  error: number
  credits: number
  balance: number
  minute: number
  day: number
  month: number
}

export type KeyCounters = { keyId: number; live: boolean; minute: number; minuteUsed: number; month: number; monthSpent: number; cap: number | null }

export type AccountCounters = {
  accountId: number
  balance: number
  day: number
  dayUsed: number
  month: number
  monthSpent: number
  cap: number | null
  granted: number
}

export type LedgerSnapshot = {
  readonly rows: readonly Row[]
  /** Reversed credits by request id. */
  readonly reversed: ReadonlyMap<string, number>
  readonly keys: readonly KeyCounters[]
  readonly accounts: readonly AccountCounters[]
  /** Rejections counted instead of logged, by key and status. */
  readonly refused: ReadonlyMap<string, number>
  /** Id of the request charged for each `<account id> <Idempotency-Key>`, from the idempotency table. */
  readonly charging: ReadonlyMap<string, string>
}

const plainId = (column: string) => `replace(${column}, '-', '')`

export async function readLedger(pool: Database, cast: Cast): Promise<LedgerSnapshot> {
  const ids = [cast.accounts.map(({ account }) => account.id)]
  const [rows, reversed, keys, accounts, refused, charging] = await Promise.all([
    pool.query<Row>(
      `SELECT ${plainId('id::text')} AS id, account_id::int AS "accountId", key_id::int AS "keyId", status, error, credits, balance::int,
         floor(extract(epoch FROM at) / 60)::int AS minute, floor(extract(epoch FROM at) / 86400)::int AS day,
         (extract(year FROM at AT TIME ZONE 'UTC') * 12 + extract(month FROM at AT TIME ZONE 'UTC'))::int AS month
       FROM request_log WHERE account_id = ANY ($1)`,
      ids,
    ),
    pool.query<{ id: string; credits: number }>(
      `SELECT ${plainId('reference')} AS id, credits::int FROM ledger_entry WHERE kind = 'reversal' AND account_id = ANY ($1)`,
      ids,
    ),
    pool.query<KeyCounters>(
      `SELECT key_id::int AS "keyId", live, minute, minute_used AS "minuteUsed", month, month_spent::int AS "monthSpent", month_cap::int AS cap
       FROM key_meter WHERE account_id = ANY ($1)`,
      ids,
    ),
    pool.query<AccountCounters>(
      `SELECT w.account_id::int AS "accountId", w.balance::int, w.day, w.day_used AS "dayUsed",
         w.month, w.month_spent::int AS "monthSpent", w.month_cap::int AS cap,
         (SELECT coalesce(sum(e.credits), 0)::int FROM ledger_entry e WHERE e.account_id = w.account_id AND e.reason = 'Chaos.') AS granted
       FROM wallet w WHERE w.account_id = ANY ($1)`,
      ids,
    ),
    pool.query<{ name: string; requests: number }>(
      `SELECT key_id || ' ' || status AS name, sum(requests)::int AS requests FROM refused_calls WHERE account_id = ANY ($1) GROUP BY key_id, status`,
      ids,
    ),
    pool.query<{ name: string; id: string }>(
      `SELECT account_id || ' ' || key AS name, ${plainId('request_id::text')} AS id FROM idempotency WHERE account_id = ANY ($1)`,
      ids,
    ),
  ])
  return {
    rows: rows.rows,
    reversed: new Map(reversed.rows.map((row) => [row.id, row.credits])),
    keys: keys.rows,
    accounts: accounts.rows,
    refused: new Map(refused.rows.map((row) => [row.name, row.requests])),
    charging: new Map(charging.rows.map((row) => [row.name, row.id])),
  }
}

/** Describes how the totals of the rolled-up usage differ from those of the log; null if they agree. */
export async function usageFault(pool: Database): Promise<string | null> {
  await addUpUsage(pool)
  const { rows } = await pool.query<{ log: string; usage: string }>(
    `SELECT (SELECT count(*) FROM request_log) + (SELECT coalesce(sum(requests), 0) FROM refused_calls) || ' requests, '
              || (SELECT coalesce(sum(credits), 0) FROM request_log) || ' credits' AS log,
            (SELECT coalesce(sum(requests), 0) || ' requests, ' || coalesce(sum(credits), 0) || ' credits' FROM usage_day) AS usage`,
  )
  const row = rows[0]
  return row && row.log === row.usage ? null : `the log has ${row?.log}, but the usage figures have ${row?.usage}`
}
