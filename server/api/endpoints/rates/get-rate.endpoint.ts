import { z } from 'zod'
import { queryText } from '#server/api/contract/query.ts'
import { defineItem } from '../define.ts'
import { missingProduct } from '../missing-items.ts'
import { SavingsProduct, toSavingsProduct } from './savings-product.ts'

export const getRate = defineItem({
  id: 'rates.get',
  no: 4,
  path: '/rates/{sourceKey}',
  tool: 'rates_get',
  summary: 'Get a savings product.',
  when: 'to get the current terms of a product by its sourceKey.',
  scope: 'rates:read',
  price: { credits: 1, per: 'request' },
  live: 'open',
  sampled: true,
  input: z.object({ sourceKey: queryText().describe('Stable product ID.') }),
  output: SavingsProduct,
  handle: ({ sourceKey }, context) => {
    const match = context.market.product(sourceKey)
    if (!match) throw missingProduct(sourceKey, context.market)
    return toSavingsProduct(match, context)
  },
})
