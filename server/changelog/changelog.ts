import type { Pool } from 'pg'
import { clock } from '../clock.ts'
import type { ChangelogEntry } from '../contract/changelog.ts'
import { readEntries } from './changelog.store.ts'

/** As many as one page and one feed show. */
const mostEntries = 200

/** What has been announced up to now, newest first. */
export async function publishedChanges(pool: Pool): Promise<ChangelogEntry[]> {
  const rows = await readEntries(pool, new Date(clock.now()), mostEntries)
  return rows.map(({ published_at, endpoint_ids, ...row }) => ({ ...row, publishedAt: published_at, endpointIds: endpoint_ids }))
}
