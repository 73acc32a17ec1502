import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Validators } from '../sources/fetch-source.ts'
import { bumpMarketVersion, lockStatistics } from './statistics.store.ts'

/** Value to store; null if the value for that day is not known. */
export type StoredObservation = { readonly series: string; readonly date: string; readonly value: string | null }

type Origin = { readonly source: string; readonly url: string; readonly licence: string; readonly fetchedAt: string }

/** Successfully parsed source. */
export type Delivery = Origin & {
  readonly outcome: 'read'
  readonly kind: 'statistic' | 'exchange-rate'
  readonly observations: readonly StoredObservation[]
  readonly sha256: string
  readonly status: number | null
  readonly validators: Validators
  readonly releasedOn: string | null
  readonly nextReleaseOn: string | null
}

/** Feed imported into the market, which stores its rows. `asOf` is an ISO date. */
export type Imported = Origin & {
  readonly outcome: 'imported'
  readonly rows: number
  readonly changed: number
  readonly asOf: string
  readonly sha256: string
  readonly validators: Validators
}

/** Result of a fetch without new data: the source was unchanged, or couldn't be read. */
export type NoDelivery = Origin & ({ readonly outcome: 'unchanged' } | { readonly outcome: 'failed'; readonly error: string })

/** Values per statement: large enough to make round trips negligible, small enough to stay within the statement timeout. */
const batchRows = 5_000

/** Number of days for which fetch attempts are kept. The last successful attempt of a source is kept longer, because its validators are in use. */
const keptDays = 400

/** SQL condition for replacing a stored value: it was fetched earlier, or stored while a clock was ahead. */
const isOlder = "(old.fetched_at <= EXCLUDED.fetched_at OR old.fetched_at > now() + interval '5 minutes')"

const upsertStatistics = `INSERT INTO statistic AS old (series, date, value, source, licence, fetched_at)
  SELECT series, date, value, $4, $5, $6 FROM unnest($1::text[], $2::date[], $3::numeric[]) AS given (series, date, value)
  ON CONFLICT (series, date) DO UPDATE SET value = EXCLUDED.value, source = EXCLUDED.source, licence = EXCLUDED.licence, fetched_at = EXCLUDED.fetched_at
  WHERE old.value IS DISTINCT FROM EXCLUDED.value AND EXCLUDED.value IS NOT NULL AND ${isOlder}`

const upsertFxRates = `INSERT INTO fx_rate AS old (currency, date, rate, source, licence, fetched_at)
  SELECT currency, date, rate, $4, $5, $6 FROM unnest($1::text[], $2::date[], $3::numeric[]) AS given (currency, date, rate)
  ON CONFLICT (date, currency) DO UPDATE SET rate = EXCLUDED.rate, source = EXCLUDED.source, licence = EXCLUDED.licence, fetched_at = EXCLUDED.fetched_at
  WHERE (old.rate, old.source) IS DISTINCT FROM (EXCLUDED.rate, EXCLUDED.source) AND ${isOlder}
    AND (EXCLUDED.source = ANY($7::text[]) OR old.source <> ALL($7::text[]))`

/** Upserts new and changed values and returns their number. Never deletes: a truncated file removes nothing. */
async function storeObservations(
  client: Transaction,
  { kind, observations, source, licence, fetchedAt }: Delivery,
  official: readonly string[],
): Promise<number> {
  let changed = 0
  for (let start = 0; start < observations.length; start += batchRows) {
    const batch = observations.slice(start, start + batchRows)
    const columns = [batch.map(({ series }) => series), batch.map(({ date }) => date), batch.map(({ value }) => value), source, licence, fetchedAt]
    const { rowCount } = kind === 'statistic' ? await client.query(upsertStatistics, columns) : await client.query(upsertFxRates, [...columns, official])
    changed += rowCount ?? 0
  }
  return changed
}

const unread = { status: null, etag: null, lastModified: null, asOf: null, sha256: null, rows: null, releasedOn: null, nextReleaseOn: null, error: null }

/** Columns of the fetch record other than its origin. */
function toDetails(fetched: Delivery | Imported | NoDelivery) {
  if (fetched.outcome === 'failed') return { ...unread, error: fetched.error }
  if (fetched.outcome === 'unchanged') return { ...unread, status: 304 }
  const { sha256, validators } = fetched
  if (fetched.outcome === 'imported') return { ...unread, ...validators, status: 200, asOf: fetched.asOf, sha256, rows: fetched.rows }
  const { observations, status, releasedOn, nextReleaseOn } = fetched
  const asOf = observations.reduce<string | null>((latest, { date }) => (latest === null || date > latest ? date : latest), null)
  return { ...unread, ...validators, status, asOf, sha256, rows: observations.length, releasedOn, nextReleaseOn }
}

/** Records the result of a fetch. */
export async function record(client: Transaction, fetched: Delivery | Imported | NoDelivery, changed: number | null): Promise<void> {
  const { source, url, fetchedAt, licence } = fetched
  const { status, etag, lastModified, asOf, sha256, rows, releasedOn, nextReleaseOn, error } = toDetails(fetched)
  await client.query(
    `INSERT INTO source_fetch (source, url, fetched_at, status, etag, last_modified, as_of, sha256, rows, changed, released_on, next_release_on, licence, error)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [source, url, fetchedAt, status, etag, lastModified, asOf, sha256, rows, changed, releasedOn, nextReleaseOn, licence, error],
  )
}

/** Release dates that the API shows for a source, read before and after a fetch to detect a change. */
async function newestRelease(client: Transaction, source: string): Promise<string> {
  const { rows } = await client.query<{ release: string }>(
    `SELECT concat_ws(' ', released_on, next_release_on) AS release FROM source_fetch
     WHERE source = $1 AND rows IS NOT NULL AND released_on IS NOT NULL ORDER BY released_on DESC, fetched_at DESC LIMIT 1`,
    [source],
  )
  return rows[0]?.release ?? ''
}

async function forgetOldAttempts(client: Transaction, now: string | undefined): Promise<void> {
  await client.query(
    `DELETE FROM source_fetch f WHERE f.fetched_at < $2::timestamptz - make_interval(days => $1) AND f.url NOT LIKE 'bundle:%'
       AND EXISTS (SELECT FROM source_fetch n WHERE n.source = f.source AND n.url = f.url AND n.rows IS NOT NULL AND n.fetched_at > f.fetched_at)`,
    [keptDays, now],
  )
}

/** Stores one fetch. Returns null if it brought no values, otherwise the number of changed values and whether API responses change. */
async function storeFetch(
  client: Transaction,
  fetched: Delivery | Imported | NoDelivery,
  official: readonly string[],
): Promise<{ changed: number; isNews: boolean } | null> {
  if (fetched.outcome === 'imported') {
    await record(client, fetched, fetched.changed)
    // The import has already bumped the market version.
    return { changed: fetched.changed, isNews: false }
  }
  if (fetched.outcome !== 'read') {
    await record(client, fetched, null)
    return null
  }
  const release = await newestRelease(client, fetched.source)
  const changed = await storeObservations(client, fetched, official)
  await record(client, fetched, changed)
  return { changed, isNews: changed > 0 || (await newestRelease(client, fetched.source)) !== release }
}

/**
 * Stores fetches and their results in one transaction, and bumps the market version if API responses change. Exchange rates of `official` sources
 * take precedence on the same day.
 * @returns the number of changed values by source.
 */
export async function storeFetches(
  pool: Database,
  fetches: readonly (Delivery | Imported | NoDelivery)[],
  official: readonly string[],
): Promise<Map<string, number>> {
  return await inTransaction(pool, async (client) => {
    await lockStatistics(client)
    const changes = new Map<string, number>()
    let isNews = false
    for (const fetched of fetches) {
      const stored = await storeFetch(client, fetched, official)
      changes.set(fetched.source, stored?.changed ?? 0)
      isNews ||= stored?.isNews ?? false
    }
    await forgetOldAttempts(client, fetches.at(-1)?.fetchedAt)
    if (isNews) await bumpMarketVersion(client)
    return changes
  })
}

/** Validators of the last successful response from this URL. */
export async function lastValidators(pool: Database, source: string, url: string): Promise<Validators> {
  const { rows } = await pool.query<{ etag: string | null; last_modified: string | null }>(
    'SELECT etag, last_modified FROM source_fetch WHERE source = $1 AND url = $2 AND rows IS NOT NULL ORDER BY fetched_at DESC, id DESC LIMIT 1',
    [source, url],
  )
  return { etag: rows[0]?.etag ?? null, lastModified: rows[0]?.last_modified ?? null }
}

/** Attempts to fetch a URL since a given time. Times in milliseconds since 1970. */
export type Attempts = { readonly source: string; readonly url: string; readonly failures: number; readonly succeeded: boolean; readonly lastAt: number }

/**
 * Attempts dated further ahead than clocks normally differ were recorded with a wrong clock. They are ignored, because otherwise nothing would be
 * fetched until that time.
 */
const maxAheadMs = 300_000

export async function attemptsSince(pool: Database, at: number, now: number): Promise<Attempts[]> {
  const { rows } = await pool.query<Attempts>(
    `SELECT source, url, count(error)::int AS failures, bool_or(error IS NULL) AS succeeded, (extract(epoch FROM max(fetched_at)) * 1000)::float8 AS "lastAt"
     FROM source_fetch WHERE fetched_at BETWEEN $1 AND $2 AND url NOT LIKE 'bundle:%' GROUP BY source, url`,
    [new Date(at).toISOString(), new Date(now + maxAheadMs).toISOString()],
  )
  return rows
}

/** Newest day of each source in a successful response or bundled file, as an ISO date. */
export async function newestDays(pool: Database): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ source: string; as_of: string }>(
    `SELECT source, to_char(max(as_of), 'YYYY-MM-DD') AS as_of FROM source_fetch WHERE rows IS NOT NULL AND as_of IS NOT NULL GROUP BY source`,
  )
  return new Map(rows.map(({ source, as_of }) => [source, as_of]))
}

/** SHA-256 of the bundled files already imported. */
export async function bundledHashes(pool: Database): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ sha256: string }>("SELECT DISTINCT sha256 FROM source_fetch WHERE url LIKE 'bundle:%'")
  return new Set(rows.map(({ sha256 }) => sha256))
}
