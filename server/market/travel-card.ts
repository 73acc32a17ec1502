import type { Card, CommonTerms, SpendPeriod } from './card.ts'
import type { ListOrder } from './walk.ts'

export const exchangeRateSources = ['visa', 'mastercard', 'amex', 'interbank'] as const

export type ExchangeRateSource = (typeof exchangeRateSources)[number]

export type AtmFreeLimit = { readonly amountPence: number; readonly period: SpendPeriod }

/** A card of the list `travel`. Rates are hundredths of a percent, amounts pence, null is unknown or none. */
export type TravelCard = Card &
  CommonTerms & {
    /** Charge at weekends; null when it is that of other days. */
    readonly weekendFxFeeBp: number | null
    readonly atmFeeBp: number
    readonly atmFeeMinimumPence: number
    readonly atmFreeLimit: AtmFreeLimit | null
    /** Credit cards only. */
    readonly cashInterestFromDay1: boolean | null
    readonly cashRateBp: number | null
    readonly exchangeRateSource: ExchangeRateSource
    /** Codes of ISO 4217, or `all`. */
    readonly supportedCurrencies: readonly string[] | 'all'
    readonly foreignRewardBp: number | null
  }

/** Whether a card pays in a currency. */
export function supportsCurrency({ supportedCurrencies }: TravelCard, code: string): boolean {
  return supportedCurrencies === 'all' || supportedCurrencies.includes(code)
}

/**
 * What a payment of £100 costs in fees, in pence: the charge on other currencies on a working day, and nothing in pounds. How good the
 * exchange rate is comes on top and is not known here. A charge of 2.99 % is 299 hundredths, and on £100 it is just as many pence.
 */
export function costPer100Pence({ fxFeeBp }: Pick<TravelCard, 'fxFeeBp'>, currency: string | null): number {
  return currency === 'GBP' ? 0 : fxFeeBp
}

/** Lowest charge first; its places are hundredths of a percent. */
export const feeOrder: ListOrder<TravelCard, number> = {
  placeOf: ({ fxFeeBp }) => fxFeeBp,
  keyOf: ({ sourceKey }) => sourceKey,
  compare: (a, b) => a - b,
}
