import type { Database, Transaction } from '#server/db/prisma.ts'

export type VersionRow = { label: string; published_at: Date; grace_ends_at: Date }

/** Returns published versions, newest first, without their text. */
export async function readVersions(pool: Database, limit: number): Promise<VersionRow[]> {
  const text = 'SELECT label, published_at, grace_ends_at FROM licence_version WHERE published_at <= now() ORDER BY published_at DESC LIMIT $1'
  return (await pool.query<VersionRow>(text, [limit])).rows
}

/** Returns the text of a version. Null if the text ships with the service; undefined if no such version is published. */
export async function readVersionText(pool: Database, label: string): Promise<string | null | undefined> {
  const { rows } = await pool.query<{ body: string | null }>('SELECT body FROM licence_version WHERE label = $1 AND published_at <= now()', [label])
  return rows[0]?.body
}

export type PlaceRow = { changes: string; older: string | null; newer: string | null; newest: string; newest_at: Date }

/** Returns the neighbours of a version among readable versions: those with a stored text and those whose text ships with the service. */
export async function readPlace(pool: Database, label: string, bundled: readonly string[]): Promise<PlaceRow | undefined> {
  const { rows } = await pool.query<PlaceRow>(
    `WITH readable AS (SELECT label, published_at, changes FROM licence_version WHERE published_at <= now() AND (body IS NOT NULL OR label = ANY($2))),
       placed AS (
         SELECT label, changes, lag(label) OVER line AS older, lead(label) OVER line AS newer,
           last_value(label) OVER whole AS newest, last_value(published_at) OVER whole AS newest_at
         FROM readable
         WINDOW line AS (ORDER BY published_at, label),
           whole AS (ORDER BY published_at, label ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))
     SELECT changes, older, newer, newest, newest_at FROM placed WHERE label = $1`,
    [label, bundled],
  )
  return rows[0]
}

const isThere = 'email_verified_at IS NOT NULL AND closed_at IS NULL'

/** Counts accounts by the version they last accepted. A null label means that none was accepted. */
export async function countAcceptances(pool: Database): Promise<{ label: string | null; accounts: number }[]> {
  const text = `SELECT accepted_licence AS label, count(*)::int AS accounts FROM account WHERE ${isThere} GROUP BY 1`
  return (await pool.query<{ label: string | null; accounts: number }>(text)).rows
}

/** Returns the highest label of all versions, including versions with a future publication time. */
export async function readHighestLabel(client: Transaction): Promise<string | undefined> {
  return (await client.query<{ label: string }>('SELECT label FROM licence_version ORDER BY label COLLATE "C" DESC LIMIT 1')).rows[0]?.label
}

export type LicenceText = { readonly label: string; readonly changes: string; readonly body: string; readonly graceEndsAt: Date }

export async function insertVersion(client: Transaction, { label, changes, body, graceEndsAt }: LicenceText): Promise<void> {
  await client.query('INSERT INTO licence_version (label, published_at, grace_ends_at, changes, body) VALUES ($1, now(), $2, $3, $4)', [
    label,
    graceEndsAt,
    changes,
    body,
  ])
}

export type LicenceDraftRow = { id: string; label: string; changes: string; body: string; grace_ends_at: Date; revision: number; changed_at: Date }

const draftColumns = 'public_id AS id, label, changes, body, grace_ends_at, revision, changed_at'

/** Returns drafts, oldest first, without their text. */
export async function readLicenceDrafts(pool: Database, limit: number): Promise<Pick<LicenceDraftRow, 'id' | 'label' | 'changed_at'>[]> {
  return (await pool.query<LicenceDraftRow>('SELECT public_id AS id, label, changed_at FROM licence_draft ORDER BY id LIMIT $1', [limit])).rows
}

export async function readLicenceDraft(pool: Database, id: string): Promise<LicenceDraftRow | undefined> {
  return (await pool.query<LicenceDraftRow>(`SELECT ${draftColumns} FROM licence_draft WHERE public_id = $1`, [id])).rows[0]
}

/** Locks a draft until the transaction ends. */
export async function lockLicenceDraft(client: Transaction, id: string): Promise<LicenceDraftRow | undefined> {
  return (await client.query<LicenceDraftRow>(`SELECT ${draftColumns} FROM licence_draft WHERE public_id = $1 FOR UPDATE`, [id])).rows[0]
}

export async function insertLicenceDraft(client: Transaction, id: string, { label, changes, body, graceEndsAt }: LicenceText): Promise<void> {
  const text = 'INSERT INTO licence_draft (public_id, label, changes, body, grace_ends_at) VALUES ($1, $2, $3, $4, $5)'
  await client.query(text, [id, label, changes, body, graceEndsAt])
}

export async function updateLicenceDraft(client: Transaction, id: string, { label, changes, body, graceEndsAt }: LicenceText): Promise<void> {
  await client.query(
    'UPDATE licence_draft SET label = $2, changes = $3, body = $4, grace_ends_at = $5, revision = revision + 1, changed_at = now() WHERE public_id = $1',
    [id, label, changes, body, graceEndsAt],
  )
}

export async function deleteLicenceDraft(client: Transaction, id: string): Promise<void> {
  await client.query('DELETE FROM licence_draft WHERE public_id = $1', [id])
}
