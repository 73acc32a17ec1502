import type { Pool, PoolClient } from 'pg'
import { clock } from '../clock.ts'
import type { ChangelogEntry } from '../contract/changelog.ts'
import { inTransaction } from '../db/transaction.ts'
import { fromDb, holdChangelog, insertEntry, readSame } from './changelog.store.ts'

/** What an operator writes of a change; id and time are added. */
export type NewChange = Omit<ChangelogEntry, 'id' | 'publishedAt'>

/** Tells whom it concerns of an entry, in the transaction that writes it. Returns how many are told. */
export type Tell = (client: PoolClient, entry: ChangelogEntry) => Promise<number>

/** A change that cannot be published as it is. The message says what to do. */
export class ChangelogError extends Error {}

const mostLetters = { title: 120, body: 10_000 } as const

function checked({ kind, title, body, endpointIds }: NewChange): NewChange {
  const change = { kind, title: title.trim(), body: body.trim(), endpointIds: [...new Set(endpointIds)].toSorted() }
  if (change.title === '' || change.title.length > mostLetters.title || /\p{Cc}/u.test(change.title))
    throw new ChangelogError(`The title must be one line of up to ${mostLetters.title} characters.`)
  if (change.body === '' || change.body.length > mostLetters.body) throw new ChangelogError(`The text must have 1 to ${mostLetters.body} characters.`)
  return change
}

/** Day and title, as in `2026-11-21-logos-of-cards`: it is the entry's place on the page and its id in the feed, for good. */
function idOf(title: string, at: Date): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['change']
  return `${at.toISOString().slice(0, 10)}-${words.join('-').slice(0, 60).replace(/-$/, '')}`
}

/**
 * Publishes a change and has it told: both hold, or neither does. One that says the very same as an entry before is that entry, and nobody is told
 * again, so a command that broke off can be given anew.
 * @throws ChangelogError
 */
export async function publishChange(pool: Pool, change: NewChange, tell: Tell): Promise<{ entry: ChangelogEntry; told: number; isNew: boolean }> {
  const { kind, title, body, endpointIds } = checked(change)
  return inTransaction(pool, async (client) => {
    await holdChangelog(client)
    const same = await readSame(client, { kind, title, body, endpoint_ids: endpointIds })
    if (same) return { entry: fromDb(same), told: 0, isNew: false }
    const publishedAt = new Date(clock.now())
    const entry = { id: idOf(title, publishedAt), publishedAt, kind, title, body, endpointIds }
    const written = await insertEntry(client, { id: entry.id, published_at: publishedAt, kind, title, body, endpoint_ids: endpointIds })
    if (!written) throw new ChangelogError(`There is an entry ${entry.id} already, with another text. Choose another title.`)
    return { entry, told: await tell(client, entry), isNew: true }
  })
}
