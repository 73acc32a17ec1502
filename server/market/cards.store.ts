import type { Transaction } from '#server/db/prisma.ts'
import type { AtmFreeLimit, CardList, CardNetwork, CardType, CashAdvanceFee, ExchangeRateSource, RewardTier, RewardType, WelcomeBonus } from './cards.ts'
import { isoTime } from './decimal.ts'
import type { Dataset } from './product.ts'

/**
 * Row of `card`. Columns that only the other list has are null; all terms are null if the card was imported before feeds included them. `bigint` columns are
 * strings.
 */
export type CardRow = {
  dataset: Dataset
  source_key: string
  list: CardList
  name: string
  provider_name: string
  provider_slug: string | null
  network: CardNetwork | null
  card_type: CardType | null
  annual_fee_pence: string | null
  representative_apr_bp: number | null
  fx_fee_bp: number | null
  new_customers_only: boolean
  reward_type: RewardType | null
  reward_currency_name: string | null
  earn_rate_hundredths: number | null
  reward_tiers: RewardTier[] | null
  intro_rate_bp: number | null
  intro_duration_months: number | null
  welcome_bonus: WelcomeBonus | null
  first_year_fee_pence: string | null
  purchase_rate_bp: number | null
  min_credit_limit_pence: string | null
  cash_advance_fee: CashAdvanceFee | null
  min_annual_income_pence: string | null
  estimated_annual_value_pence: string | null
  representative_example: string | null
  weekend_fx_fee_bp: number | null
  atm_fee_bp: number | null
  atm_fee_minimum_pence: string | null
  atm_free_limit: AtmFreeLimit | null
  cash_interest_from_day1: boolean | null
  cash_rate_bp: number | null
  exchange_rate_source: ExchangeRateSource | null
  supported_currencies: string[] | 'all' | null
  foreign_reward_bp: number | null
  updated_at: string
}

const cardsSql = `SELECT dataset, source_key, list, name, provider_name, provider_slug, network, card_type, annual_fee_pence, representative_apr_bp,
    fx_fee_bp, new_customers_only, reward_type, reward_currency_name, earn_rate_hundredths, reward_tiers, intro_rate_bp, intro_duration_months,
    welcome_bonus, first_year_fee_pence, purchase_rate_bp, min_credit_limit_pence, cash_advance_fee, min_annual_income_pence,
    estimated_annual_value_pence, representative_example, weekend_fx_fee_bp, atm_fee_bp, atm_fee_minimum_pence, atm_free_limit,
    cash_interest_from_day1, cash_rate_bp, exchange_rate_source, supported_currencies, foreign_reward_bp, ${isoTime('updated_at')}
  FROM card`

/** Reads all cards in the snapshot transaction. */
export async function readCards(client: Transaction): Promise<CardRow[]> {
  return (await client.query<CardRow>(cardsSql)).rows
}
