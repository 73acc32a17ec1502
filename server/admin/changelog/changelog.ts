import type { Pool } from 'pg'
import type { ChangelogEntry } from '#server/api/contract/changelog.ts'
import { clock } from '#server/clock.ts'
import { fromDb, readEntries } from './changelog.store.ts'

/** As many as one page and one feed show. */
const mostEntries = 200

/** What has been announced up to now, newest first. */
export async function publishedChanges(pool: Pool): Promise<ChangelogEntry[]> {
  return (await readEntries(pool, new Date(clock.now()), mostEntries)).map(fromDb)
}
