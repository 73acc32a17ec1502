import { z } from 'zod'
import { queryId } from '#server/api/contract/query.ts'
import { WebhookRecord } from '#server/api/contract/webhook-records.ts'
import { defineItem } from '../define.ts'

export const getWebhook = defineItem({
  id: 'webhooks.get',
  no: 63,
  path: '/webhooks/{id}',
  tool: '',
  summary: 'Get a webhook endpoint.',
  scope: 'account:manage',
  price: { credits: 0, per: 'request' },
  live: 'open',
  shared: false,
  input: z.object({ id: queryId('whe').describe('ID of the webhook endpoint.') }),
  output: WebhookRecord,
  handle: ({ id }, { own }) => own().webhooks.get(id),
})
