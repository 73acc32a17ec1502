import type { Db, Transaction } from '#server/db/prisma.ts'

export type TokenPurpose = 'confirm' | 'reset' | 'change'

export type NewTokenRow = {
  hash: Buffer
  accountId: number
  purpose: TokenPurpose
  email: string
  lifetimeSeconds: number
  /** For an email change: the account's session version when it was requested. */
  sessionVersion: number | null
}

export async function insertToken(db: Db, token: NewTokenRow): Promise<void> {
  await db.query(
    `INSERT INTO email_token (hash, account_id, purpose, email, expires_at, session_version)
     VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5), $6)`,
    [token.hash, token.accountId, token.purpose, token.email, token.lifetimeSeconds, token.sessionVersion],
  )
}

export type TokenRow = { account_id: string; purpose: TokenPurpose; email: string; is_live: boolean; is_just_spent: boolean }

/** Checks the session version for email changes: the requester may have been signed out since, by a password change or by ending all sessions. */
const isLive = `t.used_at IS NULL AND t.expires_at > now() AND (t.purpose <> 'change' OR t.session_version IS NOT DISTINCT FROM a.session_version)`

/** Looks up a token without using it. */
export async function readToken(db: Db, hash: Buffer): Promise<TokenRow | undefined> {
  const { rows } = await db.query<TokenRow>(
    `SELECT t.account_id, t.purpose, t.email, (${isLive}) AS is_live, coalesce(t.used_at > now() - interval '1 minute', false) AS is_just_spent
     FROM email_token t JOIN account a ON a.id = t.account_id WHERE t.hash = $1`,
    [hash],
  )
  return rows[0]
}

/**
 * Uses a token. If several requests use it at the same time, exactly one gets the row. Locks the account first, as all code that ends sessions and links does,
 * to avoid deadlocks and to compare the latest session version.
 */
export async function spendToken(client: Transaction, hash: Buffer, purpose: TokenPurpose): Promise<{ accountId: number; email: string } | null> {
  const { rows } = await client.query<{ account_id: string; email: string }>(
    `UPDATE email_token t SET used_at = now() FROM (
       SELECT o.id, o.session_version FROM account o JOIN email_token l ON l.account_id = o.id WHERE l.hash = $1 FOR NO KEY UPDATE OF o) a
     WHERE t.hash = $1 AND t.purpose = $2 AND t.account_id = a.id AND ${isLive} RETURNING t.account_id, t.email`,
    [hash, purpose],
  )
  const row = rows[0]
  return row ? { accountId: Number(row.account_id), email: row.email } : null
}

/** Invalidates an account's unused links of these purposes. */
export async function spendAll(client: Transaction, accountId: number, purposes: readonly TokenPurpose[]): Promise<void> {
  await client.query('UPDATE email_token SET used_at = now() WHERE account_id = $1 AND purpose = ANY($2) AND used_at IS NULL', [accountId, purposes])
}

/** Deletes links a week after they expired. */
export async function forgetTokens(db: Db): Promise<void> {
  await db.query(
    "DELETE FROM email_token WHERE hash IN (SELECT hash FROM email_token WHERE expires_at < now() - interval '7 days' LIMIT 1000 FOR UPDATE SKIP LOCKED)",
  )
}
