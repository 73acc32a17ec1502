import type { ProductType } from '#server/api/contract/account-types.ts'
import { dayMs, isoDay } from '#server/api/contract/dates.ts'
import { withdrawnDays } from '#server/api/contract/endpoint.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { fromPrimary, type VersionedReads } from '#server/db/replica.ts'
import { inSnapshot } from '#server/db/transaction.ts'
import { PastMarkets } from './daily-files/past-markets.ts'
import { FileStore } from './daily-files/read-files.ts'
import { type DayOfChanges, type Movement, noMovement } from './figures/movement.ts'
import { readPastRates } from './history/rate-history.sql.ts'
import { rateHistory } from './history/rate-history.ts'
import type { Issuer, Moves } from './keyset-pager.ts'
import { Interner, toCard, toOffer, toPlain, toProduct, toProvider, toRewardCard, toTravelCard } from './market-rows.ts'
import { currentVersion } from './market-version.ts'
import { type MarketContent, MarketView } from './market-view.ts'
import type { AccountOffer, SwitchOffer } from './offers.ts'
import { type Dataset, productOmit } from './product.ts'
import type { ServiceSurvey } from './provider.ts'
import { readChangedAt, readLaunches, readWithdrawn, toListed } from './read-changes.ts'
import { londonDay } from './sources/calendar.ts'
import { loadStatistics } from './statistics/statistics.ts'

export type { VersionedReads } from '#server/db/replica.ts'
export type { MarketView } from './market-view.ts'

/** Both datasets at one point in time. Immutable; a new market version is a new snapshot. */
export type MarketSnapshot = {
  /** `service_state.market_version` at that time. */
  readonly version: number
  readonly dataset: (name: Dataset) => MarketView
}

/** Long enough for a large market on a busy machine. Only start-up and imports wait for the market to load; requests never do. */
const readTimeoutMs = 60_000

/** Number of days before today for which changes are read. The figures count changes from today and up to 29 earlier days. */
const lookBackDays = 30

/** Number of days for which keyset pagination keeps its order. An older cursor continues in the current order. */
const cursorDays = 2

const batchRows = 5_000

type Batch<Cursor> = { readonly take: number; readonly skip: number; readonly cursor?: Cursor }

/** Reads all rows in batches, and converts each batch before it reads the next, so that only one batch of stored rows is in memory. */
async function readAll<Row, Cursor, Result>(
  readBatch: (batch: Batch<Cursor>) => Promise<Row[]>,
  toCursor: (row: Row) => Cursor,
  convert: (row: Row) => Result | null,
): Promise<Result[]> {
  const results: Result[] = []
  let page: Batch<Cursor> = { take: batchRows, skip: 0 }
  for (;;) {
    const rows = await readBatch(page)
    for (const row of rows) {
      const result = convert(row)
      if (result !== null) results.push(result)
    }
    const last = rows.at(-1)
    if (rows.length < batchRows || last === undefined) return results
    page = { take: batchRows, skip: 1, cursor: toCursor(last) }
  }
}

const isPresent = <Value>(value: Value | null): value is Value => value !== null

/** Maximum number of rows in a list that is read in a single query. No import accepts more records. */
const maxRows = 500_000

/** Reads the current rows of a dataset. Products of inactive providers are excluded. */
async function readContent(tx: Transaction, dataset: Dataset, today: number): Promise<MarketContent> {
  const interner = new Interner()
  const options = { where: { dataset }, take: maxRows } as const
  const listed = { where: { dataset, withdrawnAt: null }, take: maxRows } as const
  const providers = (await tx.provider.findMany({ where: { dataset, active: true }, take: maxRows })).map((row) => toProvider(toPlain(row, interner)))
  const bySlug = new Map(providers.map((provider) => [provider.slug, provider]))
  const getIssuer = ({ providerSlug }: { readonly providerSlug: string | null }) => (providerSlug === null ? undefined : bySlug.get(providerSlug))
  const launches = await readLaunches(tx, dataset)
  const products = await readAll(
    (batch: Batch<Prisma.ProductWhereUniqueInput>) => tx.product.findMany({ where: listed.where, omit: productOmit, orderBy: { sourceKey: 'asc' }, ...batch }),
    ({ sourceKey }) => ({ dataset_sourceKey: { dataset, sourceKey } }),
    (row) => {
      const provider = bySlug.get(row.providerSlug)
      return provider ? toListed(toProduct(toPlain(row, interner), provider, null), launches.get(row.sourceKey)) : null
    },
  )
  const cards = (await tx.card.findMany(options)).map((stored) => {
    const row = toPlain(stored, interner)
    return { row, card: toCard(row, getIssuer(row)) }
  })
  const surveys = (await tx.serviceQuality.findMany({ ...options, omit: { dataset: true, surveyKey: true } })).filter(({ providerSlug }) =>
    bySlug.has(providerSlug),
  )
  return {
    providers,
    products,
    cards: cards.map(({ card }) => card),
    rewardCards: cards.map(({ row, card }) => toRewardCard(row, card)).filter(isPresent),
    travelCards: cards.map(({ row, card }) => toTravelCard(row, card)).filter(isPresent),
    switchOffers: (await tx.switchOffer.findMany(listed)).map((row) => toOffer<SwitchOffer>(toPlain(row, interner), getIssuer(row))),
    accountOffers: (await tx.accountOffer.findMany(listed)).map((row) => toOffer<AccountOffer>(toPlain(row, interner), getIssuer(row))),
    surveys: surveys.map((row) => toPlain(row, interner) as ServiceSurvey),
    withdrawn: await readWithdrawn(tx, { dataset, since: new Date(today - withdrawnDays * dayMs), providers: bySlug, launches, interner }),
  }
}

/** Counts the changes since a date, by day and account type. Uses an index range scan at the end of the primary key. */
async function readDays(tx: Transaction, dataset: Dataset, since: Date): Promise<DayOfChanges[]> {
  const by = ['effectiveDate', 'accountType', 'direction'] as const
  const groups = await tx.rateChange.groupBy({ by: [...by], where: { dataset, effectiveDate: { gte: since } }, _count: true })
  const days = new Map<string, { -readonly [Name in keyof DayOfChanges]: DayOfChanges[Name] }>()
  for (const { effectiveDate, accountType, direction, _count: count } of groups) {
    const key = `${isoDay(effectiveDate)} ${accountType}`
    const day = days.get(key) ?? { date: isoDay(effectiveDate), accountType: accountType as ProductType, rises: 0, cuts: 0, changes: 0, updates: 0 }
    if (direction === 'up') day.rises += count
    if (direction === 'down') day.cuts += count
    if (direction !== 'launched' && direction !== 'withdrawn') day.changes += count
    day.updates += count
    days.set(key, day)
  }
  return [...days.values()]
}

/** Reads the history needed for a dataset's figures, aggregated by the database once per snapshot. `today` is midnight UTC of the date in London. */
async function readMovement(tx: Transaction, dataset: Dataset, today: number): Promise<Movement> {
  const hasChanges = { OR: [{ added: { gt: 0 } }, { changed: { gt: 0 } }, { withdrawn: { gt: 0 } }] }
  const last = await tx.marketImport.aggregate({ where: { dataset, ...hasChanges }, _max: { at: true } })
  if (last._max.at === null) return noMovement
  const days = await readDays(tx, dataset, new Date(today - lookBackDays * dayMs))
  return { asOf: last._max.at.toISOString(), days, ...(await readPastRates(tx, dataset, last._max.at)) }
}

/** Parses the previous provider of a product, stored as its slug, a space and its name. */
function toIssuer(text: string): Issuer {
  const space = text.indexOf(' ')
  return { slug: text.slice(0, space), name: text.slice(space + 1) }
}

/**
 * Reads the previous sort values of rows that changed in the last `cursorDays` days, for which pagination keeps its order. `today` is midnight UTC of the date
 * in London.
 */
async function readMoves(tx: Transaction, dataset: Dataset, today: number): Promise<Moves> {
  const sinceMs = today - cursorDays * dayMs
  const changes = await tx.rateChange.findMany({
    where: { dataset, effectiveDate: { gte: new Date(sinceMs) }, previousRateBp: { not: null } },
    take: maxRows,
    select: { seq: true, sourceKey: true, previousRateBp: true, rateBp: true },
  })
  const rows = await tx.movedRow.findMany({
    where: { dataset, at: { gte: new Date(sinceMs) } },
    take: maxRows,
    select: { list: true, seq: true, key: true, previousPlace: true },
  })
  const getMoves = <Place>(wanted: string, toPlace: (text: string) => Place) =>
    rows.flatMap(({ list, seq, key, previousPlace }) => (list === wanted ? [{ seq: Number(seq), key, from: toPlace(previousPlace) }] : []))
  return {
    products: changes.flatMap(({ seq, sourceKey: key, previousRateBp: from, rateBp }) =>
      from === null || from === rateBp ? [] : [{ seq: Number(seq), key, from }],
    ),
    minBalances: getMoves('product', Number),
    issuers: getMoves('product_provider', toIssuer),
    providers: getMoves('provider', String),
    cards: getMoves('card', Number),
    switchOffers: getMoves('switch_offer', Number),
    sinceMs,
  }
}

async function readDataset(tx: Transaction, dataset: Dataset, today: number): Promise<MarketContent> {
  return {
    ...(await readContent(tx, dataset, today)),
    movement: await readMovement(tx, dataset, today),
    moves: await readMoves(tx, dataset, today),
    changedAt: await readChangedAt(tx, dataset),
  }
}

/** Reads the data of past days. All versions of the market share its caches. */
export type DailyReads = { readonly files: FileStore; readonly past: PastMarkets }

export const dailyReads = (db: Database, now: () => number): DailyReads => ({ files: new FileStore(db, now), past: new PastMarkets() })

/**
 * Loads both datasets in one transaction. Reload when `market_version` differs from `version`. History is read on demand through `reads`, which
 * can use another database, such as a replica.
 */
export async function loadSnapshot(
  db: Database,
  now: () => number = Date.now,
  reads: VersionedReads = fromPrimary(db),
  daily: DailyReads = dailyReads(db, now),
): Promise<MarketSnapshot> {
  const today = Date.parse(londonDay(now()))
  const { version, ...contents } = await inSnapshot(db, readTimeoutMs, async (tx) => {
    const version = await currentVersion(tx)
    return { version, live: await readDataset(tx, 'live', today), sample: await readDataset(tx, 'sample', today) }
  })
  // Load the statistics after reading the version, so that they are never older than this version.
  const statistics = await loadStatistics(db, now)
  const toView = (name: Dataset) => {
    const files = daily.files.of(name)
    const readPast = (day: string) => daily.past.get(files, name, day)
    return new MarketView({ ...contents[name], statistics, now, history: rateHistory((read) => reads(version, read), name), files, readPast })
  }
  const views = { live: toView('live'), sample: toView('sample') }
  return { version, dataset: (name) => views[name] }
}
