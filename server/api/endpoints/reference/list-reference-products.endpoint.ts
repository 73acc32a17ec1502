import { z } from 'zod'
import { accountTypes } from '#server/api/contract/account-types.ts'
import { defineWhole } from '../define.ts'
import { productFilters, termFilters, toFilters } from '../rates/product-filters.ts'

export const listReferenceProducts = defineWhole({
  id: 'reference.products',
  no: 6,
  path: '/reference/products',
  tool: 'reference_products',
  summary: 'List the keys and names of all products.',
  when: 'to find the sourceKey of a product by name; much cheaper than listing rates.',
  scope: 'rates:read',
  price: { credits: 1, per: 'request' },
  live: 'open',
  sampled: true,
  input: z.object({ ...productFilters, ...termFilters }),
  row: z.object({
    sourceKey: z.string().describe('Stable product ID.'),
    name: z.string().describe('Display name of the account.'),
    provider: z.string().describe('Display name of the provider.'),
    providerSlug: z.string().describe('Slug of the provider, as in /reference/providers.'),
    accountType: z.string().describe('Display label of the account type.'),
  }),
  handle: (input, { market }) =>
    market.referenceProducts(toFilters(input, market)).map((product) => ({
      sourceKey: product.sourceKey,
      name: product.accountName,
      provider: product.provider,
      providerSlug: product.providerSlug,
      accountType: accountTypes[product.accountType].label,
    })),
})
