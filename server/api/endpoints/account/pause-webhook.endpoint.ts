import { z } from 'zod'
import { queryId } from '#server/api/contract/query.ts'
import { WebhookRecord } from '#server/api/contract/webhook-records.ts'
import { defineAction } from '../define.ts'

export const pauseWebhook = defineAction({
  id: 'webhooks.pause',
  no: 67,
  method: 'POST',
  path: '/webhooks/{id}/pause',
  tool: '',
  summary: 'Pause a webhook endpoint.',
  description: 'Events are queued until you resume the endpoint.',
  scope: 'account:manage',
  input: z.object({ id: queryId('whe').describe('ID of the webhook endpoint.') }),
  output: WebhookRecord,
  handle: ({ id }, { own }) => own().webhooks.pause(id),
})
