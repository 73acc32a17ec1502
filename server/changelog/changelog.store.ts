import type { Pool } from 'pg'
import type { ChangeKind } from '../contract/changelog.ts'

export type ChangelogRow = { id: string; published_at: Date; kind: ChangeKind; title: string; body: string; endpoint_ids: string[] }

/** The newest published entries, newest first; what is dated ahead is a draft. */
export async function readEntries(pool: Pool, now: Date, limit: number): Promise<ChangelogRow[]> {
  const { rows } = await pool.query<ChangelogRow>({
    name: 'read-changelog',
    text: `SELECT public_id AS id, published_at, kind, title, body, endpoint_ids FROM changelog_entry
           WHERE published_at <= $1 ORDER BY published_at DESC, id DESC LIMIT $2`,
    values: [now, limit],
  })
  return rows
}
