import type { ProductType } from '#server/api/contract/account-types.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inLongTransaction } from '#server/db/transaction.ts'
import { type CardRow, readCards } from './cards.store.ts'
import { isoDay, isoTime } from './decimal.ts'
import { type DayOfChanges, type Movement, noMovement, type PastRates } from './figures/movement.ts'
import type { Move, Moves } from './keyset-pager.ts'
import { type AccountOfferRow, readAccountOffers, readSwitchOffers, type SwitchOfferRow } from './offers.store.ts'
import type { Dataset } from './product.ts'
import type { ProviderType, SurveyRegion, SurveyScore } from './provider.ts'

/** Dates and times in ISO 8601. */
export type SurveyRow = {
  dataset: Dataset
  provider_slug: string
  region: SurveyRegion
  survey: string
  publisher: string
  period_start: string
  period_end: string
  published_at: string
  next_publication: string | null
  sample_size: number | null
  providers_ranked: number
  overall: SurveyScore | null
  online_and_mobile: SurveyScore | null
  overdraft: SurveyScore | null
  branch: SurveyScore | null
  methodology_url: string
  account_opening_days: number | null
  debit_card_replacement_days: number | null
  major_incidents_last_year: number | null
  updated_at: string
}

const surveysSql = `SELECT dataset, provider_slug, region, survey, publisher, ${isoDay('period_start')}, ${isoDay('period_end')}, ${isoDay('published_at')},
    ${isoDay('next_publication')}, sample_size, providers_ranked, overall, online_and_mobile, overdraft, branch, methodology_url,
    account_opening_days, debit_card_replacement_days, major_incidents_last_year, ${isoTime('updated_at')}
  FROM service_quality`

/** Reads the latest survey of every provider and region in the snapshot transaction. */
async function readSurveys(client: Transaction): Promise<SurveyRow[]> {
  return (await client.query<SurveyRow>(surveysSql)).rows
}

/** Number of days before today whose changes are read. The figures count changes of today and up to 29 earlier days. */
const lookBackDays = 30

const asOfSql = `SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "asOf",
    to_char(day - interval '1 month', 'YYYY-MM-DD') AS "monthAgo", to_char(day - interval '1 year', 'YYYY-MM-DD') AS "yearAgo"
  FROM (SELECT max(at) AS at, (max(at) AT TIME ZONE 'Europe/London')::date AS day FROM market_import WHERE dataset = $1 AND added + changed + withdrawn > 0) last
  WHERE at IS NOT NULL`

// Index range scan at the end of the primary key.
const daysSql = `SELECT to_char(effective_date, 'YYYY-MM-DD') AS date, account_type AS "accountType",
    count(*) FILTER (WHERE direction = 'up')::int AS rises, count(*) FILTER (WHERE direction = 'down')::int AS cuts,
    count(*) FILTER (WHERE direction IN ('up', 'down', 'unchanged'))::int AS changes, count(*)::int AS updates
  FROM rate_change WHERE dataset = $1 AND effective_date >= $2::date - $3::int GROUP BY effective_date, account_type`

// Current rates minus the changes since: undoing the changes gives the past rates, and only a year of changes is read, by primary key. A
// change that moves a product to another group is a withdrawal there and a launch here.
const pastSql = `WITH day (name, date) AS (VALUES ('monthAgo', $2::date), ('yearAgo', $3::date)),
  stood AS (
    SELECT name, account_type, provider_slug, term_months, is_known, sum(rate_bp) AS sum_bp, sum(count) AS count FROM (
      SELECT day.name, p.account_type, p.provider_slug, p.term_months, true AS is_known, p.rate_bp, 1 AS count
        FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug CROSS JOIN day
        WHERE p.dataset = $1 AND p.withdrawn_at IS NULL AND v.active
      UNION ALL
      SELECT day.name, r.account_type, r.provider_slug, p.term_months, p.source_key IS NOT NULL, coalesce(r.previous_rate_bp, 0) - coalesce(r.rate_bp, 0),
          num_nonnulls(r.previous_rate_bp) - num_nonnulls(r.rate_bp)
        FROM rate_change r JOIN day ON r.effective_date > day.date LEFT JOIN product p ON p.dataset = r.dataset AND p.source_key = r.source_key
        WHERE r.dataset = $1 AND r.effective_date > $3::date
    ) part GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) > 0)
  SELECT stood.name, account_type AS "accountType", term_months AS "termMonths", is_known AS "isTermKnown", sum(sum_bp)::float8 AS "sumBp",
    sum(count)::int AS count, array_agg(DISTINCT coalesce(v.licence_group, provider_slug)) AS institutions
  FROM stood LEFT JOIN provider v ON v.dataset = $1 AND v.slug = provider_slug GROUP BY 1, 2, 3, 4`

type AsOfRow = { asOf: string; monthAgo: string; yearAgo: string }

type PastRow = PastRates & { name: 'monthAgo' | 'yearAgo' }

/** Reads the history that the figures of a dataset need, aggregated by the database once per snapshot. `today` is the ISO date in London. */
async function readMovement(client: Transaction, dataset: Dataset, today: string): Promise<Movement> {
  const [last] = (await client.query<AsOfRow>(asOfSql, [dataset])).rows
  if (!last) return noMovement
  const { rows: days } = await client.query<DayOfChanges>(daysSql, [dataset, today, lookBackDays])
  const { rows: past } = await client.query<PastRow>(pastSql, [dataset, last.monthAgo, last.yearAgo])
  const getRates = (wanted: PastRow['name']) => past.flatMap(({ name, ...rates }) => (name === wanted ? [rates] : []))
  return { asOf: last.asOf, days, monthAgo: getRates('monthAgo'), yearAgo: getRates('yearAgo') }
}

/** Number of days for which keyset pagination keeps its order. An older cursor continues in the current order. */
const cursorDays = 2

// Index range scan at the end of the primary key.
const ratesSql = `SELECT seq::float8 AS seq, source_key AS key, previous_rate_bp AS "from" FROM rate_change
  WHERE dataset = $1 AND effective_date >= $2::date - $3::int AND previous_rate_bp <> coalesce(rate_bp, -1)`

const placesSql = `SELECT list, seq::float8 AS seq, key, previous_place AS "from" FROM moved_row WHERE dataset = $1 AND at >= now() - make_interval(days => $2)`

/** Previous sort values of rows, back to the start of the oldest valid cursor. `today` is the ISO date in London. */
async function readMoves(client: Transaction, dataset: Dataset, today: string): Promise<Moves> {
  const products = (await client.query<Move<number>>(ratesSql, [dataset, today, cursorDays])).rows
  const { rows } = await client.query<Move<string> & { list: string }>(placesSql, [dataset, cursorDays])
  const of = (table: string) => rows.flatMap(({ list, seq, key, from }) => (list === table ? [{ seq, key, from }] : []))
  const numbered = (table: string) => of(table).map((move) => ({ ...move, from: Number(move.from) }))
  return { products, providers: of('provider'), cards: numbered('card'), switchOffers: numbered('switch_offer') }
}

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

/** Long enough for a large market on a busy machine. Only start-up and imports wait for this query, never requests. */
const readTimeoutMs = 60_000

const providersSql = `SELECT ${providerColumns} FROM provider WHERE active`

const productsSql = `SELECT ${productColumns}
  FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug
  WHERE p.withdrawn_at IS NULL AND v.active`

/**
 * Reads the whole market and its version in one consistent snapshot. Products of inactive providers are excluded. `today` is the ISO date in
 * London from which recent history is counted back.
 */
export async function readMarket(pool: Database, today: string): Promise<MarketRows> {
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
