import { z } from 'zod'
import { queryDay } from '#server/api/contract/query.ts'
import { defineList } from '../define.ts'
import { checkRange, currencyCode, currencyDescription } from './fx-parameters.ts'

const FxHistoryRow = z.object({
  date: z.iso.date().describe('Date of the rate.'),
  currency: z.string().describe('ISO 4217 code, as in /reference/currencies.'),
  base: z.literal('GBP').describe('Base currency of the rates.'),
  rate: z
    .string()
    .regex(/^\d+(?:\.\d+)?$/)
    .describe('Units of the currency per pound, as an exact decimal.'),
  changePercent: z
    .string()
    .regex(/^(?:[+-]\d+\.\d\d|0\.00)$/)
    .nullable()
    .describe(
      'Change in percent from the previous listed rate of the currency, which may be a week or more earlier; signed, two decimals; null for the oldest rate.',
    ),
  source: z.string().describe('Publisher of the rate.'),
  licence: z.string().describe('Reuse licence of the publisher.'),
  fetchedAt: z.iso.datetime().describe('Time the rate was fetched from the source, ISO 8601 UTC.'),
})

/** Parses a cursor key: a date and a currency. */
function placeAfter(key: string | null): { date: string; currency: string } | null {
  return key === null ? null : { date: key.slice(0, 10), currency: key.slice(11) }
}

export const listFxHistory = defineList({
  id: 'cards.fx-history',
  no: 22,
  path: '/cards/travel/fx-history',
  tool: 'cards_travel_fx_history',
  summary: 'List historical exchange rates of the pound, newest first.',
  description:
    'Real data for both live and test keys, up to three years back. Without `currency`, all currencies are listed for each day, sorted by code. Days without a published rate are omitted. Bundled rates, used until newer ones are fetched, are monthly or quarterly from March 2024 and weekly from 15 September 2026. Charged per page, regardless of size.',
  when: 'to see how the pound has moved against a currency.',
  scope: 'cards:read',
  price: { credits: 5, per: 'request' },
  live: 'test-only',
  input: z.object({
    currency: currencyCode.optional().describe(currencyDescription),
    from: queryDay.optional().describe('First day, inclusive.'),
    to: queryDay.optional().describe('Last day, inclusive.'),
  }),
  row: FxHistoryRow,
  getKey: ({ date, currency }) => `${date} ${currency}`,
  handle: ({ currency, from, to }, { limit, after }, { market }) => {
    checkRange(from, to)
    const { rows, more } = market.statistics.fxHistory({ currency, from, to, limit, after: placeAfter(after) })
    return { rows: rows.map(({ date, currency: code, ...rest }) => ({ date, currency: code, base: 'GBP' as const, ...rest })), more }
  },
})
