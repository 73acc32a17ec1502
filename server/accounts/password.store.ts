import type { PoolClient } from 'pg'

export async function writePasswordHash(client: PoolClient, id: number, passwordHash: string): Promise<void> {
  await client.query('UPDATE account SET password_hash = $2 WHERE id = $1', [id, passwordHash])
}
