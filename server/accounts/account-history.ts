import type { Pool } from 'pg'
import { inTransaction } from '#server/db/transaction.ts'
import { type AdminActor, insertAudit } from './audit.store.ts'
import type { AuditLine } from './audit.ts'
import { type NoteRow, readHistory, readNotes } from './history.store.ts'

const pageSize = 25
const maxNotes = 50

/** History entry with the reason and the administrator's public id, if an administrator made the change. */
export type HistoryLine = AuditLine & { readonly admin: string | null; readonly reason: string | null }

/** Returns a page of 25 history entries for administrators, newest first. `next` is the id to pass as `beforeId`, or null. */
export async function historyForAdmin(pool: Pool, accountId: number, beforeId: string | null): Promise<{ lines: HistoryLine[]; next: string | null }> {
  const rows = await readHistory(pool, accountId, beforeId, pageSize + 1)
  const lines = rows.slice(0, pageSize)
  return { lines, next: rows.length > pageSize ? (lines.at(-1)?.id ?? null) : null }
}

/** Admin note with its time and author (public id). */
export type Note = NoteRow

/**
 * Adds an admin note to an account. A note is an audit entry without a change whose reason is the text, so it can't be edited or lost. The account doesn't see
 * it.
 */
export const addNote = (pool: Pool, by: AdminActor, accountId: number): Promise<void> =>
  inTransaction(pool, (client) => insertAudit(client, { ...by, accountId, action: 'account.note' }))

/** Returns the newest 50 notes. */
export const getNotes = (pool: Pool, accountId: number): Promise<Note[]> => readNotes(pool, accountId, maxNotes)
