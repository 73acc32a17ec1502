import type { Pool } from 'pg'
import type { ProductType } from '#server/api/contract/account-types.ts'
import { inLongTransaction } from '#server/db/long-transaction.ts'
import { type CardRow, readCards } from './cards.store.ts'
import type { Dataset } from './dataset.ts'
import { readMovement } from './figures/movement.store.ts'
import type { Movement } from './figures/movement.ts'
import { readMoves } from './moves.store.ts'
import type { Moves } from './moves.ts'
import { type AccountOfferRow, readAccountOffers, readSwitchOffers, type SwitchOfferRow } from './offers.store.ts'
import type { ProviderType } from './provider.ts'
import { isoDay, isoTime } from './row-values.ts'
import { readSurveys, type SurveyRow } from './surveys.store.ts'

export type ProviderRow = {
  dataset: Dataset
  slug: string
  name: string
  legal_name: string
  frn: string | null
  provider_type: ProviderType
  website: string
  founded: number | null
  headquarters: string | null
  owner_name: string | null
  owner_country: string | null
  protection_scheme: string
  /** `bigint` as text. */
  protection_limit_pence: string | null
  licence_group: string
  cass_participant: boolean
  colour: string | null
  trust_score_tenths: number | null
  trust_review_count: number | null
  trust_source: string | null
  trust_as_of: string | null
  updated_at: string
}

export type ProductRow = {
  dataset: Dataset
  source_key: string
  provider_slug: string
  account_name: string
  account_type: ProductType
  rate_bp: number
  base_rate_bp: number
  boost_rate_bp: number
  boost_duration: string | null
  interest_paid: string
  interest_type: string
  access: string
  min_balance_pence: string
  max_balance_pence: string | null
  max_monthly_deposit_pence: string | null
  term_months: number | null
  notice_days: number | null
  fscs_details: string
  new_customers_only: boolean
  url: string
  url_checked_at: string
  created_at: string
  updated_at: string
}

export type MarketRows = {
  version: number
  providers: ProviderRow[]
  products: ProductRow[]
  cards: CardRow[]
  switchOffers: SwitchOfferRow[]
  accountOffers: AccountOfferRow[]
  surveys: SurveyRow[]
  movement: Record<Dataset, Movement>
  moves: Record<Dataset, Moves>
}

export const providerColumns = `dataset, slug, name, legal_name, frn, provider_type, website, founded, headquarters, owner_name, owner_country,
    protection_scheme, protection_limit_pence, licence_group, cass_participant, colour, trust_score_tenths, trust_review_count, trust_source,
    ${isoDay('trust_as_of')}, ${isoTime('updated_at')}`

export const productColumns = `p.dataset, p.source_key, p.provider_slug, p.account_name, p.account_type, p.rate_bp, p.base_rate_bp, p.boost_rate_bp,
    p.boost_duration, p.interest_paid, p.interest_type, p.access, p.min_balance_pence, p.max_balance_pence, p.max_monthly_deposit_pence,
    p.term_months, p.notice_days, p.fscs_details, p.new_customers_only, p.url, ${isoTime('p.url_checked_at')}, ${isoTime('p.created_at')}, ${isoTime('p.updated_at')}`

/** Long enough for a large market on a busy machine. Only a start or an import waits for this query, never a request. */
const readTimeoutMs = 60_000

const providersSql = `SELECT ${providerColumns} FROM provider WHERE active`

const productsSql = `SELECT ${productColumns}
  FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug
  WHERE p.withdrawn_at IS NULL AND v.active`

/**
 * Reads the whole market and its version in one consistent snapshot. Products of inactive providers are excluded. `today` is the ISO date in
 * London from which recent history is counted back.
 */
export async function readMarket(pool: Pool, today: string): Promise<MarketRows> {
  return await inLongTransaction(pool, readTimeoutMs, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const state = await client.query<{ market_version: number }>('SELECT market_version FROM service_state WHERE id = 1')
    const providers = await client.query<ProviderRow>(providersSql)
    const products = await client.query<ProductRow>(productsSql)
    const [cards, switchOffers] = [await readCards(client), await readSwitchOffers(client)]
    const [accountOffers, surveys] = [await readAccountOffers(client), await readSurveys(client)]
    const movement = { live: await readMovement(client, 'live', today), sample: await readMovement(client, 'sample', today) }
    const moves = { live: await readMoves(client, 'live', today), sample: await readMoves(client, 'sample', today) }
    const version = state.rows[0]?.market_version
    if (version === undefined) throw new Error('service_state has no row: the migrations are incomplete.')
    return { version, providers: providers.rows, products: products.rows, cards, switchOffers, accountOffers, surveys, movement, moves }
  })
}
