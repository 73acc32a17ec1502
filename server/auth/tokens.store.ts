import type { Pool, PoolClient } from 'pg'

type Db = Pool | PoolClient

export type TokenPurpose = 'confirm' | 'reset' | 'change'

export type NewTokenRow = { hash: Buffer; accountId: number; purpose: TokenPurpose; email: string; lifetimeSeconds: number }

export async function insertToken(db: Db, token: NewTokenRow): Promise<void> {
  await db.query('INSERT INTO email_token (hash, account_id, purpose, email, expires_at) VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))', [
    token.hash,
    token.accountId,
    token.purpose,
    token.email,
    token.lifetimeSeconds,
  ])
}

export type TokenRow = { account_id: string; purpose: TokenPurpose; email: string; is_live: boolean; is_just_spent: boolean }

const columns = `account_id, purpose, email, (spent_at IS NULL AND expires_at > now()) AS is_live,
  coalesce(spent_at > now() - interval '1 minute', false) AS is_just_spent`

/** What a token is for, without spending it. */
export async function readToken(db: Db, hash: Buffer): Promise<TokenRow | undefined> {
  const { rows } = await db.query<TokenRow>(`SELECT ${columns} FROM email_token WHERE hash = $1`, [hash])
  return rows[0]
}

/** Spends a token: of any number of requests at once, one gets the row. */
export async function spendToken(client: PoolClient, hash: Buffer, purpose: TokenPurpose): Promise<{ accountId: number; email: string } | null> {
  const { rows } = await client.query<{ account_id: string; email: string }>(
    'UPDATE email_token SET spent_at = now() WHERE hash = $1 AND purpose = $2 AND spent_at IS NULL AND expires_at > now() RETURNING account_id, email',
    [hash, purpose],
  )
  const row = rows[0]
  return row ? { accountId: Number(row.account_id), email: row.email } : null
}

/** Takes every other link of a purpose out of use. */
export async function spendAll(client: PoolClient, accountId: number, purposes: readonly TokenPurpose[]): Promise<void> {
  await client.query('UPDATE email_token SET spent_at = now() WHERE account_id = $1 AND purpose = ANY($2) AND spent_at IS NULL', [accountId, purposes])
}

/** Forgets links a week after they expired. */
export async function forgetTokens(db: Db): Promise<void> {
  await db.query("DELETE FROM email_token WHERE hash IN (SELECT hash FROM email_token WHERE expires_at < now() - interval '7 days' LIMIT 1000)")
}
