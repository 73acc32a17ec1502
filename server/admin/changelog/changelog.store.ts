import type { Pool, PoolClient } from 'pg'
import type { ChangeKind, ChangelogEntry } from '#server/api/contract/changelog.ts'

export type ChangelogRow = { id: string; published_at: Date; kind: ChangeKind; title: string; body: string; endpoint_ids: string[] }

export const fromDb = ({ published_at, endpoint_ids, ...row }: ChangelogRow): ChangelogEntry => ({
  ...row,
  publishedAt: published_at,
  endpointIds: endpoint_ids,
})

const columns = 'public_id AS id, published_at, kind, title, body, endpoint_ids'

/** Returns published entries, newest first. Entries with a future date are drafts and are left out. */
export async function readEntries(pool: Pool, now: Date, limit: number): Promise<ChangelogRow[]> {
  const { rows } = await pool.query<ChangelogRow>({
    name: 'read-changelog',
    text: `SELECT ${columns} FROM changelog_entry WHERE published_at <= $1 ORDER BY published_at DESC, id DESC LIMIT $2`,
    values: [now, limit],
  })
  return rows
}

export type NewEntryRow = Omit<ChangelogRow, 'endpoint_ids'> & { endpoint_ids: readonly string[] }

/** Locks the changelog against other writers until the transaction ends. Readers aren't blocked. */
export async function lockChangelog(client: PoolClient): Promise<void> {
  await client.query('LOCK TABLE changelog_entry IN SHARE ROW EXCLUSIVE MODE')
}

/** Returns the entry with identical content, whenever it was published. */
export async function readSame(
  client: PoolClient,
  { kind, title, body, endpoint_ids }: Omit<NewEntryRow, 'id' | 'published_at'>,
): Promise<ChangelogRow | undefined> {
  const { rows } = await client.query<ChangelogRow>(
    `SELECT ${columns} FROM changelog_entry WHERE kind = $1 AND title = $2 AND body = $3 AND endpoint_ids = $4 ORDER BY published_at DESC LIMIT 1`,
    [kind, title, body, endpoint_ids],
  )
  return rows[0]
}

/** Inserts an entry. Returns false if its id is taken. */
export async function insertEntry(client: PoolClient, { id, published_at, kind, title, body, endpoint_ids }: NewEntryRow): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO changelog_entry (public_id, published_at, kind, title, body, endpoint_ids) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (public_id) DO NOTHING`,
    [id, published_at, kind, title, body, endpoint_ids],
  )
  return rowCount === 1
}
