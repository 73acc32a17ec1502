import type { Pool, PoolClient } from 'pg'
import type { ChangeKind } from '#server/api/contract/changelog.ts'
import type { NewEntryRow } from './changelog.store.ts'

export type DraftRow = { id: string; kind: ChangeKind; title: string; body: string; endpoint_ids: string[]; revision: number; changed_at: Date }

const columns = 'public_id AS id, kind, title, body, endpoint_ids, revision, changed_at'

export async function readDrafts(pool: Pool, limit: number): Promise<DraftRow[]> {
  const { rows } = await pool.query<DraftRow>(`SELECT ${columns} FROM changelog_draft ORDER BY id LIMIT $1`, [limit])
  return rows
}

export async function readDraft(pool: Pool, id: string): Promise<DraftRow | undefined> {
  const { rows } = await pool.query<DraftRow>(`SELECT ${columns} FROM changelog_draft WHERE public_id = $1`, [id])
  return rows[0]
}

/** Locks a draft until the transaction ends. */
export async function lockDraft(client: PoolClient, id: string): Promise<DraftRow | undefined> {
  const { rows } = await client.query<DraftRow>(`SELECT ${columns} FROM changelog_draft WHERE public_id = $1 FOR UPDATE`, [id])
  return rows[0]
}

type Written = Omit<NewEntryRow, 'published_at'>

export async function insertDraft(client: PoolClient, { id, kind, title, body, endpoint_ids }: Written): Promise<void> {
  const text = 'INSERT INTO changelog_draft (public_id, kind, title, body, endpoint_ids) VALUES ($1, $2, $3, $4, $5)'
  await client.query(text, [id, kind, title, body, endpoint_ids])
}

export async function updateDraft(client: PoolClient, { id, kind, title, body, endpoint_ids }: Written): Promise<void> {
  await client.query(
    'UPDATE changelog_draft SET kind = $2, title = $3, body = $4, endpoint_ids = $5, revision = revision + 1, changed_at = now() WHERE public_id = $1',
    [id, kind, title, body, endpoint_ids],
  )
}

export async function deleteDraft(client: PoolClient, id: string): Promise<void> {
  await client.query('DELETE FROM changelog_draft WHERE public_id = $1', [id])
}
