import type { Limits, Plan } from '#server/api/contract/access.ts'
import type { Db, Transaction } from '#server/db/prisma.ts'
import { isServiceAccount } from './service-accounts.ts'

/** Locks wallets until the transaction ends, in the order that charges use. */
export async function lockWallets(client: Transaction, accountIds: readonly number[]): Promise<void> {
  await client.query('SELECT FROM wallet WHERE account_id = ANY ($1) ORDER BY account_id FOR NO KEY UPDATE', [accountIds])
}

export type NewAccount = {
  publicId: string
  email: string
  passwordHash: string | null
  plan: Plan
  role: 'member' | 'admin'
  state: 'review' | 'open'
  /** Null until the email is confirmed. */
  emailVerifiedAt: Date | null
  acceptedLicence: string | null
  limits: Limits
}

/** Inserts an account and an empty wallet. Returns null if a confirmed account already has this email. Unconfirmed accounts don't reserve an email. */
export async function insertAccount(db: Db, account: NewAccount): Promise<number | null> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO account (public_id, email, password_hash, plan, role, state, email_verified_at, accepted_licence, approved_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $6 = 'open' THEN now() END)
     ON CONFLICT (email) WHERE email_verified_at IS NOT NULL AND closed_at IS NULL DO NOTHING RETURNING id`,
    [account.publicId, account.email, account.passwordHash, account.plan, account.role, account.state, account.emailVerifiedAt, account.acceptedLicence],
  )
  const id = rows[0]?.id
  if (id === undefined) return null
  const { perMinute, perDay } = account.limits
  await db.query('INSERT INTO wallet (account_id, minute_limit, day_limit) VALUES ($1, $2, $3)', [id, perMinute, perDay])
  return Number(id)
}

/** Returns the label of the latest published Data Licence, or undefined if none is published. */
export async function readNewestLicence(db: Db): Promise<string | undefined> {
  const { rows } = await db.query<{ label: string }>('SELECT label FROM licence_version WHERE published_at <= now() ORDER BY published_at DESC LIMIT 1')
  return rows[0]?.label
}

/** Accepts a licence version on behalf of the service's own accounts. */
export async function acceptForService(client: Transaction, label: string): Promise<void> {
  await client.query(`UPDATE account SET accepted_licence = $1 WHERE ${isServiceAccount}`, [label])
}

export type AccountRow = {
  id: string
  public_id: string
  email: string
  plan: Plan
  state: 'review' | 'open' | 'blocked'
  approved_at: Date | null
  declined_at: Date | null
  own_per_minute: number | null
  own_per_day: number | null
}

const changeable = 'id, public_id, email, plan, state, approved_at, declined_at, own_per_minute, own_per_day'

/**
 * Locks an account and its wallet until the transaction ends: the wallet first, as in every transaction that changes both. Rows that reference the account,
 * such as ledger entries, can still be inserted. Returns undefined for a closed account.
 */
export async function lockAccount(client: Transaction, id: number): Promise<AccountRow | undefined> {
  await lockWallets(client, [id])
  const { rows } = await client.query<AccountRow>(`SELECT ${changeable} FROM account WHERE id = $1 AND closed_at IS NULL FOR NO KEY UPDATE`, [id])
  return rows[0]
}

export async function readAdministrators(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ email: string }>(
    "SELECT email FROM account WHERE role = 'admin' AND email_verified_at IS NOT NULL AND closed_at IS NULL ORDER BY id LIMIT 50",
  )
  return rows.map((row) => row.email)
}

type FoundRow = { id: string; public_id: string; is_confirmed: boolean }
export type FoundAccount = { readonly id: number; readonly publicId: string; readonly isConfirmed: boolean }

const selectAccount = 'SELECT id, public_id, email_verified_at IS NOT NULL AS is_confirmed FROM account WHERE closed_at IS NULL'
const fromDb = (row: FoundRow): FoundAccount => ({ id: Number(row.id), publicId: row.public_id, isConfirmed: row.is_confirmed })

/** Finds accounts by email: the confirmed one first, then the others by id. */
export async function findAccounts(db: Db, email: string, max: number): Promise<FoundAccount[]> {
  return (await db.query<FoundRow>(`${selectAccount} AND email = $1 ORDER BY email_verified_at IS NULL, id LIMIT $2`, [email, max])).rows.map(fromDb)
}

/** Finds an account by its public id. Returns null if it is closed. */
export async function findOpenAccount(db: Db, publicId: string): Promise<FoundAccount | null> {
  const { rows } = await db.query<FoundRow>(`${selectAccount} AND public_id = $1`, [publicId])
  return rows[0] ? fromDb(rows[0]) : null
}

/** Serialises finding and creating the service's own accounts until the transaction ends. No unique index prevents duplicates. */
export async function lockServiceAccounts(client: Transaction): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(20261, 5)')
}

/** Finds the service's own account with this email, the oldest if there are several. */
export async function findServiceAccount(db: Db, email: string): Promise<number | null> {
  const { rows } = await db.query<FoundRow>(`${selectAccount} AND email = $1 AND ${isServiceAccount} ORDER BY id LIMIT 1`, [email])
  return rows[0] ? Number(rows[0].id) : null
}

export async function findAccountById(db: Db, publicId: string): Promise<number | null> {
  const { rows } = await db.query<{ id: string }>('SELECT id FROM account WHERE public_id = $1', [publicId])
  return rows[0] ? Number(rows[0].id) : null
}

/** Enqueues the email about a review outcome, if the account's email is confirmed. The text is in server/email. */
export async function enqueueReviewEmail(client: Transaction, id: string, kind: 'account-approved' | 'account-declined', facts: object): Promise<void> {
  await client.query('INSERT INTO mail (kind, recipient, facts) SELECT $2, email, $3::jsonb FROM account WHERE id = $1 AND email_verified_at IS NOT NULL', [
    id,
    kind,
    JSON.stringify(facts),
  ])
}

export type AccountChange = {
  state?: 'review' | 'open' | 'blocked'
  /** Reason shown to callers, and reason visible to administrators only. */
  blockReason?: string | null
  blockReasonPrivate?: string | null
  /** Reason shown to the customer. */
  declineReason?: string
  plan?: Plan
  ownPerMinute?: number | null
  ownPerDay?: number | null
  limits: Limits
}

/** Updates a locked account and its wallet limits. Increments the wallet version, so that every process reloads the account. */
export async function updateAccount(client: Transaction, id: string, change: AccountChange): Promise<void> {
  await client.query(
    `UPDATE account SET state = coalesce($2, state), block_reason = CASE WHEN $2::text IS NULL THEN block_reason ELSE $3 END,
       block_reason_private = CASE WHEN $2::text IS NULL THEN block_reason_private ELSE $7 END,
       approved_at = CASE WHEN $2 = 'open' THEN coalesce(approved_at, now()) ELSE approved_at END,
       declined_at = CASE WHEN $2 = 'open' THEN NULL WHEN $8::text IS NOT NULL THEN now() ELSE declined_at END,
       decline_reason = CASE WHEN $2 = 'open' THEN NULL ELSE coalesce($8, decline_reason) END,
       plan = coalesce($4, plan), own_per_minute = $5, own_per_day = $6 WHERE id = $1`,
    [
      id,
      change.state ?? null,
      change.blockReason ?? null,
      change.plan ?? null,
      change.ownPerMinute ?? null,
      change.ownPerDay ?? null,
      change.blockReasonPrivate ?? null,
      change.declineReason ?? null,
    ],
  )
  await client.query('UPDATE wallet SET version = version + 1, minute_limit = $2, day_limit = $3 WHERE account_id = $1', [
    id,
    change.limits.perMinute,
    change.limits.perDay,
  ])
}

export async function writePasswordHash(client: Transaction, id: number, passwordHash: string): Promise<void> {
  await client.query('UPDATE account SET password_hash = $2 WHERE id = $1', [id, passwordHash])
}
