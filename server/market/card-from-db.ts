import type { CardRow } from './cards.store.ts'
import type { Card, RewardCard, TravelCard } from './cards.ts'
import { penceFromDb } from './decimal.ts'
import { cardImagePath } from './images.ts'
import type { Provider } from './provider.ts'

export function cardFromDb(row: CardRow, provider: Provider | undefined): Card {
  return {
    sourceKey: row.source_key,
    list: row.list,
    name: row.name,
    provider: row.provider_name,
    // Inactive providers aren't listed, so cards don't link to them.
    providerSlug: provider?.slug ?? null,
    logoPath: provider?.logoPath ?? null,
    imagePath: cardImagePath(row.dataset, row.source_key),
    colour: provider?.colour ?? null,
    network: row.network,
    updatedAt: row.updated_at,
  }
}

/** Returns the terms that cards in both lists have, or undefined for a card without terms. */
function commonTerms({ network, card_type, annual_fee_pence, fx_fee_bp, representative_apr_bp }: CardRow) {
  if (network === null || card_type === null || annual_fee_pence === null || fx_fee_bp === null) return undefined
  return { network, cardType: card_type, annualFeePence: Number(annual_fee_pence), fxFeeBp: fx_fee_bp, representativeAprBp: representative_apr_bp }
}

/** Maps a row to a reward card, in an array that is empty if the row belongs to the other list or has no terms. */
export function rewardCardsFromDb(row: CardRow, card: Card): RewardCard[] {
  const terms = commonTerms(row)
  const { reward_type: rewardType, earn_rate_hundredths: earnRateHundredths } = row
  if (row.list !== 'rewards' || terms === undefined || rewardType === null || earnRateHundredths === null) return []
  return [
    {
      ...card,
      ...terms,
      rewardType,
      rewardCurrencyName: row.reward_currency_name,
      earnRateHundredths,
      rewardTiers: row.reward_tiers ?? [],
      introRateBp: row.intro_rate_bp,
      introDurationMonths: row.intro_duration_months,
      welcomeBonus: row.welcome_bonus,
      firstYearFeePence: penceFromDb(row.first_year_fee_pence),
      purchaseRateBp: row.purchase_rate_bp,
      minCreditLimitPence: penceFromDb(row.min_credit_limit_pence),
      cashAdvanceFee: row.cash_advance_fee,
      minAnnualIncomePence: penceFromDb(row.min_annual_income_pence),
      estimatedAnnualValuePence: penceFromDb(row.estimated_annual_value_pence),
      representativeExample: row.representative_example,
      newCustomersOnly: row.new_customers_only,
    },
  ]
}

/** Maps a row to a travel card, in an array that is empty if the row belongs to the other list or has no terms. */
export function travelCardsFromDb(row: CardRow, card: Card): TravelCard[] {
  const terms = commonTerms(row)
  const { atm_fee_bp: atmFeeBp, atm_fee_minimum_pence: minimum, exchange_rate_source: exchangeRateSource, supported_currencies: supportedCurrencies } = row
  if (row.list !== 'travel' || terms === undefined || atmFeeBp === null || minimum === null || exchangeRateSource === null || supportedCurrencies === null)
    return []
  return [
    {
      ...card,
      ...terms,
      weekendFxFeeBp: row.weekend_fx_fee_bp,
      atmFeeBp,
      atmFeeMinimumPence: Number(minimum),
      atmFreeLimit: row.atm_free_limit,
      cashInterestFromDay1: row.cash_interest_from_day1,
      cashRateBp: row.cash_rate_bp,
      exchangeRateSource,
      supportedCurrencies,
      foreignRewardBp: row.foreign_reward_bp,
    },
  ]
}
