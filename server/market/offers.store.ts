import type { Transaction } from '#server/db/prisma.ts'
import { isoDay, isoTime } from './decimal.ts'
import type { AccountKind, BonusType, CurrentAccountType, PayInFrequency } from './offers.ts'
import type { Dataset } from './product.ts'

/** `bigint` as text, dates and times in ISO 8601. */
export type SwitchOfferRow = {
  dataset: Dataset
  offer_key: string
  provider_name: string
  provider_slug: string | null
  account_name: string
  account_kind: AccountKind
  bonus_pence: string
  bonus_type: BonusType
  total_value_pence: string | null
  extra_benefits: string[]
  min_pay_in_pence: string | null
  pay_in_within_days: number | null
  pay_in_frequency: PayInFrequency | null
  min_direct_debits: number
  direct_debits_must_transfer: boolean
  min_card_payments: number
  card_payments_within_days: number | null
  digital_login_required: boolean
  monthly_fee_pence: string
  min_annual_income_pence: string | null
  switch_within_days: number | null
  full_switch_required: boolean
  cass_participant: boolean
  payout_within_days: number | null
  start_date: string
  end_date: string | null
  new_customers_only: boolean
  excluded_if_held_since: string | null
  previous_bonus_excluded: boolean
  previous_bonus_since: string | null
  eligibility: string[]
  exclusions: string[]
  terms_url: string
  updated_at: string
}

export type AccountOfferRow = {
  dataset: Dataset
  offer_key: string
  provider_name: string
  provider_slug: string | null
  account_name: string
  account_type: CurrentAccountType
  headline: string
  credit_interest_bp: number | null
  credit_interest_max_balance_pence: string | null
  cashback_bp: number | null
  cashback_categories: string[]
  cashback_cap_pence: string | null
  monthly_fee_pence: string
  overdraft_bp: number | null
  overdraft_interest_free_pence: string | null
  introductory_period: string | null
  min_pay_in_pence: string | null
  min_direct_debits: number | null
  linked_saver_bp: number | null
  start_date: string
  end_date: string | null
  new_customers_only: boolean
  terms_url: string
  updated_at: string
}

export const switchOfferColumns = `dataset, offer_key, provider_name, provider_slug, account_name, account_kind, bonus_pence, bonus_type, total_value_pence,
    extra_benefits, min_pay_in_pence, pay_in_within_days, pay_in_frequency, min_direct_debits, direct_debits_must_transfer, min_card_payments,
    card_payments_within_days, digital_login_required, monthly_fee_pence, min_annual_income_pence, switch_within_days, full_switch_required,
    cass_participant, payout_within_days, ${isoDay('start_date')}, ${isoDay('end_date')}, new_customers_only, ${isoDay('excluded_if_held_since')},
    previous_bonus_excluded, ${isoDay('previous_bonus_since')}, eligibility, exclusions, terms_url, ${isoTime('updated_at')}`

const switchOffersSql = `SELECT ${switchOfferColumns} FROM switch_offer WHERE withdrawn_at IS NULL`

const accountOffersSql = `SELECT dataset, offer_key, provider_name, provider_slug, account_name, account_type, headline, credit_interest_bp,
    credit_interest_max_balance_pence, cashback_bp, cashback_categories, cashback_cap_pence, monthly_fee_pence, overdraft_bp,
    overdraft_interest_free_pence, introductory_period, min_pay_in_pence, min_direct_debits, linked_saver_bp, ${isoDay('start_date')},
    ${isoDay('end_date')}, new_customers_only, terms_url, ${isoTime('updated_at')}
  FROM account_offer WHERE withdrawn_at IS NULL`

/** Reads all current switch offers in the snapshot transaction. */
export async function readSwitchOffers(client: Transaction): Promise<SwitchOfferRow[]> {
  return (await client.query<SwitchOfferRow>(switchOffersSql)).rows
}

/** Reads all current account offers in the snapshot transaction. */
export async function readAccountOffers(client: Transaction): Promise<AccountOfferRow[]> {
  return (await client.query<AccountOfferRow>(accountOffersSql)).rows
}
