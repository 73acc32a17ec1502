import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { missing } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newestHeld, openHeld } from '../import/quarantined-imports.ts'
import { lastUkMorning } from '../sources/calendar.ts'
import type { FetchOptions } from '../sources/fetch-source.ts'
import { type ConfiguredSource, feedSources } from '../sources/sources.ts'
import { type Attempts, fromUrl } from '../statistics/fetches.ts'
import { attemptsThisMorning, getFreshness, nextFetchAt, type RefreshReport, refreshNow } from '../statistics/refresh.ts'
import type { MarketDeps } from './market-deps.ts'

/** State of a source. `held`: its feed is waiting for an administrator to publish it. `due`: not fetched since the last 07:30 in London. */
export type SourceState = 'arrived' | 'held' | 'failed' | 'due'

const importsShown = 20
const fetchesShown = 20

/** Successful fetch, with its row counts. */
type GoodFetch = { readonly fetchedAt: Date; readonly rows: number | null; readonly changed: number | null }

function getState(attempts: Attempts | undefined, quarantined: { readonly state: string } | undefined): SourceState {
  if (quarantined?.state === 'waiting') return 'held'
  if (!attempts) return 'due'
  return attempts.succeeded ? 'arrived' : 'failed'
}

/** Adds sources that are no longer in MARKET_SOURCES but have a quarantined import, which an administrator still has to review. */
function withWaiting(sources: readonly ConfiguredSource[], open: Awaited<ReturnType<typeof openHeld>>): readonly ConfiguredSource[] {
  const strays = open.filter(({ source, state }) => state === 'waiting' && !sources.some((one) => one.source.name === source))
  return [...sources, ...strays.flatMap(({ source, url }) => feedSources.filter(({ name }) => name === source).map((feed) => ({ source: feed, url })))]
}

/** Returns the latest successful fetch of each source, from any URL. */
async function lastGoodFetches(db: Database, names: string[]): Promise<ReadonlyMap<string, GoodFetch>> {
  const where = { source: { in: names }, rows: { not: null }, ...fromUrl }
  const latest = await db.sourceFetch.groupBy({ by: ['source'], where, _max: { fetchedAt: true } })
  const keys = latest.flatMap(({ source, _max: { fetchedAt } }) => (fetchedAt === null ? [] : [{ source, fetchedAt }]))
  const select = { source: true, fetchedAt: true, rows: true, changed: true } as const
  // If two fetches of a source have the same time, they are from different URLs. The last one wins.
  const fetches = await db.sourceFetch.findMany({ where: { ...where, OR: keys }, orderBy: { id: 'asc' }, take: 2 * names.length, select })
  return new Map(fetches.map(({ source, ...fetch }) => [source, fetch]))
}

const pending = { settledAt: null } as const

/** Returns all sources with their states. `asOf` is the ISO date of the latest data. */
async function getLines(deps: MarketDeps) {
  const { pool: db, now } = deps
  const [at, open] = [now(), await openHeld(db)]
  const sources = withWaiting(deps.sources, open)
  const names = sources.map(({ source }) => source.name)
  const [getAttempts, fresh, good, ordered] = await Promise.all([
    attemptsThisMorning(db, at),
    getFreshness(db, sources, at),
    lastGoodFetches(db, names),
    db.refreshRequest.findMany({ where: { source: { in: names }, ...pending }, take: names.length, select: { source: true } }),
  ])
  const isOrdered = new Set(ordered.map(({ source }) => source))
  const quarantined = new Map(open.map((one) => [one.source, one]))
  return sources.map((one) => {
    const { name, title, kind } = one.source
    const [attempts, latest] = [getAttempts(one), good.get(name)]
    return {
      ...(fresh.get(name) ?? { asOf: null, stale: true }),
      name,
      title,
      url: one.url,
      isFeed: kind === 'feed',
      state: getState(attempts, quarantined.get(name)),
      /** Time of the last attempt since 07:30; null if there was none. */
      triedAt: attempts ? new Date(attempts.lastAt) : null,
      /** Time of the last successful fetch, with its row counts in `rows` and `changed`; null if there was none. */
      broughtAt: latest?.fetchedAt ?? null,
      rows: latest?.rows ?? null,
      changed: latest?.changed ?? null,
      nextAt: new Date(nextFetchAt(attempts, at)),
      /** True if a fetch requested by an administrator is pending. */
      isOrdered: isOrdered.has(name),
    }
  })
}

/**
 * Returns the time at which the demonstration market was created; null if the market has sources or imported data. Manual corrections don't count as imports.
 */
async function findDemonstration({ pool: db, sources }: MarketDeps): Promise<Date | null> {
  const imported = { dataset: 'live', isSeed: false, kind: { not: 'correction' } } as const
  if (sources.length > 0 || (await db.marketImport.count({ where: imported, take: 1 })) > 0) return null
  const seed = await db.marketImport.findFirst({ where: { dataset: 'live', isSeed: true }, orderBy: { id: 'desc' }, select: { at: true } })
  return seed?.at ?? null
}

/** Returns the state of each source since 07:30 in London (`since`), and the latest imports. */
export async function getMorning(deps: MarketDeps) {
  const [demonstrationAt, sources, imports] = await Promise.all([
    findDemonstration(deps),
    getLines(deps),
    deps.pool.marketImport.findMany({
      // Excludes seed markers and manual corrections, which are not imports of a feed.
      where: { dataset: 'live', kind: { notIn: ['seed', 'correction'] } },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
      take: importsShown,
      omit: { dataset: true, sha256: true },
    }),
  ])
  return { since: new Date(lastUkMorning(deps.now())), demonstrationAt, sources, imports }
}

/** Returns a source with its quarantined import, fetch request and latest fetches. @throws if the source doesn't exist. */
export async function sourceDetail(deps: MarketDeps, name: string) {
  const { pool: db } = deps
  const [lines, held, order, fetches] = await Promise.all([
    getLines(deps),
    newestHeld(db, name),
    db.refreshRequest.findFirst({
      where: { source: name },
      orderBy: { id: 'desc' },
      select: { requestedAt: true, settledAt: true, outcome: true },
    }),
    db.sourceFetch.findMany({
      where: { source: name, ...fromUrl },
      orderBy: [{ fetchedAt: 'desc' }, { id: 'desc' }],
      take: fetchesShown,
      select: { fetchedAt: true, rows: true, changed: true, error: true },
    }),
  ])
  const line = lines.find((one) => one.name === name)
  if (!line) throw missing('source', name)
  return {
    line,
    held,
    order: order && { orderedAt: order.requestedAt, settledAt: order.settledAt, outcome: order.outcome },
    fetches: fetches.map(({ fetchedAt: at, ...fetch }) => ({ at, ...fetch })),
  }
}

/** Asks the worker to fetch a source now, even if it isn't due. */
export async function orderSource({ pool: db, sources }: MarketDeps, by: AdminActor, source: string): Promise<void> {
  if (!sources.some((one) => one.source.name === source)) throw missing('source', source)
  await inTransaction(db, async (tx) => {
    // A unique index allows one pending request per source.
    const { count } = await tx.refreshRequest.createMany({ data: [{ source, requestedAt: new Date(clock.now()) }], skipDuplicates: true })
    if (count === 0) throw new FieldsError({ form: 'A fetch of this source is already pending.' })
    await writeAudit(tx, { ...by, accountId: null, action: 'source.fetch', subject: source })
  })
}

function describeOutcome(report: RefreshReport | undefined): string {
  if (report === undefined || report.outcome === 'unchanged') return 'Unchanged since the last fetch.'
  if (report.outcome === 'failed') return report.error
  return `${report.values} rows, ${report.changed} new or changed.`
}

/**
 * Runs the pending fetch requests one after the other and records each outcome. If another process is fetching, they stay pending; if this
 * process dies, they are retried.
 */
export async function fetchOrders(db: Database, sources: readonly ConfiguredSource[], options: FetchOptions): Promise<readonly RefreshReport[]> {
  const reports: RefreshReport[] = []
  const nextOrder = () => db.refreshRequest.findFirst({ where: pending, orderBy: { id: 'asc' }, select: { id: true, source: true } })
  for (let order = await nextOrder(); order && !options.signal?.aborted; order = await nextOrder()) {
    const { id, source: name } = order
    const settle = (outcome: string) => db.refreshRequest.updateMany({ where: { id }, data: { settledAt: new Date(clock.now()), outcome } })
    const wanted = sources.filter(({ source }) => source.name === name)
    if (wanted.length === 0) {
      await settle("Not configured: the worker's MARKET_SOURCES does not include this source.")
      continue
    }
    const done = await refreshNow(db, wanted, options).catch(async (error: unknown) => {
      // A request that fails unexpectedly must not be retried forever or block later requests. The error is logged as the job's failure.
      if (!options.signal?.aborted) await settle('Import failed. See the worker log.')
      throw error
    })
    if (done === undefined) return reports
    reports.push(...done)
    await settle(describeOutcome(done[0]))
  }
  return reports
}
