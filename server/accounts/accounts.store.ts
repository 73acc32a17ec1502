import type { Pool, PoolClient } from 'pg'
import type { Limits, Plan } from '#server/api/contract/plans.ts'
import { isServiceAccount } from './service-accounts.ts'
import { lockWallets } from './wallets.store.ts'

type Db = Pool | PoolClient

export type NewAccount = {
  publicId: string
  email: string
  passwordHash: string | null
  plan: Plan
  role: 'member' | 'admin'
  state: 'review' | 'open'
  /** Null: not confirmed yet. */
  emailVerifiedAt: Date | null
  acceptedLicence: string | null
  limits: Limits
}

/** Writes an account and its empty wallet; null when a confirmed account has the e-mail. One that is not confirmed yet takes nothing from anybody. */
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

/** The version of the Data Licence that was published last; undefined: none was. */
export async function readNewestLicence(db: Db): Promise<string | undefined> {
  const { rows } = await db.query<{ label: string }>('SELECT label FROM licence_version WHERE published_at <= now() ORDER BY published_at DESC LIMIT 1')
  return rows[0]?.label
}

/** Has the accounts of the service itself accept a version. */
export async function acceptForService(client: PoolClient, label: string): Promise<void> {
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
 * An account with its wallet, locked until the transaction ends: the wallet first, as by everybody who changes both. The lock lets others refer to the account,
 * as every ledger entry does. A closed account is changed no more.
 */
export async function lockAccount(client: PoolClient, id: number): Promise<AccountRow | undefined> {
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

const found = 'SELECT id, public_id, email_verified_at IS NOT NULL AS is_confirmed FROM account WHERE closed_at IS NULL'
const fromDb = (row: FoundRow): FoundAccount => ({ id: Number(row.id), publicId: row.public_id, isConfirmed: row.is_confirmed })

/** The accounts that signed up with an address: the one that confirmed it first, then the others as they came. */
export async function findAccounts(db: Db, email: string, most: number): Promise<FoundAccount[]> {
  return (await db.query<FoundRow>(`${found} AND email = $1 ORDER BY email_verified_at IS NULL, id LIMIT $2`, [email, most])).rows.map(fromDb)
}

/** The account with a public id, unless it is closed. */
export async function findOpenAccount(db: Db, publicId: string): Promise<FoundAccount | null> {
  const { rows } = await db.query<FoundRow>(`${found} AND public_id = $1`, [publicId])
  return rows[0] ? fromDb(rows[0]) : null
}

/** Lets one at a time look for an account of the service itself and make it, until the transaction ends: no index forbids a second one. */
export async function holdServiceAccounts(client: PoolClient): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(20261, 5)')
}

/** The account of the service itself that has an address, and the first one if several have. */
export async function findServiceAccount(db: Db, email: string): Promise<number | null> {
  const { rows } = await db.query<FoundRow>(`${found} AND email = $1 AND ${isServiceAccount} ORDER BY id LIMIT 1`, [email])
  return rows[0] ? Number(rows[0].id) : null
}

export async function findAccountById(db: Db, publicId: string): Promise<number | null> {
  const { rows } = await db.query<{ id: string }>('SELECT id FROM account WHERE public_id = $1', [publicId])
  return rows[0] ? Number(rows[0].id) : null
}

/** Asks for the letter about the end of a review, to an address that is known to be the account's. Its words stand with all others, in the mail room. */
export async function askForReviewMail(client: PoolClient, id: string, kind: 'account-approved' | 'account-declined', facts: object): Promise<void> {
  await client.query('INSERT INTO mail (kind, recipient, facts) SELECT $2, email, $3::jsonb FROM account WHERE id = $1 AND email_verified_at IS NOT NULL', [
    id,
    kind,
    JSON.stringify(facts),
  ])
}

export type AccountChange = {
  state?: 'review' | 'open' | 'blocked'
  /** What callers are told of a block, and what the desk alone knows. */
  blockReason?: string | null
  blockReasonPrivate?: string | null
  /** Why the review ended with a no. */
  declineReason?: string
  plan?: Plan
  ownPerMinute?: number | null
  ownPerDay?: number | null
  limits: Limits
}

/** Changes an account that is locked, and its wallet with the new limits and a new version, which makes every process look again. */
export async function updateAccount(client: PoolClient, id: string, change: AccountChange): Promise<void> {
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
