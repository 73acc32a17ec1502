import type { Pool, PoolClient } from 'pg'

export async function isKeptHash(client: Pool | PoolClient, hash: Buffer): Promise<boolean> {
  return (await client.query('SELECT FROM api_key WHERE hash = $1', [hash])).rowCount === 1
}

/** Returns public ids of an account's unrevoked keys with this name, at most 1,000. */
export async function readIdsNamed(client: Pool | PoolClient, accountId: number, name: string): Promise<string[]> {
  const { rows } = await client.query<{ public_id: string }>(
    'SELECT public_id FROM api_key WHERE account_id = $1 AND name = $2 AND revoked_at IS NULL ORDER BY id LIMIT 1000',
    [accountId, name],
  )
  return rows.map(({ public_id }) => public_id)
}
