import type { Pool, PoolClient } from 'pg'

/** Who changes something, and from where. Whoever works at the desk says why as well: `accountId` is the administrator. */
export type Actor =
  | {
      /** `account` is the account itself, `operator` the command line. */
      readonly actor: 'account' | 'operator' | 'service'
      /** Network address of whoever asked for it. */
      readonly address?: string | null
    }
  | Deed

/** Something that an administrator does at the desk. The reason is for the desk alone. */
export type Deed = { readonly actor: 'admin'; readonly adminId: number; readonly reason: string; readonly address: string | null }

/**
 * Who changed what about an account. `before` and `after` hold no secret, a password changed says only that it was; nor the address or the name of somebody,
 * since a line outlasts the account.
 */
export type AuditEntry = Actor & {
  /** Null: it is about no account. */
  readonly accountId: number | null
  readonly action: string
  /** Id of the thing that was changed, when it is not the account. */
  readonly subject?: string | null
  readonly before?: object | null
  readonly after?: object | null
}

/** Writes an entry. Take the client of the transaction that makes the change, so that there is never one without the other. */
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

export type AuditRow = { id: string; at: Date; actor: string; action: string; subject: string | null; before: unknown; after: unknown; address: string | null }

/** What the desk writes down about an account for itself: the account's own history does not have it. */
const unseen = ['account.note']

/** The newest entries of an account that it may see itself, from before an id on. */
export async function readAudit(pool: Pool, accountId: number, beforeId: string | null, most: number): Promise<AuditRow[]> {
  const { rows } = await pool.query<AuditRow>(
    `SELECT id, at, actor, action, subject, before, after, address FROM audit_entry
     WHERE account_id = $1 AND ($2::bigint IS NULL OR id < $2) AND action <> ALL ($4) ORDER BY id DESC LIMIT $3`,
    [accountId, beforeId, most, unseen],
  )
  return rows
}

export type DeskAuditRow = AuditRow & { account: string | null; admin: string | null; reason: string | null }

/** The newest entries of all, from before an id on. */
export async function readDeskAudit(pool: Pool, beforeId: string | null, most: number): Promise<DeskAuditRow[]> {
  const { rows } = await pool.query<DeskAuditRow>(
    `SELECT e.id, e.at, e.actor, e.action, e.subject, e.before, e.after, e.address, e.reason, a.public_id AS account, b.public_id AS admin
     FROM audit_entry e LEFT JOIN account a ON a.id = e.account_id LEFT JOIN account b ON b.id = e.actor_account_id
     WHERE $1::bigint IS NULL OR e.id < $1 ORDER BY e.id DESC LIMIT $2`,
    [beforeId, most],
  )
  return rows
}
