import { z } from 'zod'
import { perRequest } from '../../contract/prices.ts'
import { queryText } from '../../contract/query.ts'
import { defineItem } from '../define.ts'
import { missingProvider } from '../missing-items.ts'
import { SavingsProduct, toSavingsProduct } from '../rates/savings-product.ts'
import { ProviderRecord, toProvider } from './provider-record.ts'

/** No provider has nearly as many; `productCount` tells when one has more. */
const mostProducts = 500

export const getProvider = defineItem({
  id: 'providers.get',
  no: 16,
  path: '/providers/{slug}',
  tool: 'providers_get',
  summary: 'Read one provider and its savings products.',
  when: 'to read about one provider with everything that it offers; the slug is in reference_providers.',
  scope: 'providers:read',
  price: perRequest(1),
  live: 'open',
  sampled: true,
  input: z.object({ slug: queryText().describe('Slug of the provider, as in /reference/providers.') }),
  output: ProviderRecord.extend({
    products: z.array(SavingsProduct).describe(`Savings products, best rate first; the best ${mostProducts} when there are more.`),
  }),
  handle: ({ slug }, context) => {
    const entry = context.market.provider(slug)
    if (!entry) throw missingProvider(slug, context.market)
    const { rows } = context.market.products({ provider: slug, limit: mostProducts })
    return { ...toProvider(entry, context), products: rows.map((match) => toSavingsProduct(match, context)) }
  },
})
