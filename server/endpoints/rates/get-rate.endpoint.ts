import { z } from 'zod'
import { perRequest } from '../../contract/prices.ts'
import { queryText } from '../../contract/query.ts'
import { defineItem } from '../define.ts'
import { missingProduct } from '../missing-items.ts'
import { SavingsProduct, toSavingsProduct } from './savings-product.ts'

export const getRate = defineItem({
  id: 'rates.get',
  no: 4,
  path: '/rates/{sourceKey}',
  tool: 'rates_get',
  summary: 'Read one savings product.',
  when: 'to read the present terms of a product whose sourceKey is known.',
  scope: 'rates:read',
  price: perRequest(1),
  live: 'open',
  sampled: true,
  input: z.object({ sourceKey: queryText().describe('Stable product id.') }),
  output: SavingsProduct,
  handle: ({ sourceKey }, context) => {
    const match = context.market.product(sourceKey)
    if (!match) throw missingProduct(sourceKey, context.market)
    return toSavingsProduct(match, context)
  },
})
