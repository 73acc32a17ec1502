/**
 * Reads key records for the request pipeline in prepared statements, and writes batches of last uses. Prisma has no SQL functions in queries, and no upsert of
 * several rows.
 */
import type { Account, ApiKey, KeyMeter, KeyUse, Wallet } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'

type KeyColumns = Pick<ApiKey, 'publicId' | 'accountId' | 'mode' | 'hint' | 'scopes' | 'addresses' | 'createdAt' | 'expiresAt' | 'revokedAt'>
type AccountColumns = Pick<Account, 'state' | 'blockReason' | 'declineReason' | 'plan' | 'customPerMinute' | 'customPerDay'>

export type KeyRow = KeyColumns &
  AccountColumns &
  Pick<KeyMeter, 'keyId'> & {
    /** Spend cap shared with other keys; null if not shared. */
    readonly capId: KeyMeter['capId']
    readonly keyVersion: KeyMeter['version']
    /** Shard with the account's rows, on a cluster; null on a single server. */
    readonly shard: string | null
    readonly accountVersion: Wallet['version']
    /** Version of the shared configuration (such as the licence) when this record was read. */
    readonly serviceVersion: number
    readonly accountPublicId: Account['publicId']
    readonly accountName: Account['name']
    readonly licenceDueAt: Date | null
  }

type FoundKey = { readonly id: number; readonly accountId: number; readonly shard: string | null; readonly serviceVersion: number }
type Versions = Pick<KeyRow, 'keyVersion' | 'capId' | 'accountVersion'> & { readonly isEnded: boolean }
type Values = Omit<KeyRow, keyof Versions | 'keyId' | 'shard' | 'serviceVersion'>

/** Finds a key. Its id, its account and the shard of the account never change. */
async function findKey(db: Database, hash: Buffer): Promise<FoundKey | undefined> {
  const { rows } = await db.query<FoundKey>({
    name: 'find-key',
    text: `SELECT id, account_id AS "accountId", account_shard(account_id)::text AS shard, (SELECT version FROM service_state) AS "serviceVersion"
           FROM api_key WHERE hash = $1`,
    values: [hash],
  })
  return rows[0]
}

/**
 * Reads a key with its account. A licence with a future publication date takes effect on that date. Reads the versions before the values: if a value changes in
 * between, the version is too old, and admission reports the record as stale. One statement could not read both on a cluster.
 */
export async function readKey(db: Database, hash: Buffer): Promise<KeyRow | undefined> {
  const key = await findKey(db, hash)
  if (key === undefined) return undefined
  const { id: keyId, accountId, shard, serviceVersion } = key
  const { rows: versions } = await db.query<Versions>({
    name: 'read-key-versions',
    text: `SELECT m.version AS "keyVersion", m.cap_id AS "capId", w.version AS "accountVersion", coalesce(m.ends_at = 'epoch', false) AS "isEnded"
           FROM key_meter m JOIN wallet w ON w.account_id = m.account_id WHERE m.account_id = $1 AND m.key_id = $2`,
    values: [accountId, keyId],
  })
  const [version] = versions
  if (version === undefined) return undefined
  const { isEnded, ...current } = version
  const { rows } = await db.query<Values>({
    name: 'read-key',
    text: `SELECT k.public_id AS "publicId", k.account_id AS "accountId", k.mode, k.hint, k.scopes, k.addresses,
             k.created_at AS "createdAt", k.expires_at AS "expiresAt", CASE WHEN $2 THEN 'epoch' ELSE k.revoked_at END AS "revokedAt",
             a.public_id AS "accountPublicId", a.name AS "accountName", a.state, a.block_reason AS "blockReason", a.decline_reason AS "declineReason",
             a.plan, a.custom_per_minute AS "customPerMinute", a.custom_per_day AS "customPerDay",
             (SELECT min(l.grace_ends_at) FROM licence_version l WHERE l.published_at >
               coalesce((SELECT o.published_at FROM licence_version o WHERE o.label = a.accepted_licence), '-infinity')) AS "licenceDueAt"
           FROM api_key k JOIN account a ON a.id = k.account_id WHERE k.id = $1`,
    values: [keyId, isEnded],
  })
  return rows[0] && { ...rows[0], ...current, keyId, shard, serviceVersion }
}

/** Records when and from where keys were last used. Never overwrites a later use recorded by another process. */
export async function writeUses(db: Database, uses: readonly KeyUse[]): Promise<void> {
  await db.query(
    `INSERT INTO key_use AS u (key_id, at, address) SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::text[]) ORDER BY 1
     ON CONFLICT (key_id) DO UPDATE SET at = excluded.at, address = excluded.address WHERE u.at < excluded.at`,
    [uses.map(({ keyId }) => keyId), uses.map(({ at }) => at), uses.map(({ address }) => address)],
  )
}
