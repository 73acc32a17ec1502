import type { Pool, PoolClient } from 'pg'

/** Who changes something, and from where. Whoever works at the desk says why as well: `accountId` is the administrator. */
export type Actor =
  | {
      /** `account` is the account itself, `operator` the command line. */
      readonly actor: 'account' | 'operator' | 'service'
      /** Network address of whoever asked for it. */
      readonly address?: string | null
    }
  | AdminActor

/** Something that an administrator does at the desk. The reason is for the desk alone. */
export type AdminActor = { readonly actor: 'admin'; readonly adminId: number; readonly reason: string; readonly address: string | null }

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

export type BoundedEntry = { readonly publicId: string | null; readonly action: string; readonly address: string | null }

/** Writes an entry of the service unless the account has so many of its kind within the last hour. Does nothing for an unknown account. */
export async function insertBoundedAudit(pool: Pool, { publicId, action, address }: BoundedEntry, maxAnHour: number): Promise<void> {
  await pool.query(
    `INSERT INTO audit_entry (account_id, actor, action, address)
     SELECT a.id, 'service', $2, $3 FROM account a WHERE a.public_id = $1 AND a.closed_at IS NULL AND
       (SELECT count(*) FROM audit_entry e WHERE e.account_id = a.id AND e.action = $2 AND e.at > now() - interval '1 hour') < $4`,
    [publicId, action, address, maxAnHour],
  )
}

export type AuditRow = { id: string; at: Date; actor: string; action: string; subject: string | null; before: unknown; after: unknown; address: string | null }

/** What is decided at the desk about an account and is nothing that it has to know of. */
const adminOnlyActions = ['credits.propose', 'credits.decline', 'viewing.end', 'viewing.lapse', 'account.note']

/** The newest entries of an account, from before an id on. Of what the desk did it has what and when: not from where, nor what was written down beside it. */
export async function readAudit(pool: Pool, accountId: number, beforeId: string | null, most: number): Promise<AuditRow[]> {
  const own = (column: string) => `CASE WHEN actor <> 'admin' THEN ${column} END AS ${column}`
  const { rows } = await pool.query<AuditRow>(
    `SELECT id, at, actor, action, subject, ${own('before')}, ${own('after')}, ${own('address')} FROM audit_entry
     WHERE account_id = $1 AND action <> ALL ($4) AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [accountId, beforeId, most, adminOnlyActions],
  )
  return rows
}
