import { z } from 'zod'
import { perRequest } from '../../contract/prices.ts'
import { defineList } from '../define.ts'
import { checkRange, currencyCode, currencyWords, queryDay } from './fx-parameters.ts'

const FxHistoryRow = z.object({
  date: z.iso.date().describe('Day of the rate.'),
  currency: z.string().describe('ISO 4217 code, as in /reference/currencies.'),
  base: z.literal('GBP').describe('Rates are to the pound.'),
  rate: z
    .string()
    .regex(/^\d+(?:\.\d+)?$/)
    .describe('Units of the currency for one pound, an exact decimal.'),
  changePercent: z
    .string()
    .regex(/^(?:[+-]\d+\.\d\d|0\.00)$/)
    .nullable()
    .describe('Change on the next older rate of the currency in percent, signed, two decimals; null for the oldest.'),
  source: z.string().describe('Who publishes the rate.'),
  licence: z.string().describe('Terms under which the publisher allows reuse.'),
  fetchedAt: z.iso.datetime().describe('When the rate was taken from the source, ISO 8601 UTC.'),
})

/** The place that a cursor continues after: the day and, among the rates of a day, the currency. */
function placeAfter(key: string | null): { date: string; currency: string } | null {
  return key === null ? null : { date: key.slice(0, 10), currency: key.slice(11) }
}

export const listFxHistory = defineList({
  id: 'cards.fx-history',
  no: 22,
  path: '/cards/travel/fx-history',
  tool: 'cards_travel_fx_history',
  summary: 'List past exchange rates of the pound, newest first.',
  description:
    'True data for live and test keys alike, up to three years back. Without `currency` every currency of a day is listed, in order of its code. Days without a published rate have no row. Charged for each page, whatever its size.',
  when: 'to see how the pound has moved against a currency.',
  scope: 'cards:read',
  price: perRequest(5),
  live: 'test-only',
  input: z.object({
    currency: currencyCode.optional().describe(currencyWords),
    from: queryDay.optional().describe('First day, included.'),
    to: queryDay.optional().describe('Last day, included.'),
  }),
  row: FxHistoryRow,
  keyOf: ({ date, currency }) => `${date} ${currency}`,
  handle: ({ currency, from, to }, { limit, after }, { market }) => {
    checkRange(from, to)
    const { rows, more } = market.statistics.fxHistory({ currency, from, to, limit, after: placeAfter(after) })
    return { rows: rows.map(({ date, currency: code, ...rest }) => ({ date, currency: code, base: 'GBP' as const, ...rest })), more }
  },
})
