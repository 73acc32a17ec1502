import type { Pool } from 'pg'
import { lastUkMorning, londonDay } from '../sources/calendar.ts'
import { checkObservations } from '../sources/check-observations.ts'
import type { ConfiguredSource } from '../sources/configured.ts'
import { type FetchOptions, fetchSource } from '../sources/fetch-source.ts'
import { type Observation, SourceError } from '../sources/source.ts'
import { officialRates } from '../sources/sources.ts'
import { type Attempts, attemptsSince, type Delivery, lastValidators, type NoDelivery, storeFetches } from './fetches.store.ts'
import { fxHistoryDays, withRefreshLock } from './statistics.store.ts'

/** How a source fared. `changed` counts values that are new or different. */
export type RefreshReport =
  | { readonly source: string; readonly outcome: 'read'; readonly values: number; readonly changed: number }
  | { readonly source: string; readonly outcome: 'unchanged' }
  | { readonly source: string; readonly outcome: 'failed'; readonly error: string }

const dayMs = 86_400_000

/** A source that fails in the morning is tried again after an hour, so many times in all before the next morning. */
const attemptsADay = 4
const retryMs = 3_600_000

/** Whether a source has to be fetched at a moment, given how the attempts since the morning went. */
export function isDue(attempts: Attempts | undefined, now: number): boolean {
  if (!attempts) return true
  return !attempts.succeeded && attempts.failures < attemptsADay && now - attempts.lastAt >= retryMs
}

/** The sources that have not been fetched since the last 07:30 in London, however long the service was off in between. */
export async function dueSources(pool: Pool, configured: readonly ConfiguredSource[], now: number): Promise<ConfiguredSource[]> {
  if (configured.length === 0) return []
  const attempts = await attemptsSince(pool, lastUkMorning(now))
  return configured.filter(({ source, url }) =>
    isDue(
      attempts.find((made) => made.source === source.name && made.url === url),
      now,
    ),
  )
}

/** A file of the whole history is taken as far back as the read model looks. */
function withinReach(kind: Delivery['kind'], observations: readonly Observation[], now: number): readonly Observation[] {
  if (kind === 'statistic') return observations
  const since = londonDay(now - fxHistoryDays * dayMs)
  return observations.filter(({ date }) => date >= since)
}

async function fetchOne(pool: Pool, configured: ConfiguredSource, options: FetchOptions): Promise<Delivery | NoDelivery> {
  const { source, url } = configured
  const origin = { source: source.name, url, licence: source.licence }
  const stamp = () => new Date(options.now()).toISOString()
  try {
    const fetched = await fetchSource(configured, await lastValidators(pool, source.name, url), options)
    if (!fetched.changed) return { ...origin, fetchedAt: stamp(), outcome: 'unchanged' }
    const { observations, releasedOn = null, nextReleaseOn = null } = source.parse(fetched.text)
    const checked = checkObservations(source, observations, londonDay(options.now()))
    const { sha256, etag, lastModified } = fetched
    const kept = withinReach(source.kind, checked, options.now())
    const facts = { kind: source.kind, observations: kept, sha256, status: 200, validators: { etag, lastModified }, releasedOn, nextReleaseOn }
    return { ...origin, ...facts, fetchedAt: stamp(), outcome: 'read' }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return { ...origin, fetchedAt: stamp(), outcome: 'failed', error: error.message }
  }
}

function reportOf(fetched: Delivery | NoDelivery, changes: ReadonlyMap<string, number>): RefreshReport {
  const { source, outcome } = fetched
  if (outcome === 'failed') return { source, outcome, error: fetched.error }
  if (outcome === 'unchanged') return { source, outcome }
  return { source, outcome, values: fetched.observations.length, changed: changes.get(source) ?? 0 }
}

/**
 * Fetches sources one after another and keeps what they brought in one transaction. A source that cannot be read takes nothing away from the
 * others, and leaves its own data as they stand.
 */
export async function refreshSources(pool: Pool, configured: readonly ConfiguredSource[], options: FetchOptions): Promise<RefreshReport[]> {
  const fetches: (Delivery | NoDelivery)[] = []
  for (const one of configured) fetches.push(await fetchOne(pool, one, options))
  const changes = await storeFetches(pool, fetches, officialRates)
  return fetches.map((fetched) => reportOf(fetched, changes))
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
