import type { Pool } from 'pg'
import type { AuditRow } from './audit.store.ts'

/** Filter of the audit log; null matches everything. Accounts and administrators by public id; `from` and `to` are inclusive UTC dates. */
export type AuditFilter = {
  readonly account: string | null
  readonly admin: string | null
  readonly action: string | null
  readonly subject: string | null
  readonly from: string | null
  readonly to: string | null
}

/** `at_micros` (microseconds since 1970) and the id form the pagination cursor. */
export type AuditLogRow = AuditRow & { at_micros: string; account: string | null; admin: string | null; reason: string | null }

export type AuditPlace = { readonly micros: string; readonly id: string }

/** Resolves a public id to an account id. Falls back to -1, which matches nothing. */
const accountIdSql = (parameter: string) => `coalesce((SELECT id FROM account WHERE public_id = ${parameter}), -1)`

/** Adds a separate condition for each filter in use, so that the planner can use its index. */
function toConditions(filter: AuditFilter, place: AuditPlace | null): { sql: string; values: unknown[] } {
  const parts: string[] = []
  const values: unknown[] = []
  const add = (value: unknown, sql: (parameter: string) => string) => {
    if (value === null) return
    values.push(value)
    parts.push(sql(`$${values.length}`))
  }
  add(filter.account, (p) => `e.account_id = ${accountIdSql(p)}`)
  add(filter.admin, (p) => `e.actor_account_id = ${accountIdSql(p)}`)
  add(filter.action, (p) => `e.action = ${p}`)
  add(filter.subject, (p) => `e.subject = ${p}`)
  add(filter.from, (p) => `e.at >= ${p}::date::timestamp AT TIME ZONE 'UTC'`)
  add(filter.to, (p) => `e.at < (${p}::date + 1)::timestamp AT TIME ZONE 'UTC'`)
  if (place !== null) {
    values.push(place.micros, place.id)
    parts.push(`(e.at, e.id) < (timestamptz 'epoch' + $${values.length - 1}::bigint * interval '1 microsecond', $${values.length}::bigint)`)
  }
  return { sql: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values }
}

/** Returns entries after a cursor position, newest first. */
export async function readAuditLog(pool: Pool, filter: AuditFilter, place: AuditPlace | null, max: number): Promise<AuditLogRow[]> {
  const { sql, values } = toConditions(filter, place)
  const { rows } = await pool.query<AuditLogRow>(
    `SELECT l.*, a.public_id AS account, b.public_id AS admin FROM (
       SELECT e.id, e.at, (extract(epoch FROM e.at) * 1000000)::bigint::text AS at_micros, e.actor, e.action, e.subject, e.before, e.after, e.address, e.reason,
         e.account_id, e.actor_account_id
       FROM audit_entry e ${sql} ORDER BY e.at DESC, e.id DESC LIMIT $${values.length + 1}) l
     LEFT JOIN account a ON a.id = l.account_id LEFT JOIN account b ON b.id = l.actor_account_id ORDER BY l.at DESC, l.id DESC`,
    [...values, max],
  )
  return rows
}

/** Lists the distinct actions with one index lookup each (loose index scan). */
export async function readActions(pool: Pool, max: number): Promise<string[]> {
  const { rows } = await pool.query<{ action: string }>(
    `WITH RECURSIVE found AS (
       (SELECT action FROM audit_entry ORDER BY action LIMIT 1)
       UNION ALL
       SELECT (SELECT e.action FROM audit_entry e WHERE e.action > f.action ORDER BY e.action LIMIT 1) FROM found f WHERE f.action IS NOT NULL)
     SELECT action FROM found WHERE action IS NOT NULL LIMIT $1`,
    [max],
  )
  return rows.map(({ action }) => action)
}
