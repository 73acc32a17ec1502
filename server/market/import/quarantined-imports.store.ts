import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { FeedFault } from './feed-faults.ts'
import type { FeedPreview } from './row-change.ts'

/** Validation errors of a feed: the first invalid lines, and the total. */
export type FeedFaults = { readonly lines: readonly FeedFault[]; readonly count: number }

/** Feed that was fetched but not imported. `fetchedAt` and `asOf` are ISO; `body` is the gzipped text of a feed that can be published. */
export type FeedToHold = {
  readonly source: string
  readonly url: string
  readonly licence: string
  readonly kind: string
  readonly fileName: string
  readonly sha256: string
  readonly etag: string | null
  readonly lastModified: string | null
  readonly asOf: string
  readonly fetchedAt: string
} & ({ readonly preview: FeedPreview; readonly body: Buffer } | { readonly faults: FeedFaults })

const again = `UPDATE quarantined_import SET fetched_at = $3, preview = coalesce($4, preview) WHERE source = $1 AND sha256 = $2 AND settled_at IS NULL`

const wasDeclined = `SELECT state = 'declined' AND sha256 = $2 AS declined FROM quarantined_import WHERE source = $1 ORDER BY id DESC LIMIT 1`

const settleSql = `UPDATE quarantined_import SET state = $2, settled_at = clock_timestamp(), body = NULL WHERE source = $1 AND settled_at IS NULL`

/** Closes the quarantined import of a source, because a newer feed has arrived or been imported. */
export async function replaceHeld(client: Db, source: string): Promise<void> {
  await client.query(settleSql, [source, 'replaced'])
}

/** Quarantines a feed, replacing the open quarantined import of its source. An identical feed keeps its row; a declined feed isn't stored again. */
export async function holdFeed(pool: Database, feed: FeedToHold): Promise<void> {
  const [preview, body, faults] = 'preview' in feed ? [feed.preview, feed.body, null] : [null, null, feed.faults]
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(again, [feed.source, feed.sha256, feed.fetchedAt, preview && JSON.stringify(preview)])
    if (rowCount) return
    const { rows } = await client.query<{ declined: boolean }>(wasDeclined, [feed.source, feed.sha256])
    if (rows[0]?.declined) return
    await replaceHeld(client, feed.source)
    await client.query(
      `INSERT INTO quarantined_import (source, url, licence, kind, file_name, sha256, etag, last_modified, as_of, state, fetched_at, preview, faults, body)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        ...[feed.source, feed.url, feed.licence, feed.kind, feed.fileName, feed.sha256, feed.etag, feed.lastModified, feed.asOf],
        ...[preview ? 'waiting' : 'refused', feed.fetchedAt, preview && JSON.stringify(preview), faults && JSON.stringify(faults), body],
      ],
    )
  })
}

/** Quarantined import, as shown on the admin pages. */
export type HeldRow = {
  id: string
  source: string
  state: 'waiting' | 'refused' | 'published' | 'declined' | 'replaced'
  fetched_at: Date
  settled_at: Date | null
  as_of: string
  preview: FeedPreview | null
  faults: FeedFaults | null
}

const shown = `id, source, state, fetched_at, settled_at, to_char(as_of, 'YYYY-MM-DD') AS as_of, preview, faults`

/** Latest quarantined import of a source; undefined if there is none. */
export async function newestHeld(pool: Database, source: string): Promise<HeldRow | undefined> {
  return (await pool.query<HeldRow>(`SELECT ${shown} FROM quarantined_import WHERE source = $1 ORDER BY id DESC LIMIT 1`, [source])).rows[0]
}

export type OpenRow = Pick<HeldRow, 'source' | 'state'> & { url: string }

/** Open quarantined imports, waiting or rejected, at most one per source. Excludes the previews, which can be large. */
export async function openHeld(pool: Database): Promise<OpenRow[]> {
  return (await pool.query<OpenRow>('SELECT source, url, state FROM quarantined_import WHERE settled_at IS NULL')).rows
}

export type WaitingRow = Omit<FeedToHold, 'fetchedAt'> & { preview: FeedPreview; body: Buffer }

/** Returns a waiting feed with its text; undefined if the feed is no longer waiting. */
export async function waitingFeed(pool: Database, id: string): Promise<WaitingRow | undefined> {
  const { rows } = await pool.query<WaitingRow>(
    `SELECT source, url, licence, kind, file_name AS "fileName", sha256, etag, last_modified AS "lastModified", to_char(as_of, 'YYYY-MM-DD') AS "asOf", preview, body
     FROM quarantined_import WHERE id = $1 AND state = 'waiting'`,
    [id],
  )
  return rows[0]
}

/** Settles a waiting feed; returns false if it was already settled. */
export async function settleWaiting(client: Transaction, id: string, state: 'published' | 'declined'): Promise<boolean> {
  const { rowCount } = await client.query(
    "UPDATE quarantined_import SET state = $2, settled_at = clock_timestamp(), body = NULL WHERE id = $1 AND state = 'waiting'",
    [id, state],
  )
  return rowCount === 1
}

export async function renewPreview(pool: Database, id: string, preview: FeedPreview): Promise<void> {
  await pool.query("UPDATE quarantined_import SET preview = $2 WHERE id = $1 AND state = 'waiting'", [id, JSON.stringify(preview)])
}

/** Counts the waiting feeds, and returns the time of the oldest. */
export async function countWaiting(pool: Database): Promise<{ count: number; oldest: Date | null }> {
  const { rows } = await pool.query<{ count: number; oldest: Date | null }>(
    "SELECT count(*)::int AS count, min(fetched_at) AS oldest FROM quarantined_import WHERE settled_at IS NULL AND state = 'waiting'",
  )
  return rows[0] ?? { count: 0, oldest: null }
}
