import type { ChangeKind, ChangelogEntry } from '#server/api/contract/changelog.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'

type ChangelogRow = { id: string; published_at: Date; kind: ChangeKind; title: string; body: string; endpoint_ids: string[] }

export const fromDb = ({ published_at, endpoint_ids, ...row }: ChangelogRow): ChangelogEntry => ({
  ...row,
  publishedAt: published_at,
  endpointIds: endpoint_ids,
})

const columns = 'public_id AS id, published_at, kind, title, body, endpoint_ids'

/** Returns published entries, newest first. Entries with a future date are drafts and are left out. */
export async function readEntries(pool: Database, now: Date, limit: number): Promise<ChangelogRow[]> {
  const { rows } = await pool.query<ChangelogRow>({
    name: 'read-changelog',
    text: `SELECT ${columns} FROM changelog_entry WHERE published_at <= $1 ORDER BY published_at DESC, id DESC LIMIT $2`,
    values: [now, limit],
  })
  return rows
}

type NewEntryRow = Omit<ChangelogRow, 'endpoint_ids'> & { endpoint_ids: readonly string[] }

/** Locks the changelog against other writers until the transaction ends. Readers aren't blocked. */
export async function lockChangelog(client: Transaction): Promise<void> {
  await client.query('LOCK TABLE changelog_entry IN SHARE ROW EXCLUSIVE MODE')
}

/** Returns the entry with identical content, whenever it was published. */
export async function readSame(
  client: Transaction,
  { kind, title, body, endpoint_ids }: Omit<NewEntryRow, 'id' | 'published_at'>,
): Promise<ChangelogRow | undefined> {
  const { rows } = await client.query<ChangelogRow>(
    `SELECT ${columns} FROM changelog_entry WHERE kind = $1 AND title = $2 AND body = $3 AND endpoint_ids = $4 ORDER BY published_at DESC LIMIT 1`,
    [kind, title, body, endpoint_ids],
  )
  return rows[0]
}

/** Inserts an entry. Returns false if its id is taken. */
export async function insertEntry(client: Transaction, { id, published_at, kind, title, body, endpoint_ids }: NewEntryRow): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO changelog_entry (public_id, published_at, kind, title, body, endpoint_ids) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (public_id) DO NOTHING`,
    [id, published_at, kind, title, body, endpoint_ids],
  )
  return rowCount === 1
}

export type DraftRow = { id: string; kind: ChangeKind; title: string; body: string; endpoint_ids: string[]; revision: number; changed_at: Date }

const draftColumns = 'public_id AS id, kind, title, body, endpoint_ids, revision, changed_at'

export async function readDrafts(pool: Database, limit: number): Promise<DraftRow[]> {
  const { rows } = await pool.query<DraftRow>(`SELECT ${draftColumns} FROM changelog_draft ORDER BY id LIMIT $1`, [limit])
  return rows
}

export async function readDraft(pool: Database, id: string): Promise<DraftRow | undefined> {
  const { rows } = await pool.query<DraftRow>(`SELECT ${draftColumns} FROM changelog_draft WHERE public_id = $1`, [id])
  return rows[0]
}

/** Locks a draft until the transaction ends. */
export async function lockDraft(client: Transaction, id: string): Promise<DraftRow | undefined> {
  const { rows } = await client.query<DraftRow>(`SELECT ${draftColumns} FROM changelog_draft WHERE public_id = $1 FOR UPDATE`, [id])
  return rows[0]
}

type Written = Omit<NewEntryRow, 'published_at'>

export async function insertDraft(client: Transaction, { id, kind, title, body, endpoint_ids }: Written): Promise<void> {
  const text = 'INSERT INTO changelog_draft (public_id, kind, title, body, endpoint_ids) VALUES ($1, $2, $3, $4, $5)'
  await client.query(text, [id, kind, title, body, endpoint_ids])
}

export async function updateDraft(client: Transaction, { id, kind, title, body, endpoint_ids }: Written): Promise<void> {
  await client.query(
    'UPDATE changelog_draft SET kind = $2, title = $3, body = $4, endpoint_ids = $5, revision = revision + 1, changed_at = now() WHERE public_id = $1',
    [id, kind, title, body, endpoint_ids],
  )
}

export async function deleteDraft(client: Transaction, id: string): Promise<void> {
  await client.query('DELETE FROM changelog_draft WHERE public_id = $1', [id])
}
