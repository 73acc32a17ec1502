import { z } from 'zod'
import { defineWhole } from '../define.ts'

export const listReferenceProviders = defineWhole({
  id: 'reference.providers',
  no: 7,
  path: '/reference/providers',
  tool: 'reference_providers',
  summary: 'List the slugs and names of all active providers.',
  when: 'to find the slug of a provider, which other tools accept as `provider` or `slug`.',
  scope: 'providers:read',
  price: { credits: 1, per: 'request' },
  live: 'open',
  sampled: true,
  row: z.object({ slug: z.string().describe('Stable key of the provider.'), name: z.string().describe('Display name.') }),
  handle: (_input, { market }) => market.providers().map(({ slug, name }) => ({ slug, name })),
})
