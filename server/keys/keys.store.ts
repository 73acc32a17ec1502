import type { Plan } from '#server/api/contract/access.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'

export type KeyRow = {
  id: string
  public_id: string
  account_id: string
  mode: Mode
  hint: string
  scopes: string[]
  addresses: string[]
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
  key_version: number
  cap_id: string | null
  service_version: number
  account_version: number
  account_public_id: string
  account_name: string
  state: 'open' | 'review' | 'blocked'
  block_reason: string | null
  decline_reason: string | null
  plan: Plan
  custom_per_minute: number | null
  custom_per_day: number | null
  licence_due_at: Date | null
}

/**
 * Reads a key with its account in one statement, so that versions and values are consistent. A licence with a future publication date takes effect on that
 * date.
 */
export async function readKey(pool: Database, hash: Buffer): Promise<KeyRow | undefined> {
  const { rows } = await pool.query<KeyRow>({
    name: 'read-key',
    text: `SELECT k.id, k.public_id, k.account_id, k.mode, k.hint, k.scopes, k.addresses, k.created_at, k.expires_at,
             CASE WHEN m.ends_at = '-infinity' THEN to_timestamp(0) ELSE k.revoked_at END AS revoked_at, m.version AS key_version, m.cap_id, (SELECT version FROM service_state) AS service_version, w.version AS account_version, a.public_id AS account_public_id, a.name AS account_name, a.state, a.block_reason, a.decline_reason,
             a.plan, a.custom_per_minute, a.custom_per_day,
             (SELECT min(l.grace_ends_at) FROM licence_version l WHERE l.published_at >
               coalesce((SELECT o.published_at FROM licence_version o WHERE o.label = a.accepted_licence), '-infinity')) AS licence_due_at
           FROM api_key k JOIN key_meter m ON m.key_id = k.id JOIN account a ON a.id = k.account_id JOIN wallet w ON w.account_id = a.id
           WHERE k.hash = $1`,
    values: [hash],
  })
  return rows[0]
}

export type NewKeyRow = {
  publicId: string
  accountId: number
  hash: Buffer
  mode: Mode
  /** True for a partner API key, which v1 rejects. */
  isPartner: boolean
  name: string
  hint: string
  scopes: readonly string[]
  addresses: readonly string[]
  expiresAt: Date | null
  monthCap: number | null
  /** Requests per minute if the key has its own limit (test keys), otherwise null. */
  ownMinuteLimit: number | null
}

/** Inserts a key and its counters. */
export async function insertKey(client: Db, key: NewKeyRow): Promise<void> {
  await client.query(
    `WITH k AS (
       INSERT INTO api_key (public_id, account_id, hash, mode, name, hint, scopes, addresses, expires_at, partner)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $12) RETURNING id, account_id, mode, expires_at)
     INSERT INTO key_meter (key_id, account_id, live, own_minute_limit, month_cap, ends_at)
     SELECT id, account_id, mode = 'live', $10, $11, expires_at FROM k`,
    [
      key.publicId,
      key.accountId,
      key.hash,
      key.mode,
      key.name,
      key.hint,
      key.scopes,
      key.addresses,
      key.expiresAt,
      key.ownMinuteLimit,
      key.monthCap,
      key.isPartner,
    ],
  )
}

/**
 * Revokes a key immediately, or at a future time. Returns false if there is no such key. The new version makes every process reload it. An immediate revocation
 * is stored as '-infinity': with the current time, the key would work again if the clock were set back.
 */
export async function endKey(client: Db, publicId: string, at: Date | null): Promise<boolean> {
  const { rowCount } = await client.query(
    `WITH k AS (
       UPDATE api_key SET revoked_at = least(revoked_at, coalesce($2::timestamptz, now())) WHERE public_id = $1 RETURNING id, revoked_at, expires_at)
     UPDATE key_meter m SET version = m.version + 1, ends_at = CASE WHEN $2::timestamptz IS NULL THEN '-infinity' ELSE least(m.ends_at, k.revoked_at, k.expires_at) END
     FROM k WHERE m.key_id = k.id`,
    [publicId, at],
  )
  return rowCount === 1
}

/**
 * SQL condition for a confirmed account with at least one active key, including keys in a rotation overlap. The service's own accounts have no confirmed
 * address.
 */
const holdsKey = `a.email_verified_at IS NOT NULL AND a.closed_at IS NULL
  AND EXISTS (SELECT FROM api_key k WHERE k.account_id = a.id AND (least(k.revoked_at, k.expires_at) <= now()) IS NOT TRUE)`

export async function readKeyHolders(client: Transaction, after: number, upTo: number): Promise<{ id: string; email: string }[]> {
  const { rows } = await client.query<{ id: string; email: string }>(
    `SELECT a.id, a.email FROM account a WHERE a.id > $1 AND a.id <= $2 AND ${holdsKey} ORDER BY a.id`,
    [after, upTo],
  )
  return rows
}

export async function countHolders(db: Db): Promise<number> {
  const { rows } = await db.query<{ n: number }>(`SELECT count(*)::int AS n FROM account a WHERE ${holdsKey}`)
  return rows[0]?.n ?? 0
}

/** Finds the public id of the account that owns a key, by the key's public id or hash. */
export async function readHolder(pool: Database, key: { publicId: string } | { hash: Buffer }): Promise<string | null> {
  const [column, value] = 'hash' in key ? ['hash', key.hash] : ['public_id', key.publicId]
  const { rows } = await pool.query<{ public_id: string }>(`SELECT a.public_id FROM api_key k JOIN account a ON a.id = k.account_id WHERE k.${column} = $1`, [
    value,
  ])
  return rows[0]?.public_id ?? null
}

export async function isKeptHash(client: Db, hash: Buffer): Promise<boolean> {
  return (await client.query('SELECT FROM api_key WHERE hash = $1', [hash])).rowCount === 1
}

/** Returns the public ids of an account's unrevoked keys with this name, at most 1,000. */
export async function readIdsNamed(client: Db, accountId: number, name: string): Promise<string[]> {
  const { rows } = await client.query<{ public_id: string }>(
    'SELECT public_id FROM api_key WHERE account_id = $1 AND name = $2 AND revoked_at IS NULL ORDER BY id LIMIT 1000',
    [accountId, name],
  )
  return rows.map(({ public_id }) => public_id)
}

type ServiceKeyRow = {
  readonly publicId: string
  readonly accountId: number
  readonly hash: Buffer
  readonly name: string
  readonly hint: string
  readonly scopes: readonly string[]
  readonly minuteLimit: number
}

/** Inserts a test key and its counters, unless another process already has. */
export async function insertServiceKey(pool: Database, key: ServiceKeyRow): Promise<void> {
  await pool.query(
    `WITH k AS (
       INSERT INTO api_key (public_id, account_id, hash, mode, name, hint, scopes) VALUES ($1, $2, $3, 'test', $4, $5, $6)
       ON CONFLICT (hash) DO NOTHING RETURNING id, account_id)
     INSERT INTO key_meter (key_id, account_id, live, own_minute_limit) SELECT id, account_id, false, $7 FROM k`,
    [key.publicId, key.accountId, key.hash, key.name, key.hint, key.scopes, key.minuteLimit],
  )
}

/** SQL condition for a service key that no longer works: it was revoked, or its account was closed. */
const isInactive = `(k.revoked_at IS NOT NULL OR m.ends_at IS NOT NULL OR EXISTS (SELECT FROM account a WHERE a.id = k.account_id AND a.closed_at IS NOT NULL))`

/** Returns the account of a service key that no longer works, or null if it works. */
export async function readHolderOfLost(db: Db, hash: Buffer): Promise<number | null> {
  const { rows } = await db.query<{ account_id: string }>(
    `SELECT k.account_id FROM api_key k JOIN key_meter m ON m.key_id = k.id WHERE k.hash = $1 AND ${isInactive}`,
    [hash],
  )
  return rows[0] ? Number(rows[0].account_id) : null
}

/** Reactivates a service key and moves it to the given account. Both accounts' wallets must be locked. The new version makes every process reload it. */
export async function reviveServiceKey(client: Transaction, hash: Buffer, accountId: number): Promise<void> {
  await client.query(
    `WITH revived AS (
       UPDATE api_key SET account_id = $2, revoked_at = NULL, expires_at = NULL
       FROM (SELECT k.id FROM api_key k JOIN key_meter m ON m.key_id = k.id WHERE k.hash = $1 AND ${isInactive}) lost WHERE api_key.id = lost.id RETURNING api_key.id)
     UPDATE key_meter m SET account_id = $2, ends_at = NULL, version = m.version + 1 FROM revived WHERE m.key_id = revived.id`,
    [hash, accountId],
  )
}
