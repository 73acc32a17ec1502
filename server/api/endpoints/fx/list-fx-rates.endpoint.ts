import { z } from 'zod'
import { defineList } from '../define.ts'
import { currencyCode, currencyDescription } from './fx-parameters.ts'

const decimal = z.string().regex(/^\d+(?:\.\d+)?$/)

const FxRate = z.object({
  currency: z.string().describe('ISO 4217 code, as in /reference/currencies.'),
  name: z.string().describe('English name of the currency.'),
  base: z.literal('GBP').describe('Base currency of the rates.'),
  rate: decimal.describe('Units of the currency per pound, as an exact decimal.'),
  inverseRate: decimal.describe('Pounds per unit of the currency, to eight significant digits.'),
  date: z.iso.date().describe('Date of the rate.'),
  source: z.string().describe('Publisher of the rate.'),
  licence: z.string().describe('Reuse licence of the publisher.'),
  fetchedAt: z.iso.datetime().describe('Time the rate was fetched from the source, ISO 8601 UTC.'),
  stale: z.boolean().describe('True if the rate is more than five days old.'),
})

export const listFxRates = defineList({
  id: 'fx.rates',
  no: 23,
  path: '/fx/rates',
  tool: 'fx_rates',
  summary: 'List the latest exchange rate of each currency against the pound.',
  description:
    'Real data for both live and test keys: indicative mid-market or reference rates, not card rates. Sorted by currency code. Currencies without a published rate are omitted. Charged per page, regardless of size.',
  when: 'to convert between pounds and another currency.',
  scope: ['cards:read', 'market:read'],
  price: { credits: 1, per: 'request' },
  live: 'open',
  input: z.object({ currency: currencyCode.optional().describe(currencyDescription) }),
  row: FxRate,
  getKey: ({ currency }) => currency,
  handle: ({ currency }, { limit, after }, { market }) => {
    const behind = market.statistics.fxRates(currency).filter((rate) => after === null || rate.currency > after)
    return {
      rows: behind.slice(0, limit).map(({ currency: code, name, ...rest }) => ({ currency: code, name, base: 'GBP' as const, ...rest })),
      more: behind.length > limit,
    }
  },
})
