import { z } from 'zod'
import { queryId } from '#server/api/contract/query.ts'
import { WebhookChange, WebhookRecord } from '#server/api/contract/webhook-records.ts'
import { defineAction } from '../define.ts'

export const updateWebhook = defineAction({
  id: 'webhooks.update',
  no: 64,
  method: 'PATCH',
  path: '/webhooks/{id}',
  tool: '',
  summary: 'Change the settings of a webhook endpoint.',
  description: 'Only the fields in the body change. The change applies from the next delivery.',
  scope: 'account:manage',
  input: z.object({ id: queryId('whe').describe('ID of the webhook endpoint.') }),
  body: WebhookChange,
  exampleBody: { types: ['rate.changed'], minChange: null },
  output: WebhookRecord,
  handle: ({ id, body }, { own }) => own().webhooks.update(id, body),
})
