import { z } from 'zod'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { costPer100Pence, exchangeRateSources, type TravelCard } from '#server/market/cards.ts'
import type { Context } from '../define.ts'
import { day, money, orNull, percent, updatedAt } from '../providers/record-fields.ts'
import { cardFields, period, toCardFields } from './card-fields.ts'

/** Travel card in the API. */
export const TravelCardRecord = z.object({
  ...cardFields,
  cardType: z.enum(['credit', 'debit', 'prepaid']).describe('Type of card.'),
  fxFee: percent('Foreign transaction fee; 0.00 is free.'),
  weekendFxFee: percent('Foreign transaction fee at weekends; null if the same as on weekdays.').nullable(),
  atmFeePercent: percent('Cash withdrawal fee abroad; 0.00 is free.'),
  atmFeeMinimum: money('Minimum cash withdrawal fee.'),
  atmFreeLimit: z
    .object({ amount: money('Cash withdrawal amount without a fee.'), period })
    .nullable()
    .describe('Free cash withdrawal allowance; null if there is none.'),
  cashInterestFromDay1: z.boolean().nullable().describe('True if cash withdrawals accrue interest from day one; null for a card without credit.'),
  cashRate: percent('Yearly interest on cash withdrawals; null for a card without credit.').nullable(),
  representativeApr: percent('Representative APR, variable; null for a card without credit.').nullable(),
  annualFee: money('Annual fee.'),
  exchangeRateSource: z.enum(exchangeRateSources).describe('Source of the exchange rate.'),
  currency: z.string().nullable().describe('Requested currency, ISO 4217; null if none was requested.'),
  indicativeRate: z
    .string()
    .regex(/^\d+(?:\.\d+)?$/)
    .nullable()
    .describe("Units of the requested currency per pound, mid-market rate rather than the card's rate; null without a currency or a known rate."),
  indicativeRateDate: day('Date of indicativeRate; null if there is none.').nullable(),
  costPer100: money('Fees on a £100 payment in the requested currency on a weekday: 2.99 means that £102.99 leaves the account.'),
  supportedCurrencies: z.union([z.literal('all'), z.array(z.string())]).describe('Supported currencies, ISO 4217, or "all".'),
  rewardOnForeignSpend: percent('Cashback on foreign spend; null if there is none.').nullable(),
  updatedAt,
})

export type TravelCardRecord = z.infer<typeof TravelCardRecord>

/** Requested currency and its latest exchange rate; null if none. */
export type AskedCurrency = { readonly currency: string | null; readonly indicativeRate: string | null; readonly indicativeRateDate: string | null }

/** Maps a travel card to the API. */
export function toTravelCard(card: TravelCard, asked: AskedCurrency, { publicUrl }: Context): TravelCardRecord {
  const { atmFreeLimit, supportedCurrencies, cardType } = card
  return {
    ...toCardFields(card, publicUrl),
    network: card.network,
    // Feeds reject charge cards in the travel list.
    cardType: cardType === 'charge' ? 'credit' : cardType,
    fxFee: twoDecimals(card.fxFeeBp),
    weekendFxFee: orNull(card.weekendFxFeeBp),
    atmFeePercent: twoDecimals(card.atmFeeBp),
    atmFeeMinimum: twoDecimals(card.atmFeeMinimumPence),
    atmFreeLimit: atmFreeLimit && { amount: twoDecimals(atmFreeLimit.amountPence), period: atmFreeLimit.period },
    cashInterestFromDay1: card.cashInterestFromDay1,
    cashRate: orNull(card.cashRateBp),
    representativeApr: orNull(card.representativeAprBp),
    annualFee: twoDecimals(card.annualFeePence),
    exchangeRateSource: card.exchangeRateSource,
    ...asked,
    costPer100: twoDecimals(costPer100Pence(card, asked.currency)),
    supportedCurrencies: supportedCurrencies === 'all' ? 'all' : [...supportedCurrencies],
    rewardOnForeignSpend: orNull(card.foreignRewardBp),
    updatedAt: card.updatedAt,
  }
}
