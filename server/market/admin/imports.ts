import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { missing } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Database } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type FeedFaults, type HeldRow, newestHeld, type OpenRow, openHeld } from '../import/quarantined-imports.store.ts'
import type { FeedPreview } from '../import/row-change.ts'
import { lastUkMorning } from '../sources/calendar.ts'
import type { FetchOptions } from '../sources/fetch-source.ts'
import type { ConfiguredSource } from '../sources/sources.ts'
import { feedSources } from '../sources/sources.ts'
import type { Attempts } from '../statistics/fetches.store.ts'
import { attemptsThisMorning, type Freshness, getFreshness, nextFetchAt, type RefreshReport, refreshNow } from '../statistics/refresh.ts'
import { addOrder, type FetchRow, lastGoodFetches, listFetches, newestImports, newestOrder, nextOrder, orderedSources, settleOrder } from './imports.store.ts'
import type { MarketDeps } from './market-deps.ts'

/** State of a source. `held`: its feed waits for an administrator to publish it. `due`: not fetched since the last 07:30 in London. */
export type SourceState = 'arrived' | 'held' | 'failed' | 'due'

/** Source with its state. `asOf` is an ISO date. */
export type SourceLine = Freshness & {
  readonly name: string
  readonly title: string
  readonly url: string
  readonly isFeed: boolean
  readonly state: SourceState
  /** Time of the last attempt since 07:30; null if there was none. */
  readonly triedAt: Date | null
  /** Time of the last successful fetch, with its row counts in `rows` and `changed`; null if there was none. */
  readonly broughtAt: Date | null
  readonly rows: number | null
  readonly changed: number | null
  readonly nextAt: Date
  /** True if a fetch requested by an administrator is pending. */
  readonly isOrdered: boolean
}

export type ImportLine = {
  readonly id: string
  readonly kind: string
  readonly fileName: string
  readonly rows: number
  readonly added: number
  readonly changed: number
  readonly withdrawn: number
  readonly isSeed: boolean
  readonly at: Date
}

/** State of each source since 07:30 in London (`since`), and the latest imports. */
export type Morning = { readonly since: Date; readonly sources: readonly SourceLine[]; readonly imports: readonly ImportLine[] }

const importsShown = 20
const fetchesShown = 20

type Known = {
  readonly attempts: Attempts | undefined
  readonly quarantined: Pick<HeldRow, 'state'> | undefined
  readonly good: FetchRow | undefined
  readonly fresh: Freshness | undefined
  readonly isOrdered: boolean
}

function getState({ attempts, quarantined }: Known): SourceState {
  if (quarantined?.state === 'waiting') return 'held'
  if (!attempts) return 'due'
  return attempts.succeeded ? 'arrived' : 'failed'
}

function toLine({ source, url }: ConfiguredSource, known: Known, now: number): SourceLine {
  const { attempts, good, fresh } = known
  return {
    ...(fresh ?? { asOf: null, stale: true }),
    name: source.name,
    title: source.title,
    url,
    isFeed: source.kind === 'feed',
    state: getState(known),
    triedAt: attempts ? new Date(attempts.lastAt) : null,
    broughtAt: good?.fetched_at ?? null,
    rows: good?.rows ?? null,
    changed: good?.changed ?? null,
    nextAt: new Date(nextFetchAt(attempts, now)),
    isOrdered: known.isOrdered,
  }
}

/**
 * Adds the sources of quarantined imports to the list even if MARKET_SOURCES no longer names them, because an administrator still has to review the imports.
 */
function withWaiting(sources: readonly ConfiguredSource[], open: readonly OpenRow[]): readonly ConfiguredSource[] {
  const strays = open.filter(({ source, state }) => state === 'waiting' && !sources.some((one) => one.source.name === source))
  return [...sources, ...strays.flatMap(({ source, url }) => feedSources.filter(({ name }) => name === source).map((feed) => ({ source: feed, url })))]
}

async function getLines(deps: MarketDeps): Promise<SourceLine[]> {
  const { pool, now } = deps
  const [at, open] = [now(), await openHeld(pool)]
  const sources = withWaiting(deps.sources, open)
  const names = sources.map(({ source }) => source.name)
  const [getAttempts, fresh, good, ordered] = await Promise.all([
    attemptsThisMorning(pool, at),
    getFreshness(pool, sources, at),
    lastGoodFetches(pool, names),
    orderedSources(pool),
  ])
  const quarantined = new Map(open.map((one) => [one.source, one]))
  return sources.map((one) => {
    const { name } = one.source
    const known = { attempts: getAttempts(one), quarantined: quarantined.get(name), good: good.get(name), fresh: fresh.get(name), isOrdered: ordered.has(name) }
    return toLine(one, known, at)
  })
}

export async function getMorning(deps: MarketDeps): Promise<Morning> {
  const [sources, imports] = await Promise.all([getLines(deps), newestImports(deps.pool, importsShown)])
  const shown = imports.map(({ file_name: fileName, is_seed: isSeed, ...row }) => ({ ...row, fileName, isSeed }))
  return { since: new Date(lastUkMorning(deps.now())), sources, imports: shown }
}

/** Fetched feed that was quarantined for review instead of imported. */
export type QuarantinedImport = {
  readonly id: string
  readonly state: HeldRow['state']
  readonly fetchedAt: Date
  readonly settledAt: Date | null
  readonly preview: FeedPreview | null
  readonly faults: FeedFaults | null
}

export type SourceDetail = {
  readonly line: SourceLine
  readonly held: QuarantinedImport | null
  readonly order: { readonly orderedAt: Date; readonly settledAt: Date | null; readonly outcome: string | null } | null
  readonly fetches: readonly { readonly at: Date; readonly rows: number | null; readonly changed: number | null; readonly error: string | null }[]
}

/** Returns a source with its quarantined import, fetch request and latest fetches. @throws if the source doesn't exist. */
export async function sourceDetail(deps: MarketDeps, name: string): Promise<SourceDetail> {
  const { pool } = deps
  const [lines, held, order, fetches] = await Promise.all([
    getLines(deps),
    newestHeld(pool, name),
    newestOrder(pool, name),
    listFetches(pool, name, fetchesShown),
  ])
  const line = lines.find((one) => one.name === name)
  if (!line) throw missing('source', name)
  return {
    line,
    held: held ? { ...held, fetchedAt: held.fetched_at, settledAt: held.settled_at } : null,
    order: order ? { orderedAt: order.requested_at, settledAt: order.settled_at, outcome: order.outcome } : null,
    fetches: fetches.map(({ fetched_at: at, rows, changed, error }) => ({ at, rows, changed, error })),
  }
}

/** Asks the worker to fetch a source now, even if it isn't due. */
export async function orderSource({ pool, sources }: MarketDeps, by: AdminActor, source: string): Promise<void> {
  if (!sources.some((one) => one.source.name === source)) throw missing('source', source)
  await inTransaction(pool, async (client) => {
    if (!(await addOrder(client, source))) throw new FieldsError({ form: 'A fetch of this source is already pending.' })
    await writeAudit(client, { ...by, accountId: null, action: 'source.fetch', subject: source })
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
export async function fetchOrders(pool: Database, sources: readonly ConfiguredSource[], options: FetchOptions): Promise<readonly RefreshReport[]> {
  const reports: RefreshReport[] = []
  for (let order = await nextOrder(pool); order && !options.signal?.aborted; order = await nextOrder(pool)) {
    const name = order.source
    const wanted = sources.filter(({ source }) => source.name === name)
    if (wanted.length === 0) {
      await settleOrder(pool, order.id, "Not configured: the worker's MARKET_SOURCES does not include this source.")
      continue
    }
    const done = await refreshNow(pool, wanted, options).catch(async (error: unknown) => {
      // A request that fails unexpectedly must not be retried forever or block later requests. The error is logged as the job's failure.
      if (!options.signal?.aborted) await settleOrder(pool, order.id, 'Import failed. See the worker log.')
      throw error
    })
    if (done === undefined) return reports
    reports.push(...done)
    await settleOrder(pool, order.id, describeOutcome(done[0]))
  }
  return reports
}
