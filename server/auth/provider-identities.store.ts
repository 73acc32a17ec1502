import type { Pool, PoolClient } from 'pg'

type Db = Pool | PoolClient

export async function findIdentity(db: Db, issuer: string, subject: string): Promise<string | null> {
  const { rows } = await db.query<{ public_id: string }>(
    'SELECT a.public_id FROM provider_identity i JOIN account a ON a.id = i.account_id WHERE i.issuer = $1 AND i.subject = $2 AND a.closed_at IS NULL',
    [issuer, subject],
  )
  return rows[0]?.public_id ?? null
}

/** Connects an identity to an account. Returns false if the identity is already connected. */
export async function insertIdentity(client: PoolClient, issuer: string, subject: string, accountId: number): Promise<boolean> {
  const { rowCount } = await client.query(
    'INSERT INTO provider_identity (issuer, subject, account_id) VALUES ($1, $2, $3) ON CONFLICT (issuer, subject) DO NOTHING',
    [issuer, subject, accountId],
  )
  return rowCount === 1
}

/**
 * Deletes an account's identities with one provider, unless it would have no other way to sign in. Returns how many were deleted. The account must be locked.
 */
export async function deleteIdentities(client: PoolClient, accountId: number, issuer: string): Promise<number> {
  const { rowCount } = await client.query(
    `DELETE FROM provider_identity i USING account a WHERE i.account_id = $1 AND i.issuer = $2 AND a.id = i.account_id
       AND (a.password_hash IS NOT NULL OR EXISTS (SELECT FROM provider_identity o WHERE o.account_id = $1 AND o.issuer <> $2))`,
    [accountId, issuer],
  )
  return rowCount ?? 0
}

export async function readIssuers(db: Db, accountId: number): Promise<string[]> {
  const { rows } = await db.query<{ issuer: string }>('SELECT DISTINCT issuer FROM provider_identity WHERE account_id = $1 ORDER BY 1', [accountId])
  return rows.map(({ issuer }) => issuer)
}
