import type { Pool, PoolClient } from 'pg'

/**
 * SQL condition for a confirmed account with at least one active key, including keys in a rotation overlap. The service's own accounts have no confirmed
 * address.
 */
const holdsKey = `a.email_verified_at IS NOT NULL AND a.closed_at IS NULL
  AND EXISTS (SELECT FROM api_key k WHERE k.account_id = a.id AND (least(k.revoked_at, k.expires_at) <= now()) IS NOT TRUE)`

export async function readKeyHolders(client: PoolClient, after: number, upTo: number): Promise<{ id: string; email: string }[]> {
  const { rows } = await client.query<{ id: string; email: string }>(
    `SELECT a.id, a.email FROM account a WHERE a.id > $1 AND a.id <= $2 AND ${holdsKey} ORDER BY a.id`,
    [after, upTo],
  )
  return rows
}

export async function countHolders(db: Pool | PoolClient): Promise<number> {
  const { rows } = await db.query<{ n: number }>(`SELECT count(*)::int AS n FROM account a WHERE ${holdsKey}`)
  return rows[0]?.n ?? 0
}

/** Finds the public id of the account that owns a key, by the key's public id or hash. */
export async function readHolder(pool: Pool, key: { publicId: string } | { hash: Buffer }): Promise<string | null> {
  const [column, value] = 'hash' in key ? ['hash', key.hash] : ['public_id', key.publicId]
  const { rows } = await pool.query<{ public_id: string }>(`SELECT a.public_id FROM api_key k JOIN account a ON a.id = k.account_id WHERE k.${column} = $1`, [
    value,
  ])
  return rows[0]?.public_id ?? null
}
