import { z } from 'zod'
import { defineItem } from '../define.ts'

export const ping = defineItem({
  id: 'service.ping',
  no: 1,
  path: '/ping',
  tool: 'ping',
  summary: 'Check that the API is reachable, and get the mode of the key.',
  when: 'to check a key or that the API is reachable.',
  scope: 'any-key',
  price: { credits: 0, per: 'request' },
  live: 'open',
  shared: false,
  output: z.object({
    ok: z.literal(true).describe('Always true: the API is reachable.'),
    mode: z.enum(['test', 'live']).describe('Mode of the key.'),
    requestId: z.string().describe('Same as meta.requestId.'),
  }),
  handle: (_input, { mode, requestId }) => ({ ok: true as const, mode, requestId: `req_${requestId}` }),
})
