import type { Pool, PoolClient } from 'pg'

/** Source of a change: who made it and from where. Admin actions also carry a reason. */
export type Actor =
  | {
      /** `account` is the account itself, `operator` the command line. */
      readonly actor: 'account' | 'operator' | 'service'
      /** IP address of the requester. */
      readonly address?: string | null
    }
  | AdminActor

/** Admin action. `adminId` is the administrator's account; the reason is visible to administrators only. */
export type AdminActor = { readonly actor: 'admin'; readonly adminId: number; readonly reason: string; readonly address: string | null }

/**
 * A change to an account. `before` and `after` contain no secrets (a password change records only that it happened), and no email or name, because entries
 * outlive the account.
 */
export type AuditEntry = Actor & {
  /** Null if the entry concerns no account. */
  readonly accountId: number | null
  readonly action: string
  /** Public id of the changed object, if it is not the account. */
  readonly subject?: string | null
  readonly before?: object | null
  readonly after?: object | null
}

/** Inserts an entry. Pass the client of the transaction that makes the change, so that both commit or neither does. */
export async function insertAudit(client: PoolClient, entry: AuditEntry): Promise<void> {
  await client.query(
    `INSERT INTO audit_entry (account_id, actor, action, subject, before, after, address, actor_account_id, reason)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      entry.accountId,
      entry.actor,
      entry.action,
      entry.subject ?? null,
      entry.before ? JSON.stringify(entry.before) : null,
      entry.after ? JSON.stringify(entry.after) : null,
      entry.address ?? null,
      entry.actor === 'admin' ? entry.adminId : null,
      entry.actor === 'admin' ? entry.reason : null,
    ],
  )
}

export type BoundedEntry = { readonly publicId: string | null; readonly action: string; readonly address: string | null }

/** Inserts an entry by the service unless the account already has `maxAnHour` of this action in the last hour. Does nothing for an unknown account. */
export async function insertBoundedAudit(pool: Pool, { publicId, action, address }: BoundedEntry, maxAnHour: number): Promise<void> {
  await pool.query(
    `INSERT INTO audit_entry (account_id, actor, action, address)
     SELECT a.id, 'service', $2, $3 FROM account a WHERE a.public_id = $1 AND a.closed_at IS NULL AND
       (SELECT count(*) FROM audit_entry e WHERE e.account_id = a.id AND e.action = $2 AND e.at > now() - interval '1 hour') < $4`,
    [publicId, action, address, maxAnHour],
  )
}

export type AuditRow = { id: string; at: Date; actor: string; action: string; subject: string | null; before: unknown; after: unknown; address: string | null }

/** Admin actions on an account that are hidden from the account. */
const adminOnlyActions = ['credits.propose', 'credits.decline', 'viewing.end', 'viewing.lapse', 'account.note']

/** Returns an account's newest entries before an id. For admin actions it omits the address and the recorded details. */
export async function readAudit(pool: Pool, accountId: number, beforeId: string | null, max: number): Promise<AuditRow[]> {
  const unlessAdmin = (column: string) => `CASE WHEN actor <> 'admin' THEN ${column} END AS ${column}`
  const { rows } = await pool.query<AuditRow>(
    `SELECT id, at, actor, action, subject, ${unlessAdmin('before')}, ${unlessAdmin('after')}, ${unlessAdmin('address')} FROM audit_entry
     WHERE account_id = $1 AND action <> ALL ($4) AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [accountId, beforeId, max, adminOnlyActions],
  )
  return rows
}
