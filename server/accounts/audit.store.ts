import type { Pool, PoolClient } from 'pg'

/**
 * Who changed what about an account. `before` and `after` hold no secret, a password changed says only that it was; nor the address or the name of somebody,
 * since a line outlasts the account.
 */
export type AuditEntry = {
  readonly accountId: number
  /** `account` is the account itself, `operator` the command line. */
  readonly actor: 'account' | 'operator' | 'service'
  readonly action: string
  /** Id of the thing that was changed, when it is not the account. */
  readonly subject?: string | null
  readonly before?: object | null
  readonly after?: object | null
  /** Network address of whoever asked for it. */
  readonly address?: string | null
}

/** Writes an entry. Take the client of the transaction that makes the change, so that there is never one without the other. */
export async function insertAudit(client: PoolClient, entry: AuditEntry): Promise<void> {
  await client.query('INSERT INTO audit_entry (account_id, actor, action, subject, before, after, address) VALUES ($1, $2, $3, $4, $5, $6, $7)', [
    entry.accountId,
    entry.actor,
    entry.action,
    entry.subject ?? null,
    entry.before ? JSON.stringify(entry.before) : null,
    entry.after ? JSON.stringify(entry.after) : null,
    entry.address ?? null,
  ])
}

export type AuditRow = { id: string; at: Date; actor: string; action: string; subject: string | null; before: unknown; after: unknown; address: string | null }

/** The newest entries of an account, from before an id on. */
export async function readAudit(pool: Pool, accountId: number, beforeId: string | null, most: number): Promise<AuditRow[]> {
  const { rows } = await pool.query<AuditRow>(
    `SELECT id, at, actor, action, subject, before, after, address FROM audit_entry
     WHERE account_id = $1 AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [accountId, beforeId, most],
  )
  return rows
}
