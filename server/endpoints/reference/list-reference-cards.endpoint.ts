import { z } from 'zod'
import { perRequest } from '../../contract/prices.ts'
import { defineWhole } from '../define.ts'

export const listReferenceCards = defineWhole({
  id: 'reference.cards',
  no: 8,
  path: '/reference/cards',
  tool: 'reference_cards',
  summary: 'List the keys and names of all cards and the list that carries each.',
  when: 'to find the sourceKey of a card whose name is known.',
  scope: 'cards:read',
  price: perRequest(1),
  live: 'open',
  sampled: true,
  input: z.object({}),
  row: z.object({
    sourceKey: z.string().describe('Stable card id.'),
    name: z.string().describe('Display name of the card.'),
    provider: z.string().describe('Display name of the provider.'),
    providerSlug: z.string().nullable().describe('Slug of the provider, or null when it has no savings products.'),
    list: z.enum(['rewards', 'travel']).describe('The card list that carries it.'),
  }),
  handle: (_input, { market }) =>
    market.cards().map(({ sourceKey, name, provider, providerSlug, list }) => ({ sourceKey, name, provider, providerSlug, list })),
})
