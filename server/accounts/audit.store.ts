import type { Database, Transaction } from '#server/db/prisma.ts'

/** Origin of a change: who made it and from where. Admin actions also carry a reason. */
export type Actor =
  | {
      /** `account` is the account itself, `operator` the command line. */
      readonly actor: 'account' | 'operator' | 'service'
      /** IP address of the requester. */
      readonly address?: string | null
    }
  | AdminActor

/** Admin action. `adminId` is the administrator's account; the reason is visible to administrators only. */
export type AdminActor = { readonly actor: 'admin'; readonly adminId: number; readonly reason: string; readonly address: string | null }

/**
 * A change to an account. `before` and `after` contain no secrets (a password change records only that it happened), and no email or name, because entries
 * outlive the account.
 */
export type AuditEntry = Actor & {
  /** Null if the entry concerns no account. */
  readonly accountId: number | null
  readonly action: string
  /** Public id of the changed object, if it is not the account. */
  readonly subject?: string | null
  readonly before?: object | null
  readonly after?: object | null
}

/** Inserts an entry. Pass the client of the transaction that makes the change, so that the change and its entry are committed together. */
export async function insertAudit(client: Transaction, entry: AuditEntry): Promise<void> {
  await client.query(
    `INSERT INTO audit_entry (account_id, actor, action, subject, before, after, address, actor_account_id, reason)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      entry.accountId,
      entry.actor,
      entry.action,
      entry.subject ?? null,
      entry.before ? JSON.stringify(entry.before) : null,
      entry.after ? JSON.stringify(entry.after) : null,
      entry.address ?? null,
      entry.actor === 'admin' ? entry.adminId : null,
      entry.actor === 'admin' ? entry.reason : null,
    ],
  )
}

export type BoundedEntry = { readonly publicId: string | null; readonly action: string; readonly address: string | null }

/**
 * Inserts an entry made by the service, unless the account already has `maxAnHour` entries for this action in the last hour. Does nothing for an unknown
 * account.
 */
export async function insertBoundedAudit(pool: Database, { publicId, action, address }: BoundedEntry, maxAnHour: number): Promise<void> {
  await pool.query(
    `INSERT INTO audit_entry (account_id, actor, action, address)
     SELECT a.id, 'service', $2, $3 FROM account a WHERE a.public_id = $1 AND a.closed_at IS NULL AND
       (SELECT count(*) FROM audit_entry e WHERE e.account_id = a.id AND e.action = $2 AND e.at > now() - interval '1 hour') < $4`,
    [publicId, action, address, maxAnHour],
  )
}

type AuditRow = { id: string; at: Date; actor: string; action: string; subject: string | null; before: unknown; after: unknown; address: string | null }

/** Admin actions on an account that are hidden from the account. */
const adminOnlyActions = ['credits.propose', 'credits.decline', 'viewing.end', 'viewing.lapse', 'account.note']

/** Returns an account's newest entries before an id. For admin actions, omits the IP address and the recorded details. */
export async function readAudit(pool: Database, accountId: number, beforeId: string | null, max: number): Promise<AuditRow[]> {
  const unlessAdmin = (column: string) => `CASE WHEN actor <> 'admin' THEN ${column} END AS ${column}`
  const { rows } = await pool.query<AuditRow>(
    `SELECT id, at, actor, action, subject, ${unlessAdmin('before')}, ${unlessAdmin('after')}, ${unlessAdmin('address')} FROM audit_entry
     WHERE account_id = $1 AND action <> ALL ($4) AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [accountId, beforeId, max, adminOnlyActions],
  )
  return rows
}

type HistoryRow = AuditRow & { admin: string | null; reason: string | null }

/** Returns an account's newest entries before an id, including those hidden from the account. */
export async function readHistory(pool: Database, accountId: number, beforeId: string | null, max: number): Promise<HistoryRow[]> {
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
export async function readNotes(pool: Database, accountId: number, max: number): Promise<NoteRow[]> {
  const { rows } = await pool.query<NoteRow>(
    `SELECT e.id, e.at, e.reason AS text, b.public_id AS admin FROM audit_entry e JOIN account b ON b.id = e.actor_account_id
     WHERE e.account_id = $1 AND e.action = 'account.note' ORDER BY e.id DESC LIMIT $2`,
    [accountId, max],
  )
  return rows
}

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
export async function readAuditLog(pool: Database, filter: AuditFilter, place: AuditPlace | null, max: number): Promise<AuditLogRow[]> {
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
export async function readActions(pool: Database, max: number): Promise<string[]> {
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
