import { dayMs, isoDay } from '#server/api/contract/dates.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import { lockFor } from '#server/db/locks.sql.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { bumpMarketVersion } from '../market-version.ts'
import type { Validators } from '../sources/fetch-source.ts'
import { type Observations, storeObservations } from './observations.sql.ts'

type Origin = { readonly source: string; readonly url: string; readonly licence: string; readonly fetchedAt: string }

/** Successfully parsed source. */
export type Delivery = Origin &
  Pick<Observations, 'kind' | 'observations'> & {
    readonly outcome: 'read'
    readonly sha256: string
    readonly status: number | null
    readonly validators: Validators
    readonly releasedOn: string | null
    readonly nextReleaseOn: string | null
  }

/** Result of a fetch whose feed was imported. Its rows are stored in the market tables. `asOf` is an ISO date. */
export type Imported = Origin & {
  readonly outcome: 'imported'
  readonly rows: number
  readonly changed: number
  readonly asOf: string
  readonly sha256: string
  readonly validators: Validators
}

/** Result of a fetch without new data: the source was unchanged, or couldn't be read. */
type NoDelivery = Origin & ({ readonly outcome: 'unchanged' } | { readonly outcome: 'failed'; readonly error: string })

export type Fetch = Delivery | Imported | NoDelivery

/**
 * Number of days for which fetch attempts are kept. The last successful attempt of each source is kept longer, because its cache validators are still needed.
 */
const keptDays = 400

const unread = { status: null, etag: null, lastModified: null, asOf: null, sha256: null, rows: null, releasedOn: null, nextReleaseOn: null, error: null }

/** Returns the columns of the fetch record, except its origin. */
function toDetails(fetched: Fetch) {
  if (fetched.outcome === 'failed') return { ...unread, error: fetched.error }
  if (fetched.outcome === 'unchanged') return { ...unread, status: 304 }
  const { sha256, validators } = fetched
  if (fetched.outcome === 'imported') return { ...unread, ...validators, status: 200, asOf: fetched.asOf, sha256, rows: fetched.rows }
  const { observations, status, releasedOn, nextReleaseOn } = fetched
  const asOf = observations.reduce<string | null>((latest, { date }) => (latest === null || date > latest ? date : latest), null)
  return { ...unread, ...validators, status, asOf, sha256, rows: observations.length, releasedOn, nextReleaseOn }
}

const toDate = (day: string | null): Date | null => (day === null ? null : new Date(day))

/** Records the result of a fetch. */
export async function record(tx: Transaction, fetched: Fetch, changed: number | null): Promise<void> {
  const { source, url, licence } = fetched
  const { asOf, releasedOn, nextReleaseOn, ...details } = toDetails(fetched)
  const days = { asOf: toDate(asOf), releasedOn: toDate(releasedOn), nextReleaseOn: toDate(nextReleaseOn) }
  await tx.sourceFetch.create({ data: { source, url, licence, fetchedAt: new Date(fetched.fetchedAt), ...details, ...days, changed }, select: { id: true } })
}

/** Dates of a source's newest release, as shown by the API. */
export type Release = { readonly source: string; readonly releasedOn: string; readonly nextReleaseOn: string | null }

export async function newestRelease(db: Db, source: string): Promise<Release | null> {
  const found = await db.sourceFetch.findFirst({
    where: { source, rows: { not: null }, releasedOn: { not: null } },
    orderBy: [{ releasedOn: 'desc' }, { fetchedAt: 'desc' }],
    select: { releasedOn: true, nextReleaseOn: true },
  })
  if (!found?.releasedOn) return null
  return { source, releasedOn: isoDay(found.releasedOn), nextReleaseOn: found.nextReleaseOn && isoDay(found.nextReleaseOn) }
}

/** Matches fetches from a URL, as opposed to files bundled with a release. */
export const fromUrl = { NOT: { url: { startsWith: 'bundle:' } } } satisfies Prisma.SourceFetchWhereInput

/** Deletes old attempts, except the last successful one from each URL and any later ones. */
async function forgetOldAttempts(tx: Transaction, now: string | undefined): Promise<void> {
  if (now === undefined) return
  const before = new Date(Date.parse(now) - keptDays * dayMs)
  const successes = await tx.sourceFetch.groupBy({ by: ['source', 'url'], where: { rows: { not: null }, ...fromUrl }, _max: { fetchedAt: true } })
  const superseded = successes.flatMap(({ source, url, _max: { fetchedAt } }) => (fetchedAt ? [{ source, url, fetchedAt: { lt: fetchedAt } }] : []))
  await tx.sourceFetch.deleteMany({ where: { fetchedAt: { lt: before }, OR: superseded } })
}

/** Stores one fetch. Returns null if it delivered no values, otherwise the number of changed values and whether API responses change. */
async function storeFetch(tx: Transaction, fetched: Fetch, official: readonly string[]): Promise<{ changed: number; isNews: boolean } | null> {
  if (fetched.outcome === 'imported') {
    await record(tx, fetched, fetched.changed)
    // The import has already bumped the market version.
    return { changed: fetched.changed, isNews: false }
  }
  if (fetched.outcome !== 'read') {
    await record(tx, fetched, null)
    return null
  }
  const before = await newestRelease(tx, fetched.source)
  const changed = await storeObservations(tx, fetched, official)
  await record(tx, fetched, changed)
  const after = await newestRelease(tx, fetched.source)
  return { changed, isNews: changed > 0 || after?.releasedOn !== before?.releasedOn || after?.nextReleaseOn !== before?.nextReleaseOn }
}

/**
 * Stores fetches and their results in one transaction, and bumps the market version if API responses change. Exchange rates of `official` sources
 * take precedence on the same day.
 * @returns the number of changed values by source.
 */
export async function storeFetches(db: Database, fetches: readonly Fetch[], official: readonly string[]): Promise<Map<string, number>> {
  return await inTransaction(db, async (tx) => {
    // Concurrent upserts of the same days in different orders could deadlock.
    await lockFor(tx, 'statistics')
    const changes = new Map<string, number>()
    let isNews = false
    for (const fetched of fetches) {
      const stored = await storeFetch(tx, fetched, official)
      changes.set(fetched.source, stored?.changed ?? 0)
      isNews ||= stored?.isNews ?? false
    }
    await forgetOldAttempts(tx, fetches.at(-1)?.fetchedAt)
    if (isNews) await bumpMarketVersion(tx)
    return changes
  })
}

/** Returns the cache validators of the last successful response from a URL. */
export async function lastValidators(db: Db, source: string, url: string): Promise<Validators> {
  const newest = { where: { source, url, rows: { not: null } }, orderBy: [{ fetchedAt: 'desc' as const }, { id: 'desc' as const }] }
  const found = await db.sourceFetch.findFirst({ ...newest, select: { etag: true, lastModified: true } })
  return found ?? { etag: null, lastModified: null }
}

/**
 * Maximum clock skew allowed for recorded attempts. Attempts dated further in the future are ignored, because otherwise nothing would be fetched until that
 * time.
 */
const maxAheadMs = 300_000

/** Returns a summary of the fetch attempts since a given time for each source and URL. Times in milliseconds since 1970. */
export async function attemptsSince(db: Db, at: number, now: number) {
  const where = { fetchedAt: { gte: new Date(at), lte: new Date(now + maxAheadMs) }, ...fromUrl }
  const groups = await db.sourceFetch.groupBy({ by: ['source', 'url'], where, _count: { _all: true, error: true }, _max: { fetchedAt: true } })
  return groups.map(({ source, url, _count: { _all: attempts, error: failures }, _max }) => ({
    source,
    url,
    failures,
    succeeded: failures < attempts,
    lastAt: _max.fetchedAt?.getTime() ?? at,
  }))
}

export type Attempts = Awaited<ReturnType<typeof attemptsSince>>[number]

/** Returns the newest day for which each source has delivered data, as an ISO date. Includes files bundled with a release. */
export async function newestDays(db: Db): Promise<ReadonlyMap<string, string>> {
  const groups = await db.sourceFetch.groupBy({ by: ['source'], where: { rows: { not: null }, asOf: { not: null } }, _max: { asOf: true } })
  return new Map(groups.flatMap(({ source, _max: { asOf } }) => (asOf ? [[source, isoDay(asOf)] as const] : [])))
}

/** Returns the SHA-256 hashes of the bundled files already imported. */
export async function bundledHashes(db: Db): Promise<ReadonlySet<string | null>> {
  return new Set((await db.sourceFetch.groupBy({ by: ['sha256'], where: { url: { startsWith: 'bundle:' } } })).map(({ sha256 }) => sha256))
}
