import type { Card, CommonTerms, SpendPeriod } from './card.ts'
import type { ListOrder } from './keyset-pager.ts'

export const exchangeRateSources = ['visa', 'mastercard', 'amex', 'interbank'] as const

export type ExchangeRateSource = (typeof exchangeRateSources)[number]

export type AtmFreeLimit = { readonly amountPence: number; readonly period: SpendPeriod }

/** Card in the `travel` list. Rates in hundredths of a percent, amounts in pence, null means unknown or none. */
export type TravelCard = Card &
  CommonTerms & {
    /** Fee at weekends; null if the same as on weekdays. */
    readonly weekendFxFeeBp: number | null
    readonly atmFeeBp: number
    readonly atmFeeMinimumPence: number
    readonly atmFreeLimit: AtmFreeLimit | null
    /** Credit cards only. */
    readonly cashInterestFromDay1: boolean | null
    readonly cashRateBp: number | null
    readonly exchangeRateSource: ExchangeRateSource
    /** ISO 4217 codes, or `all`. */
    readonly supportedCurrencies: readonly string[] | 'all'
    readonly foreignRewardBp: number | null
  }

/** True if a card supports payments in a currency. */
export function supportsCurrency({ supportedCurrencies }: TravelCard, code: string): boolean {
  return supportedCurrencies === 'all' || supportedCurrencies.includes(code)
}

/**
 * Fee on a £100 payment in pence: the weekday foreign transaction fee, or nothing in pounds. Excludes the exchange-rate margin, which is unknown.
 * A fee of 2.99% is 299 hundredths, which on £100 equals 299 pence.
 */
export function costPer100Pence({ fxFeeBp }: Pick<TravelCard, 'fxFeeBp'>, currency: string | null): number {
  return currency === 'GBP' ? 0 : fxFeeBp
}

/** Lowest fee first. */
export const feeOrder: ListOrder<TravelCard, number> = {
  sortValue: ({ fxFeeBp }) => fxFeeBp,
  getKey: ({ sourceKey }) => sourceKey,
  compare: (a, b) => a - b,
}
