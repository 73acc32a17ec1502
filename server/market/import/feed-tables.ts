import type { z } from 'zod'
import { toColumn } from '../market-rows.ts'
import type { FeedKind, TableKind } from './feed-kind.ts'
import { feedSchemas } from './feed-schema.ts'

/** Feed fields by the column that they fill. The names are interpolated into SQL unescaped; they never contain feed data. */
export type Columns = Readonly<Record<string, string>>

/** Mapping of a feed kind to its table. */
export type FeedTable = {
  readonly table: string
  readonly key: string
  readonly columns: Columns
  /**
   * Column with the time of a check; null if there is none. A new check time alone is not a change, so `updated_at` stays as it is. If the feed omits the time
   * and the SQL condition `keptWhile` (on feed row `f` and current row `t`) is true, the current time is kept; otherwise it becomes the time of the import.
   */
  readonly checked: { readonly column: string; readonly keptWhile: string } | null
  /** Column that references a provider. The provider must exist in the same dataset. */
  readonly reference: 'provider_slug' | null
  /** SQL condition that is true if a current row `t` is listed. Unlisted rows aren't withdrawn again. */
  readonly listed: string
  /** Assignments that withdraw a listed row omitted by a complete feed; null to delete it. */
  readonly withdraw: string | null
  /** Assignments that restore a withdrawn row when a feed lists it again; null if the feed's own columns restore it. */
  readonly restore: string | null
  /** True if rows store their creation time. */
  readonly hasCreatedAt: boolean
}

type FieldName<Kind extends FeedKind> = Exclude<keyof z.output<(typeof feedSchemas)[Kind]>, 'kind'>

/** Returns the feed fields by column name. Columns have the names of their fields, except those in `renamed`, whose column names include the unit. */
function getColumns<Kind extends FeedKind>(kind: Kind, renamed: { readonly [Field in FieldName<Kind>]?: string }): Columns {
  const names: Readonly<Record<string, string | undefined>> = renamed
  const fields = Object.keys(feedSchemas[kind].shape).filter((field) => field !== 'kind')
  return Object.fromEntries(fields.map((field) => [names[field] ?? toColumn(field), field]))
}

/** Rows that a complete feed omits are deleted. */
const deletable = { checked: null, reference: 'provider_slug', listed: 'true', withdraw: null, restore: null, hasCreatedAt: false } as const

/** A withdrawn row is kept, and restored when it is listed again. */
const withdrawable = {
  checked: null,
  reference: 'provider_slug',
  listed: 't.withdrawn_at IS NULL',
  withdraw: 'withdrawn_at = $2::timestamptz',
  restore: 'withdrawn_at = NULL',
  hasCreatedAt: true,
} as const

export const feedTables = {
  provider: {
    table: 'provider',
    key: 'slug',
    columns: getColumns('provider', { protectionLimit: 'protection_limit_pence', trustScore: 'trust_score_tenths' }),
    checked: null,
    reference: null,
    listed: 't.active',
    withdraw: 'active = false',
    restore: null,
    hasCreatedAt: false,
  },
  product: {
    ...withdrawable,
    table: 'product',
    key: 'source_key',
    columns: getColumns('product', {
      rate: 'rate_bp',
      baseRate: 'base_rate_bp',
      boostRate: 'boost_rate_bp',
      minBalance: 'min_balance_pence',
      maxBalance: 'max_balance_pence',
      maxMonthlyDeposit: 'max_monthly_deposit_pence',
    }),
    // An unchanged URL keeps the time of its last check; a new URL counts as checked when it is imported.
    checked: { column: 'url_checked_at', keptWhile: 't.url = f.url' },
  },
  card: {
    ...deletable,
    table: 'card',
    key: 'source_key',
    columns: getColumns('card', {
      provider: 'provider_name',
      annualFee: 'annual_fee_pence',
      representativeApr: 'representative_apr_bp',
      fxFee: 'fx_fee_bp',
      earnRate: 'earn_rate_hundredths',
      introRate: 'intro_rate_bp',
      firstYearFee: 'first_year_fee_pence',
      purchaseRate: 'purchase_rate_bp',
      minCreditLimit: 'min_credit_limit_pence',
      minAnnualIncome: 'min_annual_income_pence',
      estimatedAnnualValue: 'estimated_annual_value_pence',
      weekendFxFee: 'weekend_fx_fee_bp',
      atmFeePercent: 'atm_fee_bp',
      atmFeeMinimum: 'atm_fee_minimum_pence',
      cashRate: 'cash_rate_bp',
      rewardOnForeignSpend: 'foreign_reward_bp',
    }),
  },
  switch_offer: {
    ...withdrawable,
    table: 'switch_offer',
    key: 'offer_key',
    columns: getColumns('switch_offer', {
      provider: 'provider_name',
      bonusAmount: 'bonus_pence',
      totalValue: 'total_value_pence',
      minPayIn: 'min_pay_in_pence',
      monthlyFee: 'monthly_fee_pence',
      minAnnualIncome: 'min_annual_income_pence',
    }),
  },
  account_offer: {
    ...withdrawable,
    table: 'account_offer',
    key: 'offer_key',
    columns: getColumns('account_offer', {
      provider: 'provider_name',
      creditInterestRate: 'credit_interest_bp',
      creditInterestMaxBalance: 'credit_interest_max_balance_pence',
      cashbackRate: 'cashback_bp',
      cashbackCap: 'cashback_cap_pence',
      monthlyFee: 'monthly_fee_pence',
      overdraftRate: 'overdraft_bp',
      overdraftInterestFreeAmount: 'overdraft_interest_free_pence',
      minPayIn: 'min_pay_in_pence',
      linkedSaverRate: 'linked_saver_bp',
    }),
  },
  service_quality: {
    ...deletable,
    table: 'service_quality',
    key: 'survey_key',
    // Validation combines slug and region into one key, because a diff needs a single key.
    columns: { survey_key: 'surveyKey', ...getColumns('service_quality', {}) },
  },
} as const satisfies Record<TableKind, FeedTable>

/** History feeds are merged by `history-feed.sql.ts`, so only the table and its columns are needed. */
export const historyTable: Pick<FeedTable, 'table' | 'columns'> = {
  table: 'rate_change',
  columns: getColumns('rate_history', { rate: 'rate_bp', baseRate: 'base_rate_bp', boostRate: 'boost_rate_bp' }),
}
