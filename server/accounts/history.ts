import type { Pool } from 'pg'
import { inTransaction } from '#server/db/transaction.ts'
import { type AdminActor, insertAudit } from './audit.store.ts'
import type { AuditLine } from './audit.ts'
import { type NoteRow, readHistory, readNotes } from './history.store.ts'

const pageSize = 25
const mostNotes = 50

/** A line of the history of an account, with the public id of the administrator, if one did it, and why. */
export type HistoryLine = AuditLine & { readonly admin: string | null; readonly reason: string | null }

/** What became of an account, as the desk reads it, newest first, 25 a page; `next` is the id to go on before, or null. */
export async function historyForAdmin(pool: Pool, accountId: number, beforeId: string | null): Promise<{ lines: HistoryLine[]; next: string | null }> {
  const rows = await readHistory(pool, accountId, beforeId, pageSize + 1)
  const lines = rows.slice(0, pageSize)
  return { lines, next: rows.length > pageSize ? (lines.at(-1)?.id ?? null) : null }
}

/** A note of the desk: its text, when and by whom (a public id). */
export type Note = NoteRow

/**
 * Notes something about an account for the desk alone. A note is a line of the audit log that changed nothing: its text is the reason of that line, so it
 * is never changed and never lost. The account does not see the line.
 */
export const addNote = (pool: Pool, by: AdminActor, accountId: number): Promise<void> =>
  inTransaction(pool, (client) => insertAudit(client, { ...by, accountId, action: 'account.note' }))

/** The newest 50. */
export const notesOf = (pool: Pool, accountId: number): Promise<Note[]> => readNotes(pool, accountId, mostNotes)
