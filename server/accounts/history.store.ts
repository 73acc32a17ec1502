import type { Pool } from 'pg'
import type { AuditRow } from './audit.store.ts'

export type HistoryRow = AuditRow & { admin: string | null; reason: string | null }

/** Returns an account's newest entries before an id, including those hidden from the account. */
export async function readHistory(pool: Pool, accountId: number, beforeId: string | null, max: number): Promise<HistoryRow[]> {
  const { rows } = await pool.query<HistoryRow>(
    `SELECT e.id, e.at, e.actor, e.action, e.subject, e.before, e.after, e.address, e.reason, b.public_id AS admin
     FROM audit_entry e LEFT JOIN account b ON b.id = e.actor_account_id
     WHERE e.account_id = $1 AND ($2::bigint IS NULL OR e.id < $2) ORDER BY e.id DESC LIMIT $3`,
    [accountId, beforeId, max],
  )
  return rows
}

export type NoteRow = { id: string; at: Date; text: string; admin: string }

/** Returns the newest notes on an account. */
export async function readNotes(pool: Pool, accountId: number, max: number): Promise<NoteRow[]> {
  const { rows } = await pool.query<NoteRow>(
    `SELECT e.id, e.at, e.reason AS text, b.public_id AS admin FROM audit_entry e JOIN account b ON b.id = e.actor_account_id
     WHERE e.account_id = $1 AND e.action = 'account.note' ORDER BY e.id DESC LIMIT $2`,
    [accountId, max],
  )
  return rows
}
