import type { Pool } from 'pg'
import type { AuditRow } from './audit.store.ts'

/** What is looked for; null: anything. Accounts and administrators by their public ids, days of UTC from the first to the last. */
export type AuditFilter = {
  readonly account: string | null
  readonly admin: string | null
  readonly action: string | null
  readonly subject: string | null
  readonly from: string | null
  readonly to: string | null
}

/** `at_micros` with the id is the place of a line: microseconds since 1970. */
export type AuditLogRow = AuditRow & { at_micros: string; account: string | null; admin: string | null; reason: string | null }

export type AuditPlace = { readonly micros: string; readonly id: string }

/** The id of an account by its public one; -1, which none has, when there is none: nothing is found then. */
const idOf = (parameter: string) => `coalesce((SELECT id FROM account WHERE public_id = ${parameter}), -1)`

/** Each filter that is asked for is a condition of its own, so that the planner has the index for it. */
function conditionsOf(filter: AuditFilter, place: AuditPlace | null): { sql: string; values: unknown[] } {
  const parts: string[] = []
  const values: unknown[] = []
  const add = (value: unknown, sql: (parameter: string) => string) => {
    if (value === null) return
    values.push(value)
    parts.push(sql(`$${values.length}`))
  }
  add(filter.account, (p) => `e.account_id = ${idOf(p)}`)
  add(filter.admin, (p) => `e.actor_account_id = ${idOf(p)}`)
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

/** Lines of the log, newest first, from behind a place on. */
export async function readAuditLog(pool: Pool, filter: AuditFilter, place: AuditPlace | null, most: number): Promise<AuditLogRow[]> {
  const { sql, values } = conditionsOf(filter, place)
  const { rows } = await pool.query<AuditLogRow>(
    `SELECT l.*, a.public_id AS account, b.public_id AS admin FROM (
       SELECT e.id, e.at, (extract(epoch FROM e.at) * 1000000)::bigint::text AS at_micros, e.actor, e.action, e.subject, e.before, e.after, e.address, e.reason,
         e.account_id, e.actor_account_id
       FROM audit_entry e ${sql} ORDER BY e.at DESC, e.id DESC LIMIT $${values.length + 1}) l
     LEFT JOIN account a ON a.id = l.account_id LEFT JOIN account b ON b.id = l.actor_account_id ORDER BY l.at DESC, l.id DESC`,
    [...values, most],
  )
  return rows
}

/** Every action that stands in the log: one look into the index for each. */
export async function readActions(pool: Pool, most: number): Promise<string[]> {
  const { rows } = await pool.query<{ action: string }>(
    `WITH RECURSIVE found AS (
       (SELECT action FROM audit_entry ORDER BY action LIMIT 1)
       UNION ALL
       SELECT (SELECT e.action FROM audit_entry e WHERE e.action > f.action ORDER BY e.action LIMIT 1) FROM found f WHERE f.action IS NOT NULL)
     SELECT action FROM found WHERE action IS NOT NULL LIMIT $1`,
    [most],
  )
  return rows.map(({ action }) => action)
}
