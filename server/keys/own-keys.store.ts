import type { Mode } from '#server/api/contract/endpoint.ts'
import type { Db, Transaction } from '#server/db/prisma.ts'

export type OwnKeyRow = {
  id: string
  public_id: string
  mode: Mode
  name: string
  hint: string
  scopes: string[]
  addresses: string[]
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
  is_revoked: boolean
  used_at: Date | null
  used_from: string | null
  month_spent: string
  month_cap: string | null
  replaced_by: string | null
  is_successor: boolean
}

/** Number of the current month, as in the admission statement: year × 12 + month. */
const thisMonth = `(extract(year FROM now() AT TIME ZONE 'UTC') * 12 + extract(month FROM now() AT TIME ZONE 'UTC'))`

/** SQL condition for an inactive key, as in the admission statement: a key that was revoked immediately stays revoked, even if the clock is set back. */
const hasEnded = '(m.ends_at <= now()) IS TRUE'
const withMeter = 'api_key k JOIN key_meter m ON m.key_id = k.id'

const select = `SELECT k.id, k.public_id, k.mode, k.name, k.hint, k.scopes, k.addresses, k.created_at, k.expires_at, k.revoked_at,
    m.ends_at IS NOT DISTINCT FROM '-infinity' AS is_revoked, u.at AS used_at, u.address AS used_from,
    CASE WHEN m.month = ${thisMonth} THEN m.month_spent ELSE 0 END AS month_spent, m.month_cap,
    (SELECT n.public_id FROM api_key n WHERE n.id = k.replaced_by) AS replaced_by,
    EXISTS (SELECT 1 FROM api_key o WHERE o.account_id = k.account_id AND o.replaced_by = k.id) AS is_successor
  FROM ${withMeter} LEFT JOIN key_use u ON u.key_id = k.id`

/** Returns an account's keys: active ones first, then newest first. Excludes partner keys, which administrators manage. */
export async function readOwnKeys(db: Db, accountId: number, max: number): Promise<OwnKeyRow[]> {
  const { rows } = await db.query<OwnKeyRow>(
    `${select} WHERE k.account_id = $1 AND NOT k.partner
     ORDER BY ${hasEnded}, k.id DESC LIMIT $2`,
    [accountId, max],
  )
  return rows
}

/** Returns an account's inactive keys, newest first. If a key is given, starts with the next older one. */
export async function readEndedKeys(db: Db, accountId: number, before: string | null, max: number): Promise<OwnKeyRow[]> {
  const { rows } = await db.query<OwnKeyRow>(
    `${select} WHERE k.account_id = $1 AND NOT k.partner AND ${hasEnded}
       AND ($2::text IS NULL OR k.id < (SELECT b.id FROM api_key b WHERE b.public_id = $2 AND b.account_id = $1)) ORDER BY k.id DESC LIMIT $3`,
    [accountId, before, max],
  )
  return rows
}

export async function countEndedKeys(db: Db, accountId: number): Promise<number> {
  const { rows } = await db.query<{ n: string }>(`SELECT count(*) AS n FROM ${withMeter} WHERE k.account_id = $1 AND NOT k.partner AND ${hasEnded}`, [
    accountId,
  ])
  return Number(rows[0]?.n ?? 0)
}

export async function readOwnKey(db: Db, accountId: number, publicId: string): Promise<OwnKeyRow | undefined> {
  const { rows } = await db.query<OwnKeyRow>(`${select} WHERE k.account_id = $1 AND k.public_id = $2 AND NOT k.partner`, [accountId, publicId])
  return rows[0]
}

/** Returns the SHA-256 of an account's key. */
export async function readOwnHash(db: Db, accountId: number, publicId: string): Promise<{ hash: Buffer; mode: Mode } | undefined> {
  const { rows } = await db.query<{ hash: Buffer; mode: Mode }>('SELECT hash, mode FROM api_key WHERE account_id = $1 AND public_id = $2 AND NOT partner', [
    accountId,
    publicId,
  ])
  return rows[0]
}

/**
 * Checks whether an account is closed. Call it after locking the wallet, which closing an account locks first: as a separate statement, it sees a closure that
 * was committed during the wait.
 */
export async function isClosed(client: Transaction, accountId: number): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM account WHERE id = $1 AND closed_at IS NOT NULL', [accountId])
  return rows.length > 0
}

export async function countWorkingKeys(db: Db, accountId: number): Promise<number> {
  const { rows } = await db.query<{ n: string }>(`SELECT count(*) AS n FROM ${withMeter} WHERE k.account_id = $1 AND NOT k.partner AND NOT ${hasEnded}`, [
    accountId,
  ])
  return Number(rows[0]?.n ?? 0)
}

/** Counts the keys an account created in the last hour, including inactive ones. */
export async function countNewKeys(db: Db, accountId: number): Promise<number> {
  const { rows } = await db.query<{ n: string }>("SELECT count(*) AS n FROM api_key WHERE account_id = $1 AND created_at > now() - interval '1 hour'", [
    accountId,
  ])
  return Number(rows[0]?.n ?? 0)
}

/**
 * Links a rotated key to its successor and carries over the month's spending, so that rotation doesn't double the cap. While the old key or one of its
 * predecessors is still active, it shares the cap with the successor.
 */
export async function linkSuccessor(client: Transaction, oldPublicId: string, newPublicId: string): Promise<void> {
  await client.query('UPDATE api_key o SET replaced_by = n.id FROM api_key n WHERE o.public_id = $1 AND n.public_id = $2', [oldPublicId, newPublicId])
  await client.query(
    `UPDATE key_meter m SET month = o.month, month_spent = o.month_spent FROM key_meter o, api_key ok, api_key nk
     WHERE ok.public_id = $1 AND nk.public_id = $2 AND o.key_id = ok.id AND m.key_id = nk.id`,
    [oldPublicId, newPublicId],
  )
  await client.query(
    `UPDATE key_meter m SET cap_id = shared.cap FROM (
       SELECT o.key_id AS old, n.key_id AS new,
         CASE WHEN EXISTS (SELECT FROM key_meter s WHERE s.cap_id = o.cap_id AND s.key_id <> o.key_id AND (s.ends_at <= now()) IS NOT TRUE) THEN o.cap_id
              WHEN (o.ends_at <= now()) IS NOT TRUE THEN o.key_id END AS cap
       FROM api_key ok JOIN key_meter o ON o.key_id = ok.id, api_key nk JOIN key_meter n ON n.key_id = nk.id
       WHERE ok.public_id = $1 AND nk.public_id = $2 AND o.month_cap IS NOT NULL) shared
     WHERE m.key_id IN (shared.old, shared.new) AND shared.cap IS NOT NULL`,
    [oldPublicId, newPublicId],
  )
}

/** Revokes all keys of an account immediately. */
export async function endAllKeys(client: Transaction, accountId: number): Promise<void> {
  await client.query(
    `WITH k AS (
       UPDATE api_key SET revoked_at = now() WHERE account_id = $1 AND (revoked_at IS NULL OR revoked_at > now()) RETURNING id, revoked_at, expires_at)
     UPDATE key_meter m SET version = m.version + 1, ends_at = '-infinity' FROM k WHERE m.key_id = k.id`,
    [accountId],
  )
}

export type UseRow = { keyId: number; at: Date; address: string | null }

/** Records when and from where keys were last used. Never overwrites a later use recorded by another process. */
export async function writeUses(db: Db, uses: readonly UseRow[]): Promise<void> {
  await db.query(
    `INSERT INTO key_use AS u (key_id, at, address) SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::text[]) ORDER BY 1
     ON CONFLICT (key_id) DO UPDATE SET at = excluded.at, address = excluded.address WHERE u.at < excluded.at`,
    [uses.map(({ keyId }) => keyId), uses.map(({ at }) => at), uses.map(({ address }) => address)],
  )
}
