import type { Pool } from 'pg'
import { csvLine } from '#server/api/contract/csv.ts'
import type { AuditLine } from './audit.ts'
import { type AuditFilter, type AuditLogRow, type AuditPlace, readActions, readAuditLog } from './audit-log.store.ts'

export type { AuditFilter }

/** A line as the desk reads it: of which account, by which administrator, and why. */
export type AdminAuditLine = AuditLine & {
  /** Public id; null: it is about no account. */
  readonly account: string | null
  /** Public id of the administrator; null: it was not done at the desk. */
  readonly admin: string | null
  readonly reason: string | null
}

const pageSize = 50
const mostActions = 500

const lineOf = ({ id, at, actor, action, subject, before, after, address, account, admin, reason }: AuditLogRow): AdminAuditLine => ({
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

const placeAfter = ({ at_micros: micros, id }: AuditLogRow): AuditPlace => ({ micros, id })

/** A place as text: `1795298565000000_42`. */
export const auditCursorForm = /^\d{1,18}_\d{1,18}$/

function placeOf(cursor: string | null): AuditPlace | null {
  const [micros, id] = cursor?.split('_') ?? []
  return micros === undefined || id === undefined ? null : { micros, id }
}

/** The changes of all accounts and of the desk, newest first, 50 a page; `next` is the place behind which the next page begins, or null. */
export async function auditLog(pool: Pool, filter: AuditFilter, cursor: string | null): Promise<{ lines: AdminAuditLine[]; next: string | null }> {
  const rows = await readAuditLog(pool, filter, placeOf(cursor), pageSize + 1)
  const [shown, last] = [rows.slice(0, pageSize), rows[pageSize - 1]]
  return { lines: shown.map(lineOf), next: rows.length > pageSize && last ? `${last.at_micros}_${last.id}` : null }
}

/** Actions that can be looked for. */
export const auditActions = (pool: Pool): Promise<string[]> => readActions(pool, mostActions)

const columns = ['at', 'actor', 'admin', 'address', 'action', 'subject', 'account', 'reason', 'before', 'after'] as const

const json = (value: unknown): string => (value === null ? '' : JSON.stringify(value))

const csvOf = (row: AuditLogRow): string =>
  csvLine([row.at.toISOString(), row.actor, row.admin, row.address, row.action, row.subject, row.account, row.reason, json(row.before), json(row.after)])

/** Lines that are read and handed on at a time. */
const batch = 1_000

/** The same lines as a CSV file, newest first, in pieces: whoever writes them out holds a thousand lines at a time, whatever the length. */
export async function* exportAudit(pool: Pool, filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine(columns)
  for (let place: AuditPlace | null = null; ; ) {
    const rows: AuditLogRow[] = await readAuditLog(pool, filter, place, batch)
    if (rows.length > 0) yield rows.map(csvOf).join('')
    const last = rows.at(-1)
    if (rows.length < batch || !last) return
    place = placeAfter(last)
  }
}
