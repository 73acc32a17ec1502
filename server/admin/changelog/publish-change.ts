import type { Pool, PoolClient } from 'pg'
import type { ChangelogEntry } from '#server/api/contract/changelog.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { fromDb, holdChangelog, insertEntry, readSame } from './changelog.store.ts'

/** What an operator writes of a change; id and time are added. */
export type NewChange = Omit<ChangelogEntry, 'id' | 'publishedAt'>

/** Tells whom it concerns of an entry, in the transaction that writes it. Returns how many are told. */
export type Tell = (client: PoolClient, entry: ChangelogEntry) => Promise<number>

const mostLetters = { title: 120, body: 10_000 } as const

export function titleFault(title: string): string | null {
  const line = title.trim()
  const isLine = line !== '' && line.length <= mostLetters.title && !/\p{Cc}/u.test(line)
  return isLine ? null : `The title must be one line of up to ${mostLetters.title} characters.`
}

export function textFault(body: string): string | null {
  const length = body.trim().length
  return length > 0 && length <= mostLetters.body ? null : `The text must have 1 to ${mostLetters.body} characters.`
}

/** What somebody wrote, in the form in which it is kept. @throws FieldsError */
export function checkedChange({ kind, title, body, endpointIds }: NewChange): NewChange {
  const change = { kind, title: title.trim(), body: body.trim().replaceAll('\r\n', '\n'), endpointIds: [...new Set(endpointIds)].toSorted() }
  refuseFaults({ title: titleFault(title), body: textFault(body) })
  return change
}

/** Day and title, as in `2026-11-21-logos-of-cards`: it is the entry's place on the page and its id in the feed, for good. */
export function entryId(title: string, at: Date): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['change']
  return `${at.toISOString().slice(0, 10)}-${words.join('-').slice(0, 60).replace(/-$/, '')}`
}

export type Published = {
  readonly entry: ChangelogEntry
  /** How many accounts are told. */
  readonly told: number
  /** False: an entry said the very same before, and nothing was written. */
  readonly isNew: boolean
}

/** Lets nobody else publish until the transaction ends: for what has to be looked at before. */
export const holdChanges = (client: PoolClient): Promise<void> => holdChangelog(client)

/** Publishes a change and has it told, in the transaction of what it is about. @throws FieldsError */
export async function announceChange(client: PoolClient, given: NewChange, tell: Tell): Promise<Published> {
  const { kind, title, body, endpointIds } = checkedChange(given)
  await holdChangelog(client)
  const same = await readSame(client, { kind, title, body, endpoint_ids: endpointIds })
  if (same) return { entry: fromDb(same), told: 0, isNew: false }
  const publishedAt = new Date(clock.now())
  const entry = { id: entryId(title, publishedAt), publishedAt, kind, title, body, endpointIds }
  const written = await insertEntry(client, { id: entry.id, published_at: publishedAt, kind, title, body, endpoint_ids: endpointIds })
  if (!written) throw new FieldsError({ title: `There is an entry ${entry.id} already, with another text. Choose another title.` })
  return { entry, told: await tell(client, entry), isNew: true }
}

/** Publishes a change that nobody may have announced before. @throws FieldsError */
export async function announceNewChange(client: PoolClient, given: NewChange, tell: Tell): Promise<Published> {
  const published = await announceChange(client, given, tell)
  refuseFaults({ title: published.isNew ? null : `The entry ${published.entry.id} says the very same. Choose another title.` })
  return published
}

/**
 * Publishes a change and has it told: both hold, or neither does. One that says the very same as an entry before is that entry, and nobody is told
 * again, so a command that broke off can be given anew.
 * @throws FieldsError
 */
export const publishChange = (pool: Pool, change: NewChange, tell: Tell): Promise<Published> =>
  inTransaction(pool, (client) => announceChange(client, change, tell))
