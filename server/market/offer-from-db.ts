import { penceFromDb } from './decimal.ts'
import type { AccountOfferRow, SwitchOfferRow } from './offers.store.ts'
import type { AccountOffer, SwitchOffer } from './offers.ts'
import type { Provider } from './provider.ts'

/** Maps the columns that both kinds of offer have. `provider` is undefined for an inactive provider: it isn't listed, so offers don't link to it. */
function commonFields(row: SwitchOfferRow | AccountOfferRow, provider: Provider | undefined) {
  return {
    offerKey: row.offer_key,
    provider: row.provider_name,
    providerSlug: provider?.slug ?? null,
    logoPath: provider?.logoPath ?? null,
    accountName: row.account_name,
  }
}

export function switchOfferFromDb(row: SwitchOfferRow, provider: Provider | undefined): SwitchOffer {
  return {
    ...commonFields(row, provider),
    accountKind: row.account_kind,
    bonusPence: Number(row.bonus_pence),
    bonusType: row.bonus_type,
    totalValuePence: penceFromDb(row.total_value_pence),
    extraBenefits: row.extra_benefits,
    minPayInPence: penceFromDb(row.min_pay_in_pence),
    payInWithinDays: row.pay_in_within_days,
    payInFrequency: row.pay_in_frequency,
    minDirectDebits: row.min_direct_debits,
    directDebitsMustTransfer: row.direct_debits_must_transfer,
    minCardPayments: row.min_card_payments,
    cardPaymentsWithinDays: row.card_payments_within_days,
    digitalLoginRequired: row.digital_login_required,
    monthlyFeePence: Number(row.monthly_fee_pence),
    minAnnualIncomePence: penceFromDb(row.min_annual_income_pence),
    switchWithinDays: row.switch_within_days,
    fullSwitchRequired: row.full_switch_required,
    cassParticipant: row.cass_participant,
    payoutWithinDays: row.payout_within_days,
    startDate: row.start_date,
    endDate: row.end_date,
    newCustomersOnly: row.new_customers_only,
    excludedIfHeldSince: row.excluded_if_held_since,
    previousBonusExcluded: row.previous_bonus_excluded,
    previousBonusSince: row.previous_bonus_since,
    eligibility: row.eligibility,
    exclusions: row.exclusions,
    termsUrl: row.terms_url,
    updatedAt: row.updated_at,
  }
}

export function accountOfferFromDb(row: AccountOfferRow, provider: Provider | undefined): AccountOffer {
  return {
    ...commonFields(row, provider),
    accountType: row.account_type,
    headline: row.headline,
    creditInterestBp: row.credit_interest_bp,
    creditInterestMaxBalancePence: penceFromDb(row.credit_interest_max_balance_pence),
    cashbackBp: row.cashback_bp,
    cashbackCategories: row.cashback_categories,
    cashbackCapPence: penceFromDb(row.cashback_cap_pence),
    monthlyFeePence: Number(row.monthly_fee_pence),
    overdraftBp: row.overdraft_bp,
    overdraftInterestFreePence: penceFromDb(row.overdraft_interest_free_pence),
    introductoryPeriod: row.introductory_period,
    minPayInPence: penceFromDb(row.min_pay_in_pence),
    minDirectDebits: row.min_direct_debits,
    linkedSaverBp: row.linked_saver_bp,
    startDate: row.start_date,
    endDate: row.end_date,
    newCustomersOnly: row.new_customers_only,
    termsUrl: row.terms_url,
    updatedAt: row.updated_at,
  }
}
