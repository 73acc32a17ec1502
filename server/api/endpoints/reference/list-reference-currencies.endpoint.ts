import { z } from 'zod'
import { currencies } from '#server/market/reference/currencies.ts'
import { defineWhole } from '../define.ts'

export const listReferenceCurrencies = defineWhole({
  id: 'reference.currencies',
  no: 9,
  path: '/reference/currencies',
  tool: 'reference_currencies',
  summary: 'List the currencies supported by cards and exchange rates.',
  when: 'to find the codes for `currency`.',
  scope: 'cards:read',
  price: { credits: 1, per: 'request' },
  live: 'open',
  row: z.object({
    code: z.string().describe('ISO 4217 code.'),
    name: z.string().describe('English name.'),
    region: z.string().describe('World region.'),
  }),
  handle: () => currencies,
})
