import type { Pool } from 'pg'
import type { Card } from './card.ts'
import { type Dataset, datasets } from './dataset.ts'
import { logoPath } from './logo.ts'
import { MarketView } from './market-view.ts'
import type { Product } from './product.ts'
import type { Provider } from './provider.ts'
import { type CardRow, type MarketRows, type ProductRow, type ProviderRow, readMarket } from './snapshot.store.ts'

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

const toPence = (text: string | null) => (text === null ? null : Number(text))

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
    protectionLimitPence: toPence(row.protection_limit_pence),
    licenceGroup: row.licence_group,
    cassParticipant: row.cass_participant,
    colour: row.colour,
    logoPath: row.colour === null ? null : logoPath(row.dataset, row.slug),
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
    maxBalancePence: toPence(row.max_balance_pence),
    maxMonthlyDepositPence: toPence(row.max_monthly_deposit_pence),
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

function cardFromDb(row: CardRow, provider: Provider | undefined): Card {
  return {
    sourceKey: row.source_key,
    list: row.list,
    name: row.name,
    provider: row.provider_name,
    // A provider that is no longer active is not listed, so nothing may point to it.
    providerSlug: provider?.slug ?? null,
    logoPath: provider?.logoPath ?? null,
    updatedAt: row.updated_at,
  }
}

function viewFromDb(dataset: Dataset, rows: MarketRows): MarketView {
  const intern = interner()
  const providers = rows.providers.filter((row) => row.dataset === dataset).map(providerFromDb)
  const bySlug = new Map(providers.map((provider) => [provider.slug, provider]))
  const products = rows.products.flatMap((row) => {
    const provider = row.dataset === dataset ? bySlug.get(row.provider_slug) : undefined
    return provider ? [productFromDb(row, provider, intern)] : []
  })
  const cards = rows.cards
    .filter((row) => row.dataset === dataset)
    .map((row) => cardFromDb(row, row.provider_slug === null ? undefined : bySlug.get(row.provider_slug)))
  return new MarketView({ providers, products, cards })
}

/** Reads the whole market, both datasets, in one transaction. Load it again when `market_version` differs from `version`. */
export async function loadSnapshot(pool: Pool): Promise<MarketSnapshot> {
  const rows = await readMarket(pool)
  const views = Object.fromEntries(datasets.map((name) => [name, viewFromDb(name, rows)])) as Record<Dataset, MarketView>
  return { version: rows.version, dataset: (name) => views[name] }
}
