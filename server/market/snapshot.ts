import type { Pool } from 'pg'
import { cardFromDb, rewardCardsFromDb, travelCardsFromDb } from './card-from-db.ts'
import { type Dataset, datasets } from './dataset.ts'
import { logoPath } from './logo.ts'
import { MarketView } from './market-view.ts'
import { accountOfferFromDb, switchOfferFromDb } from './offer-from-db.ts'
import type { Product } from './product.ts'
import type { Provider } from './provider.ts'
import { penceFromDb } from './row-values.ts'
import { type MarketRows, type ProductRow, type ProviderRow, readMarket } from './snapshot.store.ts'
import { loadStatistics, type Statistics } from './statistics/statistics.ts'
import { surveyFromDb } from './survey-from-db.ts'

export type { MarketView } from './market-view.ts'

/** Both datasets as they stood at one moment. It never changes; a new version of the market is a new snapshot. */
export type MarketSnapshot = {
  /** `service_state.market_version` of the same moment. */
  readonly version: number
  readonly dataset: (name: Dataset) => MarketView
}

/** Keeps one copy of each text that many rows share, because every row comes from the wire with texts of its own. */
function interner(): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const kept = known.get(text)
    if (kept !== undefined) return kept
    known.set(text, text)
    return text
  }
}

function trustFromDb({ trust_score_tenths: scoreTenths, trust_review_count: reviewCount, trust_source: source, trust_as_of: asOf }: ProviderRow) {
  return scoreTenths === null || source === null || asOf === null ? {} : { trust: { scoreTenths, reviewCount, source, asOf } }
}

function providerFromDb(row: ProviderRow): Provider {
  return {
    slug: row.slug,
    name: row.name,
    legalName: row.legal_name,
    frn: row.frn,
    providerType: row.provider_type,
    website: row.website,
    founded: row.founded,
    headquarters: row.headquarters,
    ownerName: row.owner_name,
    ownerCountry: row.owner_country,
    protectionScheme: row.protection_scheme,
    protectionLimitPence: penceFromDb(row.protection_limit_pence),
    licenceGroup: row.licence_group,
    cassParticipant: row.cass_participant,
    colour: row.colour,
    logoPath: row.colour === null ? null : logoPath(row.dataset, row.slug),
    ...trustFromDb(row),
    updatedAt: row.updated_at,
  }
}

function productFromDb(row: ProductRow, provider: Provider, intern: (text: string) => string): Product {
  return {
    sourceKey: row.source_key,
    provider: provider.name,
    providerSlug: provider.slug,
    providerLogoPath: provider.logoPath,
    accountName: intern(row.account_name),
    accountType: row.account_type,
    rateBp: row.rate_bp,
    baseRateBp: row.base_rate_bp,
    boostRateBp: row.boost_rate_bp,
    boostDuration: row.boost_duration === null ? null : intern(row.boost_duration),
    interestPaid: intern(row.interest_paid),
    interestType: intern(row.interest_type),
    access: intern(row.access),
    minBalancePence: Number(row.min_balance_pence),
    maxBalancePence: penceFromDb(row.max_balance_pence),
    maxMonthlyDepositPence: penceFromDb(row.max_monthly_deposit_pence),
    termMonths: row.term_months,
    noticeDays: row.notice_days,
    fscsDetails: intern(row.fscs_details),
    newCustomersOnly: row.new_customers_only,
    url: row.url,
    urlCheckedAt: intern(row.url_checked_at),
    createdAt: intern(row.created_at),
    updatedAt: intern(row.updated_at),
  }
}

function viewFromDb(dataset: Dataset, rows: MarketRows, statistics: Statistics): MarketView {
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

/** Reads the whole market, both datasets, in one transaction. Load it again when `market_version` differs from `version`. */
export async function loadSnapshot(pool: Pool, now: () => number = Date.now): Promise<MarketSnapshot> {
  const rows = await readMarket(pool)
  // After the version was read, so that statistics are never older than it.
  const statistics = await loadStatistics(pool, now)
  const views = Object.fromEntries(datasets.map((name) => [name, viewFromDb(name, rows, statistics)])) as Record<Dataset, MarketView>
  return { version: rows.version, dataset: (name) => views[name] }
}
