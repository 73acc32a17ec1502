import type { Pool } from 'pg'
import { feedKinds } from '../import/feed-kind.ts'
import { type PullOptions, type PullProgress, pullFeed } from '../import/pull-feed.ts'
import { daysSince, lastUkMorning, londonDay, nextUkMorning } from '../sources/calendar.ts'
import { checkObservations } from '../sources/check-observations.ts'
import type { ConfiguredSource } from '../sources/configured.ts'
import { type FetchOptions, fetchSource } from '../sources/fetch-source.ts'
import { type FeedSource, type Observation, type Source, SourceError } from '../sources/source.ts'
import { officialRates } from '../sources/sources.ts'
import { type Attempts, attemptsSince, type Delivery, type Imported, lastValidators, type NoDelivery, newestDays, storeFetches } from './fetches.store.ts'
import { fxHistoryDays, withRefreshLock } from './statistics.store.ts'

/** How a source fared. `changed` counts values, or rows of a feed, that are new or different. */
export type RefreshReport =
  | { readonly source: string; readonly outcome: 'read' | 'imported'; readonly values: number; readonly changed: number }
  | { readonly source: string; readonly outcome: 'unchanged' }
  | { readonly source: string; readonly outcome: 'failed'; readonly error: string }

/** What a refresh is at with a source. */
export type RefreshProgress = { readonly source: string } & (PullProgress | { readonly phase: 'fetching' })

export type RefreshOptions = Omit<PullOptions, 'onProgress'> & { readonly onProgress?: ((progress: RefreshProgress) => void) | undefined }

const dayMs = 86_400_000

/** A source that fails in the morning is tried again after an hour, so many times in all before the next morning. */
const attemptsADay = 4
const retryMs = 3_600_000

/** Whether a source has to be fetched at a moment, given how the attempts since the morning went. */
export function isDue(attempts: Attempts | undefined, now: number): boolean {
  if (!attempts) return true
  return !attempts.succeeded && attempts.failures < attemptsADay && now - attempts.lastAt >= retryMs
}

/** When a source is fetched next of itself, in milliseconds since 1970. */
export function nextFetchAt(attempts: Attempts | undefined, now: number): number {
  if (isDue(attempts, now)) return now
  return attempts && !attempts.succeeded && attempts.failures < attemptsADay ? attempts.lastAt + retryMs : nextUkMorning(now)
}

/** How the fetches since the last 07:30 in London went, for each source at its address. */
export async function attemptsThisMorning(pool: Pool, now: number): Promise<(one: ConfiguredSource) => Attempts | undefined> {
  const attempts = await attemptsSince(pool, lastUkMorning(now), now)
  return ({ source, url }) => attempts.find((made) => made.source === source.name && made.url === url)
}

/** The sources that have not been fetched since the last 07:30 in London, however long the service was off in between. */
export async function dueSources(pool: Pool, configured: readonly ConfiguredSource[], now: number): Promise<ConfiguredSource[]> {
  if (configured.length === 0) return []
  const attemptsOf = await attemptsThisMorning(pool, now)
  return configured.filter((one) => isDue(attemptsOf(one), now))
}

/** A file of the whole history is taken as far back as the read model looks. */
function withinReach(kind: Delivery['kind'], observations: readonly Observation[], now: number): readonly Observation[] {
  if (kind === 'statistic') return observations
  const since = londonDay(now - fxHistoryDays * dayMs)
  return observations.filter(({ date }) => date >= since)
}

type Fetch = Delivery | Imported | NoDelivery
type Told =
  | Omit<Delivery, 'source' | 'url' | 'licence' | 'fetchedAt'>
  | Omit<Imported, 'source' | 'url' | 'licence' | 'fetchedAt'>
  | { readonly outcome: 'unchanged' }

async function fetchFeed(pool: Pool, source: FeedSource, url: string, options: RefreshOptions): Promise<Told> {
  const onProgress = (progress: PullProgress) => options.onProgress?.({ source: source.name, ...progress })
  const pulled = await pullFeed(pool, { source, url }, await lastValidators(pool, source.name, url), { ...options, onProgress })
  if (!pulled.changed) return { outcome: 'unchanged' }
  const { report, sha256, validators, asOf } = pulled
  const changed = report.added + report.changed + report.restored + report.withdrawn
  return { outcome: 'imported', rows: report.rows, changed, asOf, sha256, validators }
}

async function fetchStatistics(pool: Pool, source: Source, url: string, options: FetchOptions): Promise<Told> {
  const fetched = await fetchSource({ source, url }, await lastValidators(pool, source.name, url), options)
  if (!fetched.changed) return { outcome: 'unchanged' }
  const { observations, releasedOn = null, nextReleaseOn = null } = source.parse(fetched.text)
  const checked = checkObservations(source, observations, londonDay(options.now()))
  const { sha256, etag, lastModified } = fetched
  const kept = withinReach(source.kind, checked, options.now())
  return { outcome: 'read', kind: source.kind, observations: kept, sha256, status: 200, validators: { etag, lastModified }, releasedOn, nextReleaseOn }
}

async function fetchOne(pool: Pool, { source, url }: ConfiguredSource, options: RefreshOptions): Promise<Fetch> {
  options.onProgress?.({ source: source.name, phase: 'fetching' })
  const origin = { source: source.name, url, licence: source.licence }
  const stamp = () => new Date(options.now()).toISOString()
  try {
    const told = source.kind === 'feed' ? await fetchFeed(pool, source, url, options) : await fetchStatistics(pool, source, url, options)
    return { ...origin, ...told, fetchedAt: stamp() }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return { ...origin, fetchedAt: stamp(), outcome: 'failed', error: error.message }
  }
}

function reportOf(fetched: Fetch, changes: ReadonlyMap<string, number>): RefreshReport {
  const { source, outcome } = fetched
  if (outcome === 'failed') return { source, outcome, error: fetched.error }
  if (outcome === 'unchanged') return { source, outcome }
  const values = outcome === 'read' ? fetched.observations.length : fetched.rows
  return { source, outcome, values, changed: changes.get(source) ?? 0 }
}

/** Feeds in the order in which they need each other, providers first; the statistics before them. */
function inOrder(configured: readonly ConfiguredSource[]): ConfiguredSource[] {
  const place = ({ source }: ConfiguredSource) => (source.kind === 'feed' ? feedKinds.indexOf(source.feed) : -1)
  return configured.toSorted((a, b) => place(a) - place(b))
}

/**
 * Fetches sources one after another. What the statistics brought is kept in one transaction, each feed in one of its own. A source that cannot be
 * read takes nothing away from the others, and leaves its own data as they stand.
 */
export async function refreshSources(pool: Pool, configured: readonly ConfiguredSource[], options: RefreshOptions): Promise<RefreshReport[]> {
  const fetches: Fetch[] = []
  for (const one of inOrder(configured)) fetches.push(await fetchOne(pool, one, options))
  const changes = await storeFetches(pool, fetches, officialRates)
  return fetches.map((fetched) => reportOf(fetched, changes))
}

/** Fetches sources now, whether or not they are due; undefined while another process is at it. */
export async function refreshNow(pool: Pool, configured: readonly ConfiguredSource[], options: RefreshOptions): Promise<RefreshReport[] | undefined> {
  return await withRefreshLock(pool, () => refreshSources(pool, configured, options))
}

/** How new what a source brought is: the newest day that it told of, null when it never did, and whether that is older than its rhythm explains. */
export type Freshness = { readonly asOf: string | null; readonly stale: boolean }

export async function freshnessOf(pool: Pool, configured: readonly ConfiguredSource[], now: number): Promise<ReadonlyMap<string, Freshness>> {
  const days = await newestDays(pool)
  return new Map(
    configured.map(({ source: { name, freshDays } }) => {
      const asOf = days.get(name) ?? null
      return [name, { asOf, stale: asOf === null || daysSince(asOf, now) > freshDays }]
    }),
  )
}

/** Fetches what is due, unless another process is at it. */
export async function refreshDueSources(pool: Pool, configured: readonly ConfiguredSource[], options: FetchOptions): Promise<RefreshReport[]> {
  if ((await dueSources(pool, configured, options.now())).length === 0) return []
  const reports = await withRefreshLock(pool, async () => {
    // Asked again behind the lock: the process that held it may have fetched everything.
    const due = await dueSources(pool, configured, options.now())
    return due.length === 0 ? [] : await refreshSources(pool, due, options)
  })
  return reports ?? []
}
