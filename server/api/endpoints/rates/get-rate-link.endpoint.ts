import { z } from 'zod'
import { queryText } from '#server/api/contract/query.ts'
import { defineItem } from '../define.ts'
import { missingProduct } from '../missing-items.ts'

export const getRateLink = defineItem({
  id: 'rates.link',
  no: 5,
  path: '/rates/{sourceKey}/link',
  tool: 'rates_link',
  summary: "Get the URL of a product's page on the provider's site.",
  when: 'to send someone to the page where they can open the account.',
  scope: 'rates:read',
  price: { credits: 1, per: 'request' },
  live: 'open',
  sampled: true,
  input: z.object({ sourceKey: queryText().describe('Stable product ID.') }),
  output: z.object({
    sourceKey: z.string().describe('Stable product ID.'),
    provider: z.string().describe('Display name of the provider.'),
    providerSlug: z.string().describe('Slug of the provider, as in /reference/providers.'),
    accountName: z.string().describe('Display name of the account.'),
    url: z.url().describe("URL of the product's page on the provider's site."),
    checkedAt: z.iso.datetime().describe('Time the URL was last checked, UTC.'),
  }),
  handle: ({ sourceKey }, { market }) => {
    const link = market.link(sourceKey)
    if (!link) throw missingProduct(sourceKey, market)
    return link
  },
})
