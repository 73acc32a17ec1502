import { z } from 'zod'
import { type Context, defineList } from '../define.ts'
import { currencyCode } from '../fx/fx-parameters.ts'
import { afterHundredths, hundredthsKey } from '../list-cursor.ts'
import { type AskedCurrency, TravelCardRecord, toTravelCard } from './card-records.ts'

function ask(currency: string | undefined, { market }: Context): AskedCurrency {
  if (currency === undefined) return { currency: null, indicativeRate: null, indicativeRateDate: null }
  const newest = market.statistics.fxRates(currency)[0]
  return { currency, indicativeRate: newest?.rate ?? null, indicativeRateDate: newest?.date ?? null }
}

export const listTravelCards = defineList({
  id: 'cards.travel',
  no: 21,
  path: '/cards/travel',
  tool: 'cards_travel',
  summary: 'List travel cards and their fees, lowest foreign transaction fee first.',
  description:
    "With `currency`, only cards that support it are listed. `costPer100` includes fees only, not the card's exchange-rate margin. Charged per page, regardless of size.",
  when: 'to compare cards by their fees abroad.',
  scope: 'cards:read',
  price: { credits: 5, per: 'request' },
  live: 'test-only',
  sampled: true,
  input: z.object({ currency: currencyCode.optional().describe('Currency code, as in /reference/currencies. Only cards that support it are listed.') }),
  row: TravelCardRecord,
  getKey: ({ fxFee, sourceKey }) => `${fxFee} ${sourceKey}`,
  handle: ({ currency }, { limit, after }, context) => {
    const asked = ask(currency, context)
    const { rows, keys, more } = context.market.travelCardPage(asked.currency, afterHundredths(after), limit)
    return { rows: rows.map((card) => toTravelCard(card, asked, context)), keys: keys.map(hundredthsKey), more }
  },
})
