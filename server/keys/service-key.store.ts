import type { Pool, PoolClient } from 'pg'

export type ServiceKeyRow = {
  readonly publicId: string
  readonly accountId: number
  readonly hash: Buffer
  readonly name: string
  readonly hint: string
  readonly scopes: readonly string[]
  readonly minuteLimit: number
}

/** Inserts a test key and its counters, unless another process already has. */
export async function insertServiceKey(pool: Pool, key: ServiceKeyRow): Promise<void> {
  await pool.query(
    `WITH k AS (
       INSERT INTO api_key (public_id, account_id, hash, mode, name, hint, scopes) VALUES ($1, $2, $3, 'test', $4, $5, $6)
       ON CONFLICT (hash) DO NOTHING RETURNING id, account_id)
     INSERT INTO key_meter (key_id, account_id, live, own_minute_limit) SELECT id, account_id, false, $7 FROM k`,
    [key.publicId, key.accountId, key.hash, key.name, key.hint, key.scopes, key.minuteLimit],
  )
}

/** SQL condition for a service key that no longer works: it was revoked, or its account was closed. */
const isInactive = `(k.revoked_at IS NOT NULL OR m.ends_at IS NOT NULL OR EXISTS (SELECT FROM account a WHERE a.id = k.account_id AND a.closed_at IS NOT NULL))`

/** Returns the account of a service key that no longer works, or null if it works. */
export async function readHolderOfLost(db: Pool | PoolClient, hash: Buffer): Promise<number | null> {
  const { rows } = await db.query<{ account_id: string }>(
    `SELECT k.account_id FROM api_key k JOIN key_meter m ON m.key_id = k.id WHERE k.hash = $1 AND ${isInactive}`,
    [hash],
  )
  return rows[0] ? Number(rows[0].account_id) : null
}

/** Reactivates a service key and moves it to the given account. Both accounts' wallets must be locked. The new version makes every process reload it. */
export async function reviveServiceKey(client: PoolClient, hash: Buffer, accountId: number): Promise<void> {
  await client.query(
    `WITH revived AS (
       UPDATE api_key SET account_id = $2, revoked_at = NULL, expires_at = NULL
       FROM (SELECT k.id FROM api_key k JOIN key_meter m ON m.key_id = k.id WHERE k.hash = $1 AND ${isInactive}) lost WHERE api_key.id = lost.id RETURNING api_key.id)
     UPDATE key_meter m SET account_id = $2, ends_at = NULL, version = m.version + 1 FROM revived WHERE m.key_id = revived.id`,
    [hash, accountId],
  )
}
