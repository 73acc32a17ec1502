import type { Pool } from 'pg'
import { scopeNames } from '#server/api/contract/access.ts'
import { dataLicence } from '#server/api/contract/envelope.ts'

const noLimit = 1_000_000_000

/** An account with one key. Its ids are valid on every shard: they come from one place, not from a sequence per shard. */
export type Home = { readonly accountId: number; readonly keyHash: Buffer }

/** Creates the directory: key hash to account. It is small, rarely changes, and every gateway caches its entries. */
export async function fillDirectory(pool: Pool, homes: readonly Home[]): Promise<void> {
  await pool.query('CREATE TABLE key_home (hash bytea PRIMARY KEY, account_id bigint NOT NULL)')
  await pool.query('INSERT INTO key_home SELECT * FROM unnest($1::bytea[], $2::bigint[])', [
    homes.map(({ keyHash }) => keyHash),
    homes.map(({ accountId }) => accountId),
  ])
}

export async function findHome(pool: Pool, keyHash: Buffer): Promise<number | null> {
  const { rows } = await pool.query<{ account_id: string }>({
    name: 'find-home',
    text: 'SELECT account_id FROM key_home WHERE hash = $1',
    values: [keyHash],
  })
  return rows[0] ? Number(rows[0].account_id) : null
}

/** Creates the accounts of one shard, each with these credits and a key with the same id as the account. */
export async function fillShard(pool: Pool, homes: readonly Home[], credits: number): Promise<void> {
  const ids = homes.map(({ accountId }) => accountId)
  await pool.query(
    `INSERT INTO account (id, public_id, email, plan, state, own_per_minute, own_per_day, email_verified_at, accepted_licence)
     SELECT g, 'acc_shard' || g, g || '@shards.bench.test', 'enterprise', 'open', $2, $2, now(), $3 FROM unnest($1::bigint[]) g`,
    [ids, noLimit, dataLicence],
  )
  await pool.query('INSERT INTO wallet (account_id, balance, day_limit, minute_limit) SELECT g, $2::bigint, $3::int, $3::int FROM unnest($1::bigint[]) g', [
    ids,
    credits,
    noLimit,
  ])
  await pool.query(
    `INSERT INTO ledger_entry (account_id, kind, credits, balance_after, actor, reason)
     SELECT g, 'adjustment', $2::bigint, $2::bigint, 'bench', 'First credits.' FROM unnest($1::bigint[]) g`,
    [ids, credits],
  )
  await pool.query(
    `INSERT INTO api_key (id, public_id, account_id, hash, mode, hint, scopes)
     SELECT g, 'key_shard' || g, g, hash, 'live', 'shrd', $3::text[] FROM unnest($1::bigint[], $2::bytea[]) AS t(g, hash)`,
    [ids, homes.map(({ keyHash }) => keyHash), scopeNames],
  )
  await pool.query('INSERT INTO key_meter (key_id, account_id, live) SELECT g, g, true FROM unnest($1::bigint[]) g', [ids])
}

/** Net charges of each account on a shard: charged minus refunded credits. */
export async function readSpent(pool: Pool): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ account_id: string; credits: string }>(
    `SELECT w.account_id, coalesce((SELECT sum(r.credits) FROM request_log r WHERE r.account_id = w.account_id), 0)
       - coalesce((SELECT sum(e.credits) FROM ledger_entry e WHERE e.account_id = w.account_id AND e.kind = 'reversal'), 0) AS credits
     FROM wallet w WHERE EXISTS (SELECT FROM api_key k WHERE k.account_id = w.account_id AND k.hint = 'shrd')`,
  )
  return new Map(rows.map((row) => [Number(row.account_id), Number(row.credits)]))
}

/** Requests in the log of a shard, with their accounts. */
export async function loggedOn(pool: Pool): Promise<{ id: string; accountId: number }[]> {
  const { rows } = await pool.query<{ id: string; account_id: string }>("SELECT replace(id::text, '-', '') AS id, account_id FROM request_log")
  return rows.map((row) => ({ id: row.id, accountId: Number(row.account_id) }))
}
