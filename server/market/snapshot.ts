import type { Database } from '#server/db/prisma.ts'
import { fromPrimary, type VersionedReads } from '#server/db/replica.ts'
import { cardFromDb, rewardCardsFromDb, travelCardsFromDb } from './card-from-db.ts'
import { type RateHistory, rateHistory } from './history/rate-history.ts'
import { MarketView } from './market-view.ts'
import { accountOfferFromDb, switchOfferFromDb } from './offer-from-db.ts'
import { type Dataset, datasets } from './product.ts'
import { productFromDb, providerFromDb, surveyFromDb } from './provider-from-db.ts'
import { type MarketRows, readMarket } from './snapshot.store.ts'
import { londonDay } from './sources/calendar.ts'
import { loadStatistics, type Statistics } from './statistics/statistics.ts'

export type { VersionedReads } from '#server/db/replica.ts'
export type { MarketView } from './market-view.ts'

/** Both datasets at one point in time. Immutable; a new market version is a new snapshot. */
export type MarketSnapshot = {
  /** `service_state.market_version` at that time. */
  readonly version: number
  readonly dataset: (name: Dataset) => MarketView
}

/** Returns a function that deduplicates strings. Many rows share the same text, but the database driver creates a new string for each of them. */
function interner(): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const kept = known.get(text)
    if (kept !== undefined) return kept
    known.set(text, text)
    return text
  }
}

function viewFromDb(dataset: Dataset, rows: MarketRows, statistics: Statistics, history: RateHistory, now: () => number): MarketView {
  const intern = interner()
  const providers = rows.providers.filter((row) => row.dataset === dataset).map(providerFromDb)
  const bySlug = new Map(providers.map((provider) => [provider.slug, provider]))
  const products = rows.products.flatMap((row) => {
    const provider = row.dataset === dataset ? bySlug.get(row.provider_slug) : undefined
    return provider ? [productFromDb(row, provider, intern)] : []
  })
  const mine = <Row extends { dataset: Dataset }>(all: readonly Row[]) => all.filter((row) => row.dataset === dataset)
  const issuer = (slug: string | null) => (slug === null ? undefined : bySlug.get(slug))
  const cards = mine(rows.cards).map((row) => ({ row, card: cardFromDb(row, issuer(row.provider_slug)) }))
  return new MarketView({
    statistics,
    now,
    movement: rows.movement[dataset],
    moves: rows.moves[dataset],
    history,
    providers,
    products,
    cards: cards.map(({ card }) => card),
    rewardCards: cards.flatMap(({ row, card }) => rewardCardsFromDb(row, card)),
    travelCards: cards.flatMap(({ row, card }) => travelCardsFromDb(row, card)),
    switchOffers: mine(rows.switchOffers).map((row) => switchOfferFromDb(row, issuer(row.provider_slug))),
    accountOffers: mine(rows.accountOffers).map((row) => accountOfferFromDb(row, issuer(row.provider_slug))),
    surveys: mine(rows.surveys).flatMap((row) => (bySlug.has(row.provider_slug) ? [surveyFromDb(row)] : [])),
  })
}

/**
 * Loads both datasets in one transaction. Reload when `market_version` differs from `version`. History is read on demand through `reads`, which
 * can use another database, such as a replica.
 */
export async function loadSnapshot(pool: Database, now: () => number = Date.now, reads: VersionedReads = fromPrimary(pool)): Promise<MarketSnapshot> {
  const rows = await readMarket(pool, londonDay(now()))
  // Load the statistics after reading the version, so that they are never older than this version.
  const statistics = await loadStatistics(pool, now)
  const getHistory = (name: Dataset) => rateHistory((read) => reads(rows.version, read), name)
  const views = Object.fromEntries(datasets.map((name) => [name, viewFromDb(name, rows, statistics, getHistory(name), now)])) as Record<Dataset, MarketView>
  return { version: rows.version, dataset: (name) => views[name] }
}
