import type { Database } from '#server/db/prisma.ts'
import { type Actor, type AdminActor, type AuditEntry, insertAudit, insertBoundedAudit, readAudit } from './audit.store.ts'

export type { Actor, AdminActor, AuditEntry }

export const writeAudit = insertAudit
export const writeBoundedAudit = insertBoundedAudit

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

/** Returns a page of 50 entries as the account sees them, newest first. `next` is the id to pass as `beforeId`, or null. */
export async function getAudit(pool: Database, accountId: number, beforeId: string | null): Promise<{ lines: AuditLine[]; next: string | null }> {
  const rows = await readAudit(pool, accountId, beforeId, pageSize + 1)
  const lines = rows.slice(0, pageSize)
  return { lines, next: rows.length > pageSize ? (lines.at(-1)?.id ?? null) : null }
}
