import { z } from 'zod'
import { perRequest } from '../../contract/prices.ts'
import { defineList } from '../define.ts'
import { currencyCode, currencyWords } from './fx-parameters.ts'

const decimal = z.string().regex(/^\d+(?:\.\d+)?$/)

const FxRate = z.object({
  currency: z.string().describe('ISO 4217 code, as in /reference/currencies.'),
  name: z.string().describe('English name of the currency.'),
  base: z.literal('GBP').describe('Rates are to the pound.'),
  rate: decimal.describe('Units of the currency for one pound, an exact decimal.'),
  inverseRate: decimal.describe('Pounds for one unit of the currency, to eight significant digits.'),
  date: z.iso.date().describe('Day of the rate.'),
  source: z.string().describe('Who publishes the rate.'),
  licence: z.string().describe('Terms under which the publisher allows reuse.'),
  fetchedAt: z.iso.datetime().describe('When the rate was taken from the source, ISO 8601 UTC.'),
  stale: z.boolean().describe('Whether the rate is older than five days.'),
})

export const listFxRates = defineList({
  id: 'fx.rates',
  no: 23,
  path: '/fx/rates',
  tool: 'fx_rates',
  summary: 'List the newest exchange rate of each currency to the pound.',
  description:
    'True data for live and test keys alike; indicative mid-market or reference rates, not those of a card. In order of currency code. Charged for each page, whatever its size. Currencies that no source prices are left out.',
  when: 'to convert between pounds and another currency.',
  scope: ['cards:read', 'market:read'],
  price: perRequest(1),
  live: 'open',
  input: z.object({ currency: currencyCode.optional().describe(currencyWords) }),
  row: FxRate,
  keyOf: ({ currency }) => currency,
  handle: ({ currency }, { limit, after }, { market }) => {
    const behind = market.statistics.fxRates(currency).filter((rate) => after === null || rate.currency > after)
    return {
      rows: behind.slice(0, limit).map(({ currency: code, name, ...rest }) => ({ currency: code, name, base: 'GBP' as const, ...rest })),
      more: behind.length > limit,
    }
  },
})
