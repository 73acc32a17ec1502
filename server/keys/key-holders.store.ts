import type { PoolClient } from 'pg'

/** The confirmed addresses of all accounts that have a key which works now or lies in its last hours. Accounts of the service itself have no such address. */
export async function readKeyHolders(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ email: string }>(
    `SELECT a.email FROM account a WHERE a.email_verified_at IS NOT NULL AND a.closed_at IS NULL
       AND EXISTS (SELECT FROM api_key k WHERE k.account_id = a.id AND (least(k.revoked_at, k.expires_at) <= now()) IS NOT TRUE)
     ORDER BY a.id`,
  )
  return rows.map(({ email }) => email)
}
