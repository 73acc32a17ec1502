import { z } from 'zod'
import { defineWhole } from '../define.ts'

export const listReferenceCards = defineWhole({
  id: 'reference.cards',
  no: 8,
  path: '/reference/cards',
  tool: 'reference_cards',
  summary: 'List the keys and names of all cards.',
  when: 'to find the sourceKey of a card by name.',
  scope: 'cards:read',
  price: { credits: 1, per: 'request' },
  live: 'open',
  sampled: true,
  row: z.object({
    sourceKey: z.string().describe('Stable card ID.'),
    name: z.string().describe('Display name of the card.'),
    provider: z.string().describe('Display name of the provider.'),
    providerSlug: z.string().nullable().describe('Slug of the provider; null if it is not in the rates data.'),
    list: z.enum(['rewards', 'travel']).describe('List that the card is on.'),
  }),
  handle: (_input, { market }) =>
    market.cards().map(({ sourceKey, name, provider, providerSlug, list }) => ({ sourceKey, name, provider, providerSlug, list })),
})
