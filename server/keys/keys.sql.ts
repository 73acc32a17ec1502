/**
 * Reads key records for the request pipeline, each in one statement so that versions and values match, and writes batches of last uses. Prisma reads relations
 * in separate statements, and has no upsert of several rows.
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
    readonly accountVersion: Wallet['version']
    /** Version of the shared configuration (such as the licence) when this record was read. */
    readonly serviceVersion: number
    readonly accountPublicId: Account['publicId']
    readonly accountName: Account['name']
    readonly licenceDueAt: Date | null
  }

/** Reads a key with its account. A licence with a future publication date takes effect on that date. */
export async function readKey(db: Database, hash: Buffer): Promise<KeyRow | undefined> {
  const { rows } = await db.query<KeyRow>({
    name: 'read-key',
    text: `SELECT m.key_id AS "keyId", k.public_id AS "publicId", k.account_id AS "accountId", k.mode, k.hint, k.scopes, k.addresses,
             k.created_at AS "createdAt", k.expires_at AS "expiresAt", CASE WHEN m.ends_at = 'epoch' THEN m.ends_at ELSE k.revoked_at END AS "revokedAt",
             m.version AS "keyVersion", m.cap_id AS "capId", (SELECT version FROM service_state) AS "serviceVersion", w.version AS "accountVersion",
             a.public_id AS "accountPublicId", a.name AS "accountName", a.state, a.block_reason AS "blockReason", a.decline_reason AS "declineReason",
             a.plan, a.custom_per_minute AS "customPerMinute", a.custom_per_day AS "customPerDay",
             (SELECT min(l.grace_ends_at) FROM licence_version l WHERE l.published_at >
               coalesce((SELECT o.published_at FROM licence_version o WHERE o.label = a.accepted_licence), '-infinity')) AS "licenceDueAt"
           FROM api_key k JOIN key_meter m ON m.key_id = k.id JOIN account a ON a.id = k.account_id JOIN wallet w ON w.account_id = a.id
           WHERE k.hash = $1`,
    values: [hash],
  })
  return rows[0]
}

/** Records when and from where keys were last used. Never overwrites a later use recorded by another process. */
export async function writeUses(db: Database, uses: readonly KeyUse[]): Promise<void> {
  await db.query(
    `INSERT INTO key_use AS u (key_id, at, address) SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::text[]) ORDER BY 1
     ON CONFLICT (key_id) DO UPDATE SET at = excluded.at, address = excluded.address WHERE u.at < excluded.at`,
    [uses.map(({ keyId }) => keyId), uses.map(({ at }) => at), uses.map(({ address }) => address)],
  )
}
