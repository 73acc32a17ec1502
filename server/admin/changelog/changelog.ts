import type { ChangeKind, ChangelogEntry } from '#server/api/contract/changelog.ts'
import { isoDay } from '#server/api/contract/dates.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import { lockFor } from '#server/db/locks.sql.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notifyConfigChanged } from '#server/metering/service-state.ts'

/** Maximum number of entries on the changelog page and in its feed. */
const maxEntries = 200

const columns = { publicId: true, publishedAt: true, kind: true, title: true, body: true, endpointIds: true } as const

type EntryRow = Omit<ChangelogEntry, 'id' | 'kind'> & { readonly publicId: string; readonly kind: string }

const toEntry = ({ publicId, kind, ...row }: EntryRow): ChangelogEntry => ({ ...row, id: publicId, kind: kind as ChangeKind })

/** Returns the published entries, newest first. Entries with a future time are left out. */
export async function publishedChanges(db: Database): Promise<ChangelogEntry[]> {
  const where = { publishedAt: { lte: new Date(clock.now()) } }
  const orderBy = [{ publishedAt: 'desc' }, { publicId: 'desc' }] as const
  return (await db.changelogEntry.findMany({ where, orderBy: [...orderBy], take: maxEntries, select: columns })).map(toEntry)
}

/** Changelog entry as written by an operator. The id and time are added on publication. */
export type NewChange = Omit<ChangelogEntry, 'id' | 'publishedAt'>

/** Notifies accounts about a changelog entry, in the transaction that writes the entry. Returns the number of accounts notified. */
export type Tell = (tx: Transaction, entry: ChangelogEntry) => Promise<number>

const maxLength = { title: 120, body: 10_000 } as const

export function titleFault(title: string): string | null {
  const line = title.trim()
  const isLine = line !== '' && line.length <= maxLength.title && !/\p{Cc}/u.test(line)
  return isLine ? null : `The title must be one line of up to ${maxLength.title} characters.`
}

export function textFault(body: string): string | null {
  const length = body.trim().length
  return length > 0 && length <= maxLength.body ? null : `The text must have 1 to ${maxLength.body} characters.`
}

/** Validates and normalises an entry for storage. @throws FieldsError */
export function checkedChange({ kind, title, body, endpointIds }: NewChange): NewChange {
  const change = { kind, title: title.trim(), body: body.trim().replaceAll('\r\n', '\n'), endpointIds: [...new Set(endpointIds)].toSorted() }
  refuseFaults({ title: titleFault(title), body: textFault(body) })
  return change
}

/** Builds the id of an entry from its date and title, such as `2026-11-21-logos-of-cards`. The changelog page and the feed use the id, so it never changes. */
export function entryId(title: string, at: Date): string {
  const parts = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['change']
  return `${isoDay(at)}-${parts.join('-').slice(0, 60).replace(/-$/, '')}`
}

export type Published = {
  readonly entry: ChangelogEntry
  /** Number of accounts notified. */
  readonly recipientCount: number
  /** False if an identical entry already exists; in that case, nothing is written. */
  readonly isNew: boolean
}

/** Locks the changelog against other publications until the transaction ends, so that checks made before publishing remain valid. */
export const lockChanges = (tx: Transaction): Promise<void> => lockFor(tx, 'changelog')

/** Publishes an entry and notifies accounts, in the same transaction as the change that the entry describes. @throws FieldsError */
async function publishChangeEntry(tx: Transaction, given: NewChange, tell: Tell): Promise<Published> {
  const { kind, title, body, endpointIds } = checkedChange(given)
  const change = { kind, title, body }
  await lockChanges(tx)
  const where = { ...change, endpointIds: { equals: [...endpointIds] } }
  const same = await tx.changelogEntry.findFirst({ where, orderBy: { publishedAt: 'desc' }, select: columns })
  if (same) return { entry: toEntry(same), recipientCount: 0, isNew: false }
  const publishedAt = new Date(clock.now())
  const id = entryId(title, publishedAt)
  const data = { ...change, publicId: id, publishedAt, endpointIds: [...endpointIds] }
  const { count } = await tx.changelogEntry.createMany({ data: [data], skipDuplicates: true })
  if (count === 0) throw new FieldsError({ title: `Entry ${id} already exists with different text. Choose another title.` })
  const entry = { ...change, id, publishedAt, endpointIds }
  return { entry, recipientCount: await tell(tx, entry), isNew: true }
}

/** Publishes an entry, or rejects it if an identical one exists. @throws FieldsError */
export async function publishNewChange(tx: Transaction, given: NewChange, tell: Tell): Promise<Published> {
  const published = await publishChangeEntry(tx, given, tell)
  refuseFaults({ title: published.isNew ? null : `Entry ${published.entry.id} has identical content. Choose another title.` })
  return published
}

/**
 * Publishes an entry and notifies accounts in one transaction. If an identical entry exists, returns it and notifies no one, so an interrupted command can
 * be run again.
 * @throws FieldsError
 */
export const publishChange = (db: Database, change: NewChange, tell: Tell): Promise<Published> =>
  inTransaction(db, async (tx) => {
    const published = await publishChangeEntry(tx, change, tell)
    if (published.isNew) await notifyConfigChanged(tx)
    return published
  })
