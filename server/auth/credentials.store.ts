import { DatabaseError } from 'pg'
import type { Db, Transaction } from '#server/db/prisma.ts'

export type CredentialRow = {
  id: string
  public_id: string
  email: string
  name: string
  password_hash: string | null
  session_version: number
  email_verified_at: Date | null
  created_at: Date
  has_second_factor: boolean
}

const columns = `a.id, a.public_id, a.email, a.name, a.password_hash, a.session_version, a.email_verified_at, a.created_at,
  EXISTS (SELECT FROM second_factor f WHERE f.account_id = a.id AND f.since IS NOT NULL) AS has_second_factor`

const uniqueViolation = '23505'

/** True if the error says that another account has already confirmed this email. */
export const isEmailTaken = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === uniqueViolation && error.constraint === 'account_email_key'

/** Returns the accounts an email can refer to: the one that confirmed it, and the newest unconfirmed one with a password. */
export async function readCandidates(db: Db, email: string): Promise<{ confirmed: CredentialRow | undefined; provisional: CredentialRow | undefined }> {
  const { rows } = await db.query<CredentialRow>(
    `(SELECT ${columns} FROM account a WHERE email = $1 AND closed_at IS NULL AND email_verified_at IS NOT NULL LIMIT 1)
     UNION ALL
     (SELECT ${columns} FROM account a WHERE email = $1 AND closed_at IS NULL AND email_verified_at IS NULL AND password_hash IS NOT NULL ORDER BY id DESC LIMIT 1)`,
    [email],
  )
  return { confirmed: rows.find((row) => row.email_verified_at !== null), provisional: rows.find((row) => row.email_verified_at === null) }
}

export async function readCredentials(db: Db, accountId: number): Promise<CredentialRow | undefined> {
  const { rows } = await db.query<CredentialRow>(`SELECT ${columns} FROM account a WHERE id = $1 AND closed_at IS NULL`, [accountId])
  return rows[0]
}

export async function readAccountCredentials(db: Db, publicId: string): Promise<CredentialRow | undefined> {
  const { rows } = await db.query<CredentialRow>(`SELECT ${columns} FROM account a WHERE public_id = $1 AND closed_at IS NULL`, [publicId])
  return rows[0]
}

/** Locks an account's credentials until the transaction ends. */
export async function holdCredentials(client: Transaction, accountId: number): Promise<CredentialRow | undefined> {
  const { rows } = await client.query<CredentialRow>(`SELECT ${columns} FROM account a WHERE id = $1 AND closed_at IS NULL FOR NO KEY UPDATE OF a`, [accountId])
  return rows[0]
}

export async function writePassword(client: Transaction, accountId: number, passwordHash: string): Promise<void> {
  await client.query('UPDATE account SET password_hash = $2 WHERE id = $1', [accountId, passwordHash])
}

/** Marks an account's email as confirmed. Returns false if it already was. Fails on the unique index if another account has confirmed the same email. */
export async function markConfirmed(client: Transaction, accountId: number, email: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'UPDATE account SET email_verified_at = now() WHERE id = $1 AND email = $2 AND email_verified_at IS NULL AND closed_at IS NULL',
    [accountId, email],
  )
  return rowCount === 1
}

export async function writeEmail(client: Transaction, accountId: number, email: string): Promise<void> {
  await client.query('UPDATE account SET email = $2, email_verified_at = coalesce(email_verified_at, now()) WHERE id = $1', [accountId, email])
}

/**
 * Updates of the name, purpose and time zone skip closed accounts, including those closed while the update waited for a lock: a closed account holds no
 * personal data.
 */
export async function writeName(client: Transaction, accountId: number, name: string): Promise<void> {
  // The name is part of the cached key record, so the wallet version changes. The wallet is locked first, as in all other code.
  await client.query('UPDATE wallet SET version = version + 1 WHERE account_id = $1', [accountId])
  await client.query('UPDATE account SET name = $2 WHERE id = $1 AND closed_at IS NULL', [accountId, name])
}

export async function writePurpose(client: Transaction, accountId: number, purpose: string): Promise<void> {
  await client.query('UPDATE account SET purpose = $2 WHERE id = $1 AND closed_at IS NULL', [accountId, purpose])
}

export async function writeTimeZone(client: Transaction, accountId: number, timeZone: string): Promise<void> {
  await client.query('UPDATE account SET time_zone = $2 WHERE id = $1 AND closed_at IS NULL', [accountId, timeZone])
}

/**
 * Locks the wallets of the given accounts and of all unconfirmed accounts with this email, in the order in which charges lock them. If two accounts confirm one
 * email at the same time, the second waits here without holding any lock the first needs. Returns the accounts whose wallets are locked.
 */
export async function lockContenders(client: Transaction, accountIds: readonly number[], email: string): Promise<number[]> {
  const { rows } = await client.query<{ account_id: string }>(
    `SELECT w.account_id FROM wallet w WHERE w.account_id = ANY (ARRAY(
       SELECT unnest($1::bigint[]) UNION SELECT id FROM account WHERE email = $2 AND email_verified_at IS NULL AND closed_at IS NULL))
     ORDER BY w.account_id FOR NO KEY UPDATE OF w`,
    [accountIds, email],
  )
  return rows.map((row) => Number(row.account_id))
}

/** Returns the other unconfirmed accounts with this email, among those locked. Accounts that sign up later don't matter: they can't take the email. */
export async function readUnconfirmedDuplicates(client: Transaction, accountId: number, email: string, held: readonly number[]): Promise<number[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM account WHERE id = ANY ($3) AND email = $2 AND id <> $1 AND email_verified_at IS NULL AND closed_at IS NULL
     ORDER BY id FOR NO KEY UPDATE`,
    [accountId, email, held],
  )
  return rows.map(({ id }) => Number(id))
}

/** Closes an account and deletes its personal data. The ledger and the request log are kept as financial records. */
export async function emptyAccount(client: Transaction, accountId: number): Promise<void> {
  await client.query('UPDATE wallet SET version = version + 1 WHERE account_id = $1', [accountId])
  await client.query(
    `UPDATE account SET closed_at = now(), state = 'blocked', block_reason = 'The account is closed.', block_reason_private = NULL,
       declined_at = NULL, decline_reason = NULL, email = 'closed:' || public_id, name = '', purpose = '', time_zone = DEFAULT, password_hash = NULL,
       session_version = session_version + 1 WHERE id = $1`,
    [accountId],
  )
  for (const table of ['provider_identity', 'second_factor', 'recovery_code', 'email_token', 'portal_session'])
    await client.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId])
}

const newestLicence = 'FROM licence_version WHERE published_at <= now() ORDER BY published_at DESC LIMIT 1'

/** Returns the latest published version of the Data Licence and its changes. */
export async function readLicence(db: Db): Promise<{ label: string; grace_ends_at: Date; changes: string } | undefined> {
  const { rows } = await db.query<{ label: string; grace_ends_at: Date; changes: string }>(`SELECT label, grace_ends_at, changes ${newestLicence}`)
  return rows[0]
}

/** Accepts a licence version and makes every process reload the account. Returns false if a newer version has been published, which the user has not seen. */
export async function writeAcceptance(client: Transaction, accountId: number, label: string): Promise<boolean> {
  // The wallet is locked first, as in all other code.
  const { rowCount } = await client.query(`UPDATE wallet SET version = version + 1 WHERE account_id = $1 AND $2 = (SELECT label ${newestLicence})`, [
    accountId,
    label,
  ])
  if (rowCount !== 1) return false
  await client.query('UPDATE account SET accepted_licence = $2 WHERE id = $1', [accountId, label])
  return true
}

/** SQL condition: an operator or the account itself has started using the account. */
const isUsed = `approved_at IS NOT NULL OR plan <> 'hobby' OR EXISTS (SELECT FROM ledger_entry l WHERE l.account_id = account.id)
  OR EXISTS (SELECT FROM api_key k JOIN key_use u ON u.key_id = k.id WHERE k.account_id = account.id AND u.at > now() - interval '30 days')`

/** The service's own accounts. */
const isServiceAccount = "email LIKE '%@site.invalid' AND password_hash IS NULL"

const isAbandoned = `email_verified_at IS NULL AND closed_at IS NULL AND created_at < now() - interval '30 days' AND NOT (${isServiceAccount}) AND NOT (${isUsed})`

/** Returns accounts that were neither confirmed nor used within 30 days of signing up. */
export async function readAbandoned(db: Db, max: number): Promise<number[]> {
  const { rows } = await db.query<{ id: string }>(`SELECT id FROM account WHERE ${isAbandoned} ORDER BY id LIMIT $1`, [max])
  return rows.map(({ id }) => Number(id))
}

/** Locks an account if it is still abandoned. Returns false if it was confirmed, used or closed meanwhile. */
export async function lockAbandoned(client: Transaction, accountId: number): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM account WHERE id = $1 AND ${isAbandoned} FOR NO KEY UPDATE`, [accountId])
  return rowCount === 1
}

export async function findIdentity(db: Db, issuer: string, subject: string): Promise<string | null> {
  const { rows } = await db.query<{ public_id: string }>(
    'SELECT a.public_id FROM provider_identity i JOIN account a ON a.id = i.account_id WHERE i.issuer = $1 AND i.subject = $2 AND a.closed_at IS NULL',
    [issuer, subject],
  )
  return rows[0]?.public_id ?? null
}

/** Connects an identity to an account. Returns false if the identity is already connected. */
export async function insertIdentity(client: Transaction, issuer: string, subject: string, accountId: number): Promise<boolean> {
  const { rowCount } = await client.query(
    'INSERT INTO provider_identity (issuer, subject, account_id) VALUES ($1, $2, $3) ON CONFLICT (issuer, subject) DO NOTHING',
    [issuer, subject, accountId],
  )
  return rowCount === 1
}

/**
 * Deletes an account's identities with one provider, unless it would have no other way to sign in. Returns how many were deleted. The account must be locked.
 */
export async function deleteIdentities(client: Transaction, accountId: number, issuer: string): Promise<number> {
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
