import { z } from 'zod'
import { twoDecimals } from '../../contract/formats.ts'
import { costPer100Pence, exchangeRateSources, type TravelCard } from '../../market/travel-card.ts'
import type { Context } from '../define.ts'
import { day, money, orNull, percent, updatedAt } from '../providers/record-fields.ts'
import { cardFields, period, toCardFields } from './card-fields.ts'

/** A travel card as callers read it. */
export const TravelCardRecord = z.object({
  ...cardFields,
  cardType: z.enum(['credit', 'debit', 'prepaid']).describe('Kind of card.'),
  fxFee: percent('Charge on a payment in another currency; 0.00 is free.'),
  weekendFxFee: percent('The same at weekends; null when it is that of other days.').nullable(),
  atmFeePercent: percent('Charge on drawing cash abroad; 0.00 is free.'),
  atmFeeMinimum: money('That charge is at least.'),
  atmFreeLimit: z
    .object({ amount: money('Cash without a charge.'), period })
    .nullable()
    .describe('Cash that can be drawn without that charge; null when there is no such allowance.'),
  cashInterestFromDay1: z.boolean().nullable().describe('Whether cash costs interest from the first day; null for a card without credit.'),
  cashRate: percent('Interest on cash a year; null for a card without credit.').nullable(),
  representativeApr: percent('Representative APR, variable; null for a card without credit.').nullable(),
  annualFee: money('Fee a year.'),
  exchangeRateSource: z.enum(exchangeRateSources).describe('Whose exchange rate is used.'),
  currency: z.string().nullable().describe('The currency that was asked for, ISO 4217; null when none was.'),
  indicativeRate: z
    .string()
    .regex(/^\d+(?:\.\d+)?$/)
    .nullable()
    .describe('Units of that currency for one pound, mid-market and not the rate of this card; null without a currency or a known rate.'),
  indicativeRateDate: day('When indicativeRate stood; null without one.').nullable(),
  costPer100: money('What a payment worth £100 in that currency costs in fees on a working day: 2.99 means that £102.99 leave the account.'),
  supportedCurrencies: z.union([z.literal('all'), z.array(z.string())]).describe('Currencies that it pays in, ISO 4217, or "all".'),
  rewardOnForeignSpend: percent('Cashback on payments in other currencies; null when none is paid.').nullable(),
  updatedAt,
})

export type TravelCardRecord = z.infer<typeof TravelCardRecord>

/** The currency that was asked for and its newest exchange rate, both null when there is none. */
export type AskedCurrency = { readonly currency: string | null; readonly indicativeRate: string | null; readonly indicativeRateDate: string | null }

/** The read model in the words of the contract. */
export function toTravelCard(card: TravelCard, asked: AskedCurrency, { publicUrl }: Context): TravelCardRecord {
  const { atmFreeLimit, supportedCurrencies, cardType } = card
  return {
    ...toCardFields(card, publicUrl),
    network: card.network,
    // No travel card is a charge card: the feed refuses it.
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
