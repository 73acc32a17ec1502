import { csvLine } from '#server/api/contract/csv.ts'
import { dayMs } from '#server/api/contract/dates.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type AdminActor, writeAudit } from './audit.ts'

/** Filter of the audit log; null matches everything. Accounts and administrators by public id; `from` and `to` are inclusive UTC dates. */
export type AuditFilter = {
  readonly account: string | null
  readonly admin: string | null
  readonly action: string | null
  readonly subject: string | null
  readonly from: string | null
  readonly to: string | null
}

const select = {
  id: true,
  at: true,
  actor: true,
  action: true,
  subject: true,
  before: true,
  after: true,
  address: true,
  reason: true,
  account: { select: { publicId: true, email: true } },
  actorAccount: { select: { publicId: true, email: true } },
  member: { select: { email: true } },
} as const satisfies Prisma.AuditEntrySelect

type Entry = Prisma.AuditEntryGetPayload<{ select: typeof select }>

/** Returns an entry as administrators see it. */
const toLine = ({ account, actorAccount, member, id, ...entry }: Entry) => ({
  ...entry,
  id: String(id),
  /** Public id; null if the entry concerns no account. */
  account: account?.publicId ?? null,
  accountEmail: account?.email ?? null,
  /** Public id of the administrator; null unless the entry records an admin action. */
  admin: actorAccount?.publicId ?? null,
  adminEmail: actorAccount?.email ?? null,
  /** Email of the member who made the change; null for the account's own login. */
  memberEmail: member?.email ?? null,
})

type Line = ReturnType<typeof toLine>

/** Returns the webhook URL recorded in an entry, or null. Later changes to the endpoint don't change the entry. */
function getRecordedUrl({ action, after }: Line): string | null {
  if (!action.startsWith('webhook.') || typeof after !== 'object' || after === null || !('url' in after)) return null
  return typeof after.url === 'string' ? after.url : null
}

/** Adds the name of the key, the URL of the webhook endpoint or the email of the member that each entry is about; null for other subjects. */
async function withSubjectNames(db: Database, lines: readonly Line[]) {
  const subjects = lines.flatMap(({ subject }) => subject ?? [])
  const where = { publicId: { in: subjects } }
  const [keys, endpoints, people] = await Promise.all([
    db.apiKey.findMany({ where, take: subjects.length, select: { publicId: true, name: true, hint: true } }),
    db.webhookEndpoint.findMany({ where, take: subjects.length, select: { publicId: true, url: true } }),
    db.account.findMany({ where, take: subjects.length, select: { publicId: true, email: true } }),
  ])
  const names = new Map([
    ...keys.map(({ publicId, name, hint }) => [publicId, `${name === '' ? 'Unnamed key' : name} (ends ${hint.slice(-4)})`] as const),
    ...people.map(({ publicId, email }) => [publicId, email] as const),
    ...endpoints.map(({ publicId, url }) => [publicId, url] as const),
  ])
  return lines.map((line) => ({ ...line, subjectName: getRecordedUrl(line) ?? names.get(line.subject ?? '') ?? null }))
}

/** Returns the emails of a filter's account and administrator: null if not set, the id if unknown. */
async function findPeople(db: Database, { account, admin }: Pick<AuditFilter, 'account' | 'admin'>) {
  const ids = [account, admin].flatMap((id) => id ?? [])
  const people =
    ids.length === 0 ? [] : await db.account.findMany({ where: { publicId: { in: ids } }, take: ids.length, select: { publicId: true, email: true } })
  const getEmail = (id: string | null) => people.find(({ publicId }) => publicId === id)?.email ?? id
  return { account: getEmail(account), admin: getEmail(admin) }
}

/** Position in the log: entries are sorted by time, then by id, newest first. */
type Position = { readonly at: Date; readonly id: bigint }

/** Format of a cursor, such as `1795298565000_42`: the time of an entry in milliseconds since 1970, and its id. */
export const auditCursorForm = /^\d{1,15}_\d{1,18}$/

const toCursor = ({ at, id }: Position): string => `${at.getTime()}_${id}`

function parseCursor(cursor: string | null): Position | null {
  const [millis, id] = cursor?.split('_') ?? []
  return millis === undefined || id === undefined ? null : { at: new Date(Number(millis)), id: BigInt(id) }
}

/** Returns one condition for each filter that is set. */
function toConditions({ account, admin, action, subject, from, to }: AuditFilter): Prisma.AuditEntryWhereInput[] {
  return [
    ...(account === null ? [] : [{ account: { publicId: account } }]),
    ...(admin === null ? [] : [{ actorAccount: { publicId: admin } }]),
    ...(action === null ? [] : [{ action }]),
    ...(subject === null ? [] : [{ subject }]),
    ...(from === null ? [] : [{ at: { gte: new Date(from) } }]),
    ...(to === null ? [] : [{ at: { lt: new Date(Date.parse(to) + dayMs) } }]),
  ]
}

/** Returns entries after a position, newest first. */
function readEntries(db: Database, filter: AuditFilter, after: Position | null, take: number): Promise<Entry[]> {
  // The first condition is redundant, but lets PostgreSQL start the index scan at the time of the cursor.
  const rest = after ? [{ at: { lte: after.at } }, { OR: [{ at: { lt: after.at } }, { id: { lt: after.id } }] }] : []
  return db.auditEntry.findMany({ where: { AND: [...toConditions(filter), ...rest] }, orderBy: [{ at: 'desc' }, { id: 'desc' }], take, select })
}

const pageSize = 50

/** Returns a page of 50 entries across all accounts, newest first. `next` is the cursor of the next page, or null. */
export async function auditLog(db: Database, filter: AuditFilter, cursor: string | null) {
  const [entries, people] = await Promise.all([readEntries(db, filter, parseCursor(cursor), pageSize + 1), findPeople(db, filter)])
  const last = entries[pageSize - 1]
  const lines = await withSubjectNames(db, entries.slice(0, pageSize).map(toLine))
  return { lines, people, next: entries.length > pageSize && last ? toCursor(last) : null }
}

const maxActions = 500

/**
 * Returns the actions that occur in the log, as options for a filter. Looks up each in the index (a loose index scan), because SELECT DISTINCT would read the
 * whole log.
 */
export async function auditActions(db: Database): Promise<string[]> {
  const actions: string[] = []
  for (let last = ''; actions.length < maxActions; ) {
    const next = await db.auditEntry.findFirst({ where: { action: { gt: last } }, orderBy: { action: 'asc' }, select: { action: true } })
    if (!next) break
    last = next.action
    actions.push(last)
  }
  return actions
}

const columns = ['at', 'actor', 'admin', 'address', 'action', 'subject', 'account', 'reason', 'before', 'after', 'memberEmail'] as const

const json = (value: unknown): string => (value === null ? '' : JSON.stringify(value))

const toCsv = ({ at, before, after, ...line }: Line): string => {
  const cells = { ...line, at: at.toISOString(), before: json(before), after: json(after) }
  return csvLine(columns.map((column) => cells[column]))
}

/** Number of rows per query of an export. */
const batchSize = 1_000

/** Exports the entries that match a filter as CSV, newest first, in chunks of at most a thousand rows. */
export async function* exportAudit(db: Database, filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine(columns)
  for (let last: Position | null = null; ; ) {
    const entries: Entry[] = await readEntries(db, filter, last, batchSize)
    if (entries.length > 0) yield entries.map(toLine).map(toCsv).join('')
    last = entries.at(-1) ?? null
    if (entries.length < batchSize) return
  }
}

const historyPageSize = 25

/** Returns a page of 25 history entries for administrators, newest first. `next` is the id to pass as `beforeId`, or null. */
export async function historyForAdmin(db: Database, accountId: number, beforeId: string | null) {
  const where = { accountId, ...(beforeId === null ? {} : { id: { lt: BigInt(beforeId) } }) }
  const entries = await db.auditEntry.findMany({ where, orderBy: { id: 'desc' }, take: historyPageSize + 1, select })
  const lines = await withSubjectNames(db, entries.slice(0, historyPageSize).map(toLine))
  return { lines, next: entries.length > historyPageSize ? (lines.at(-1)?.id ?? null) : null }
}

/**
 * Adds an admin note, with its text in `by.reason`, to an account. It is stored as an audit entry without a change, so it can't be edited or deleted. The
 * account doesn't see it.
 */
export const addNote = (db: Database, by: AdminActor, accountId: number): Promise<void> =>
  inTransaction(db, (tx) => writeAudit(tx, { ...by, accountId, action: 'account.note' }))

const maxNotes = 50

/** Returns the newest 50 admin notes with their time and the email of their author. */
export async function getNotes(db: Database, accountId: number) {
  const entries = await db.auditEntry.findMany({ where: { accountId, action: 'account.note' }, orderBy: { id: 'desc' }, take: maxNotes, select })
  return entries.map(({ id, at, reason, actorAccount }) => ({ id: String(id), at, text: reason ?? '', admin: actorAccount?.email ?? '' }))
}
