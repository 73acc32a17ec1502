import type { Pool, PoolClient } from 'pg'

/** The confirmed addresses of all accounts that have a key which works now or lies in its last hours. Accounts of the service itself have no such address. */
export async function readKeyHolders(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ email: string }>(
    `SELECT a.email FROM account a WHERE a.email_verified_at IS NOT NULL AND a.closed_at IS NULL
       AND EXISTS (SELECT FROM api_key k WHERE k.account_id = a.id AND (least(k.revoked_at, k.expires_at) <= now()) IS NOT TRUE)
     ORDER BY a.id`,
  )
  return rows.map(({ email }) => email)
}

/** Public id of the account that a key is of, by the key's own id or by its hash. */
export async function readHolder(pool: Pool, key: { publicId: string } | { hash: Buffer }): Promise<string | null> {
  const [column, value] = 'hash' in key ? ['hash', key.hash] : ['public_id', key.publicId]
  const { rows } = await pool.query<{ public_id: string }>(`SELECT a.public_id FROM api_key k JOIN account a ON a.id = k.account_id WHERE k.${column} = $1`, [
    value,
  ])
  return rows[0]?.public_id ?? null
}
