import { z } from 'zod'
import { perRequest } from '../../contract/prices.ts'
import { queryText } from '../../contract/query.ts'
import { defineItem } from '../define.ts'
import { missingProduct } from '../missing-items.ts'

export const getRateLink = defineItem({
  id: 'rates.link',
  no: 5,
  path: '/rates/{sourceKey}/link',
  tool: 'rates_link',
  summary: "Read the address of a product's page on the provider's own site.",
  when: 'to send somebody to where they can open the account.',
  scope: 'rates:read',
  price: perRequest(1),
  live: 'open',
  sampled: true,
  input: z.object({ sourceKey: queryText().describe('Stable product id.') }),
  output: z.object({
    sourceKey: z.string().describe('Stable product id.'),
    provider: z.string().describe('Display name of the provider.'),
    providerSlug: z.string().describe('Slug of the provider, as in /reference/providers.'),
    accountName: z.string().describe('Display name of the account.'),
    url: z.url().describe("The product's page on the provider's own site."),
    checkedAt: z.iso.datetime().describe('When the address was last checked, UTC.'),
  }),
  handle: ({ sourceKey }, { market }) => {
    const link = market.link(sourceKey)
    if (!link) throw missingProduct(sourceKey, market)
    return link
  },
})
