import { z } from 'zod'
import { queryPence } from '#server/api/contract/query.ts'
import { defineList } from '../define.ts'
import { afterHundredths, hundredthsKey } from '../list-cursor.ts'
import { checkProvider, productFilters, SavingsProduct, toSavingsProduct } from './savings-product.ts'

const maxPence = 100_000_000_000

export const listRates = defineList({
  id: 'rates.list',
  no: 3,
  path: '/rates',
  tool: 'rates',
  summary: 'List savings products, best rate first.',
  description: 'Pages stay consistent while rates change: no product is skipped or repeated. Charged per row, not per page.',
  when: 'to find the best savings accounts by account type, provider or amount.',
  scope: 'rates:read',
  price: { credits: 1, per: 'row' },
  live: 'open',
  sampled: true,
  input: z.object({
    ...productFilters,
    amount: queryPence({ max: maxPence }).optional().describe('Balance in GBP: only products that accept it are listed.'),
  }),
  row: SavingsProduct,
  getKey: ({ rate, sourceKey }) => `${rate} ${sourceKey}`,
  handle: ({ type, provider, amount }, { limit, after }, context) => {
    checkProvider(provider, context.market)
    const { rows, keys, more } = context.market.products({ type, provider, amountPence: amount, limit, after: afterHundredths(after) })
    return { rows: rows.map((match) => toSavingsProduct(match, context)), keys: keys.map(hundredthsKey), more }
  },
})
