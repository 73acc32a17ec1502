import { z } from 'zod'
import { queryText } from '#server/api/contract/query.ts'
import { defineItem } from '../define.ts'
import { missingProvider } from '../missing-items.ts'
import { asOfParameter, atDay, pastTimeoutMs } from '../past-market.ts'
import { SavingsProduct, toSavingsProduct } from '../rates/savings-product.ts'
import { ProviderRecord, toProvider } from './provider-record.ts'

/** Maximum number of products returned. No provider has this many; `productCount` shows the total. */
const maxProducts = 500

export const getProvider = defineItem({
  id: 'providers.get',
  no: 16,
  path: '/providers/{slug}',
  tool: 'providers_get',
  summary: 'Get a provider and its savings products.',
  when: 'to get a provider and everything it offers; look up its slug with reference_providers.',
  scope: 'providers:read',
  price: { credits: 1, per: 'request' },
  live: 'open',
  sampled: true,
  buildTimeoutMs: pastTimeoutMs,
  input: z.object({ slug: queryText().describe('Slug of the provider, as in /reference/providers.'), asOf: asOfParameter }),
  output: ProviderRecord.extend({
    products: z.array(SavingsProduct).describe(`Savings products, best rate first; at most ${maxProducts}.`),
  }),
  handle: async ({ slug, asOf }, given) => {
    const context = await atDay(given, { asOf })
    const entry = context.market.provider(slug)
    if (!entry) throw missingProvider(slug, context.market)
    const { rows } = context.market.products({ provider: slug, limit: maxProducts })
    return { ...toProvider(entry, context), products: rows.map((match) => toSavingsProduct(match, context)) }
  },
})
