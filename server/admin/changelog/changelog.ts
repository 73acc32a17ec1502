import type { Pool } from 'pg'
import type { ChangelogEntry } from '#server/api/contract/changelog.ts'
import { clock } from '#server/clock.ts'
import { fromDb, readEntries } from './changelog.store.ts'

/** Maximum number of entries on the page and in the feed. */
const maxEntries = 200

/** Returns the published entries, newest first. */
export async function publishedChanges(pool: Pool): Promise<ChangelogEntry[]> {
  return (await readEntries(pool, new Date(clock.now()), maxEntries)).map(fromDb)
}
