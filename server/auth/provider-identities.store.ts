import type { Pool, PoolClient } from 'pg'

type Db = Pool | PoolClient

export async function findIdentity(db: Db, issuer: string, subject: string): Promise<string | null> {
  const { rows } = await db.query<{ public_id: string }>(
    'SELECT a.public_id FROM provider_identity i JOIN account a ON a.id = i.account_id WHERE i.issuer = $1 AND i.subject = $2 AND a.closed_at IS NULL',
    [issuer, subject],
  )
  return rows[0]?.public_id ?? null
}

/** Lets an identity sign in to an account; false when it signs in to one already. */
export async function insertIdentity(client: PoolClient, issuer: string, subject: string, accountId: number): Promise<boolean> {
  const { rowCount } = await client.query(
    'INSERT INTO provider_identity (issuer, subject, account_id) VALUES ($1, $2, $3) ON CONFLICT (issuer, subject) DO NOTHING',
    [issuer, subject, accountId],
  )
  return rowCount === 1
}

export async function readIssuers(db: Db, accountId: number): Promise<string[]> {
  const { rows } = await db.query<{ issuer: string }>('SELECT DISTINCT issuer FROM provider_identity WHERE account_id = $1 ORDER BY 1', [accountId])
  return rows.map(({ issuer }) => issuer)
}
