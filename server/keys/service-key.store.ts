import type { Pool } from 'pg'

export type ServiceKeyRow = {
  readonly publicId: string
  readonly accountId: number
  readonly hash: Buffer
  readonly name: string
  readonly hint: string
  readonly scopes: readonly string[]
  readonly minuteLimit: number
}

/** Writes a test key and its counters; does nothing when another process was first. */
export async function insertServiceKey(pool: Pool, key: ServiceKeyRow): Promise<void> {
  await pool.query(
    `WITH k AS (
       INSERT INTO api_key (public_id, account_id, hash, mode, name, hint, scopes) VALUES ($1, $2, $3, 'test', $4, $5, $6)
       ON CONFLICT (hash) DO NOTHING RETURNING id, account_id)
     INSERT INTO key_meter (key_id, account_id, live, own_minute_limit) SELECT id, account_id, false, $7 FROM k`,
    [key.publicId, key.accountId, key.hash, key.name, key.hint, key.scopes, key.minuteLimit],
  )
}
