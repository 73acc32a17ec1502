import { csvLine } from '#server/api/contract/formats.ts'
import type { Database } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import {
  type AdminActor,
  type AuditFilter,
  type AuditLogRow,
  type AuditPlace,
  insertAudit,
  type NoteRow,
  readActions,
  readAuditLog,
  readHistory,
  readNotes,
} from './audit.store.ts'
import type { AuditLine } from './audit.ts'

export type { AuditFilter }

/** Audit log entry as administrators see it, with the account, administrator and reason. */
export type AdminAuditLine = AuditLine & {
  /** Public id; null if the entry concerns no account. */
  readonly account: string | null
  /** Public id of the administrator; null if it was not an admin action. */
  readonly admin: string | null
  readonly reason: string | null
}

const pageSize = 50
const maxActions = 500

const toLine = ({ id, at, actor, action, subject, before, after, address, account, admin, reason }: AuditLogRow): AdminAuditLine => ({
  id,
  at,
  actor,
  action,
  subject,
  before,
  after,
  address,
  account,
  admin,
  reason,
})

const toCursor = ({ at_micros: micros, id }: AuditLogRow): AuditPlace => ({ micros, id })

/** Format of a cursor, such as `1795298565000000_42`: the time of an entry in microseconds, and its id. */
export const auditCursorForm = /^\d{1,18}_\d{1,18}$/

function parseCursor(cursor: string | null): AuditPlace | null {
  const [micros, id] = cursor?.split('_') ?? []
  return micros === undefined || id === undefined ? null : { micros, id }
}

/** Returns a page of 50 entries across all accounts, newest first. `next` is the cursor of the next page, or null. */
export async function auditLog(pool: Database, filter: AuditFilter, cursor: string | null): Promise<{ lines: AdminAuditLine[]; next: string | null }> {
  const rows = await readAuditLog(pool, filter, parseCursor(cursor), pageSize + 1)
  const [shown, last] = [rows.slice(0, pageSize), rows[pageSize - 1]]
  return { lines: shown.map(toLine), next: rows.length > pageSize && last ? `${last.at_micros}_${last.id}` : null }
}

/** Returns the actions that occur in the log, to filter it by. */
export const auditActions = (pool: Database): Promise<string[]> => readActions(pool, maxActions)

const columns = ['at', 'actor', 'admin', 'address', 'action', 'subject', 'account', 'reason', 'before', 'after'] as const

const json = (value: unknown): string => (value === null ? '' : JSON.stringify(value))

const toCsv = (row: AuditLogRow): string =>
  csvLine([row.at.toISOString(), row.actor, row.admin, row.address, row.action, row.subject, row.account, row.reason, json(row.before), json(row.after)])

/** Number of rows per query of an export. */
const batchSize = 1_000

/** Exports the entries that match a filter as CSV, newest first, in chunks of at most a thousand rows. */
export async function* exportAudit(pool: Database, filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine(columns)
  for (let place: AuditPlace | null = null; ; ) {
    const rows: AuditLogRow[] = await readAuditLog(pool, filter, place, batchSize)
    if (rows.length > 0) yield rows.map(toCsv).join('')
    const last = rows.at(-1)
    if (rows.length < batchSize || !last) return
    place = toCursor(last)
  }
}

const historyPageSize = 25
const maxNotes = 50

/** History entry with the reason and the administrator's public id, if an administrator made the change. */
type HistoryLine = AuditLine & { readonly admin: string | null; readonly reason: string | null }

/** Returns a page of 25 history entries for administrators, newest first. `next` is the id to pass as `beforeId`, or null. */
export async function historyForAdmin(pool: Database, accountId: number, beforeId: string | null): Promise<{ lines: HistoryLine[]; next: string | null }> {
  const rows = await readHistory(pool, accountId, beforeId, historyPageSize + 1)
  const lines = rows.slice(0, historyPageSize)
  return { lines, next: rows.length > historyPageSize ? (lines.at(-1)?.id ?? null) : null }
}

/** Admin note with its time and author (public id). */
type Note = NoteRow

/**
 * Adds an admin note, with its text in `by.reason`, to an account. It is stored as an audit entry without a change, so it can't be edited or deleted. The
 * account doesn't see it.
 */
export const addNote = (pool: Database, by: AdminActor, accountId: number): Promise<void> =>
  inTransaction(pool, (client) => insertAudit(client, { ...by, accountId, action: 'account.note' }))

/** Returns the newest 50 notes. */
export const getNotes = (pool: Database, accountId: number): Promise<Note[]> => readNotes(pool, accountId, maxNotes)
