import { dayMs } from '#server/api/contract/dates.ts'
import type { Database } from '#server/db/prisma.ts'
import { withLock } from '#server/db/transaction.ts'
import { feedKinds } from '../import/feed-kind.ts'
import { type PullOptions, type PullProgress, pullFeed } from '../import/pull-feed.ts'
import { daysSince, lastUkMorning, londonDay, nextUkMorning } from '../sources/calendar.ts'
import { readDecimal, toWholeHundredths } from '../sources/exact-decimal.ts'
import { type FetchOptions, fetchSource } from '../sources/fetch-source.ts'
import { type FeedSource, type Observation, type Source, SourceError } from '../sources/source.ts'
import { type ConfiguredSource, officialRates } from '../sources/sources.ts'
import { fxHistoryDays } from './exchange-rates.ts'
import { type Attempts, attemptsSince, type Delivery, type Fetch, type Imported, lastValidators, newestDays, storeFetches } from './fetches.ts'

/** Plausible range of statistics, in basis points. A value outside this range is wrong, is in another unit or is an index. */
const minPercentBp = -10_00
const maxPercentBp = 100_00

function checkValue({ series, date, value }: Observation, source: Source): void {
  const decimal = readDecimal(value)
  const hundredths = decimal ? toWholeHundredths(decimal) : Number.NaN
  if (source.kind === 'statistic' && !(hundredths >= minPercentBp && hundredths <= maxPercentBp)) {
    throw new SourceError(`${series} is ${value} on ${date}, which is not a plausible percentage.`)
  }
}

/**
 * Validates parsed observations before they are stored: not empty, none in the future, plausible percentages, one value per day.
 * @returns the observations without duplicates.
 * @throws SourceError if an observation is invalid.
 */
export function checkObservations(source: Source, observations: readonly Observation[], today: string): Observation[] {
  if (observations.length === 0) throw new SourceError('The file contains none of the expected values.')
  const values = new Map<string, string>()
  return observations.filter((observation) => {
    const { series, date, value } = observation
    if (date > today) throw new SourceError(`${series} has a value for ${date}, which is in the future.`)
    checkValue(observation, source)
    const key = `${series} ${date}`
    const other = values.get(key)
    if (other !== undefined && other !== value) throw new SourceError(`${series} has two values for ${date}: ${other} and ${value}.`)
    values.set(key, value)
    return other === undefined
  })
}

/** Result of refreshing a source. `changed` counts new or changed values, or feed rows. */
export type RefreshReport =
  | { readonly source: string; readonly outcome: 'read' | 'imported'; readonly values: number; readonly changed: number }
  | { readonly source: string; readonly outcome: 'unchanged' }
  | { readonly source: string; readonly outcome: 'failed'; readonly error: string }

export type RefreshProgress = { readonly source: string } & (PullProgress | { readonly phase: 'fetching' })

export type RefreshOptions = Omit<PullOptions, 'onProgress'> & { readonly onProgress?: ((progress: RefreshProgress) => void) | undefined }

/** Maximum attempts per source and day. A source that failed is retried hourly up to this limit. */
const maxAttemptsPerDay = 4
const retryMs = 3_600_000

/** True if a source must be fetched now, given its attempts since the last 07:30 in London. */
export function isDue(attempts: Attempts | undefined, now: number): boolean {
  if (!attempts) return true
  return !attempts.succeeded && attempts.failures < maxAttemptsPerDay && now - attempts.lastAt >= retryMs
}

/** Returns the time of the next scheduled fetch of a source, in milliseconds since 1970. */
export function nextFetchAt(attempts: Attempts | undefined, now: number): number {
  if (isDue(attempts, now)) return now
  return attempts && !attempts.succeeded && attempts.failures < maxAttemptsPerDay ? attempts.lastAt + retryMs : nextUkMorning(now)
}

/** Returns a function that finds the fetch attempts for a source and URL since the last 07:30 in London. */
export async function attemptsThisMorning(pool: Database, now: number): Promise<(one: ConfiguredSource) => Attempts | undefined> {
  const attempts = await attemptsSince(pool, lastUkMorning(now), now)
  return ({ source, url }) => attempts.find((made) => made.source === source.name && made.url === url)
}

/** Returns the sources that must be fetched now, including those whose fetch was missed during downtime. */
export async function dueSources(pool: Database, configured: readonly ConfiguredSource[], now: number): Promise<ConfiguredSource[]> {
  if (configured.length === 0) return []
  const getAttempts = await attemptsThisMorning(pool, now)
  return configured.filter((one) => isDue(getAttempts(one), now))
}

/** Returns true if no source will be fetched again before the next morning, because each succeeded or has failed too often. */
export async function isMorningDone(pool: Database, configured: readonly ConfiguredSource[], now: number): Promise<boolean> {
  if (configured.length === 0) return true
  const getAttempts = await attemptsThisMorning(pool, now)
  return configured.every((one) => nextFetchAt(getAttempts(one), now) === nextUkMorning(now))
}

/** Drops exchange rates that are older than the history kept in memory. */
function withinReach(kind: Delivery['kind'], observations: readonly Observation[], now: number): readonly Observation[] {
  if (kind === 'statistic') return observations
  const since = londonDay(now - fxHistoryDays * dayMs)
  return observations.filter(({ date }) => date >= since)
}

type Known = 'source' | 'url' | 'licence' | 'fetchedAt'
type FetchResult = Omit<Delivery, Known> | Omit<Imported, Known> | { readonly outcome: 'unchanged' }

async function fetchFeed(pool: Database, source: FeedSource, url: string, options: RefreshOptions): Promise<FetchResult> {
  const onProgress = (progress: PullProgress) => options.onProgress?.({ source: source.name, ...progress })
  const pulled = await pullFeed(pool, { source, url }, await lastValidators(pool, source.name, url), { ...options, onProgress })
  if (!pulled.changed) return { outcome: 'unchanged' }
  const { report, sha256, validators, asOf } = pulled
  const changed = report.added + report.changed + report.restored + report.withdrawn
  return { outcome: 'imported', rows: report.rows, changed, asOf, sha256, validators }
}

async function fetchStatistics(pool: Database, source: Source, url: string, options: FetchOptions): Promise<FetchResult> {
  const fetched = await fetchSource({ source, url }, await lastValidators(pool, source.name, url), options)
  if (!fetched.changed) return { outcome: 'unchanged' }
  const { observations, releasedOn = null, nextReleaseOn = null } = source.parse(fetched.text)
  const checked = checkObservations(source, observations, londonDay(options.now()))
  const { sha256, etag, lastModified } = fetched
  const kept = withinReach(source.kind, checked, options.now())
  return { outcome: 'read', kind: source.kind, observations: kept, sha256, status: 200, validators: { etag, lastModified }, releasedOn, nextReleaseOn }
}

async function fetchOne(pool: Database, { source, url }: ConfiguredSource, options: RefreshOptions): Promise<Fetch> {
  options.onProgress?.({ source: source.name, phase: 'fetching' })
  const origin = { source: source.name, url, licence: source.licence }
  const stamp = () => new Date(options.now()).toISOString()
  try {
    const described = source.kind === 'feed' ? await fetchFeed(pool, source, url, options) : await fetchStatistics(pool, source, url, options)
    return { ...origin, ...described, fetchedAt: stamp() }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return { ...origin, fetchedAt: stamp(), outcome: 'failed', error: error.message }
  }
}

function toReport(fetched: Fetch, changes: ReadonlyMap<string, number>): RefreshReport {
  const { source, outcome } = fetched
  if (outcome === 'failed') return { source, outcome, error: fetched.error }
  if (outcome === 'unchanged') return { source, outcome }
  const values = outcome === 'read' ? fetched.observations.length : fetched.rows
  return { source, outcome, values, changed: changes.get(source) ?? 0 }
}

/** Sorts sources by dependency: statistics first, then feeds, starting with provider feeds. */
function inOrder(configured: readonly ConfiguredSource[]): ConfiguredSource[] {
  const place = ({ source }: ConfiguredSource) => (source.kind === 'feed' ? feedKinds.indexOf(source.feed) : -1)
  return configured.toSorted((a, b) => place(a) - place(b))
}

/**
 * Fetches sources one after another. All statistics are stored in one transaction, each feed in its own. A failing source doesn't affect the
 * others and keeps its stored data.
 */
export async function refreshSources(pool: Database, configured: readonly ConfiguredSource[], options: RefreshOptions): Promise<RefreshReport[]> {
  const fetches: Fetch[] = []
  for (const one of inOrder(configured)) fetches.push(await fetchOne(pool, one, options))
  const changes = await storeFetches(pool, fetches, officialRates)
  return fetches.map((fetched) => toReport(fetched, changes))
}

/** Fetches sources now, even if not due. Returns undefined if another process is refreshing. */
export async function refreshNow(pool: Database, configured: readonly ConfiguredSource[], options: RefreshOptions): Promise<RefreshReport[] | undefined> {
  return await withLock(pool, 'marketRefresh', () => refreshSources(pool, configured, options))
}

/**
 * Freshness of a source: the newest day for which it has delivered data (null if none). `stale` is true if that day is older than the publication schedule
 * allows.
 */
export type Freshness = { readonly asOf: string | null; readonly stale: boolean }

export async function getFreshness(pool: Database, configured: readonly ConfiguredSource[], now: number): Promise<ReadonlyMap<string, Freshness>> {
  const days = await newestDays(pool)
  return new Map(
    configured.map(({ source: { name, freshDays } }) => {
      const asOf = days.get(name) ?? null
      return [name, { asOf, stale: asOf === null || daysSince(asOf, now) > freshDays }]
    }),
  )
}

/** Fetches due sources, unless another process is refreshing. */
export async function refreshDueSources(pool: Database, configured: readonly ConfiguredSource[], options: FetchOptions): Promise<RefreshReport[]> {
  if ((await dueSources(pool, configured, options.now())).length === 0) return []
  const reports = await withLock(pool, 'marketRefresh', async () => {
    // Check again under the lock: the previous holder may have fetched everything.
    const due = await dueSources(pool, configured, options.now())
    return due.length === 0 ? [] : await refreshSources(pool, due, options)
  })
  return reports ?? []
}
