import type { Pool } from 'pg'
import { type Actor, type AuditEntry, type Deed, insertAudit, readAudit, readDeskAudit } from './audit.store.ts'

export type { Actor, AuditEntry, Deed }

export const writeAudit = insertAudit

export type AuditLine = {
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly subject: string | null
  readonly before: unknown
  readonly after: unknown
  readonly address: string | null
}

const pageSize = 50

/** Of what the desk did an account is shown what and when: not where somebody sat who did it, nor what else was written down. */
const asSeen = (line: AuditLine): AuditLine => (line.actor === 'admin' ? { ...line, before: null, after: null, address: null } : line)

/** The changes of an account as it sees them, newest first, 50 a page; `next` is the id to go on before, or null. */
export async function auditOf(pool: Pool, accountId: number, beforeId: string | null): Promise<{ lines: AuditLine[]; next: string | null }> {
  const rows = await readAudit(pool, accountId, beforeId, pageSize + 1)
  const lines = rows.slice(0, pageSize).map(asSeen)
  return { lines, next: rows.length > pageSize ? (lines.at(-1)?.id ?? null) : null }
}

/** A line as the desk reads it: of which account, by which administrator, and why. */
export type DeskAuditLine = AuditLine & {
  /** Public id; null: it is about no account. */
  readonly account: string | null
  /** Public id of the administrator; null: it was not done at the desk. */
  readonly admin: string | null
  readonly reason: string | null
}

/** The changes of all accounts and of the desk, newest first, 50 a page; `next` is the id to go on before, or null. */
export async function deskAudit(pool: Pool, beforeId: string | null): Promise<{ lines: DeskAuditLine[]; next: string | null }> {
  const rows = await readDeskAudit(pool, beforeId, pageSize + 1)
  const lines = rows.slice(0, pageSize)
  return { lines, next: rows.length > pageSize ? (lines.at(-1)?.id ?? null) : null }
}
