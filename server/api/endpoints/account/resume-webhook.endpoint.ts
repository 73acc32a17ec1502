import { z } from 'zod'
import { queryId } from '#server/api/contract/query.ts'
import { WebhookRecord } from '#server/api/contract/webhook-records.ts'
import { defineAction } from '../define.ts'

export const resumeWebhook = defineAction({
  id: 'webhooks.resume',
  no: 68,
  method: 'POST',
  path: '/webhooks/{id}/resume',
  tool: '',
  summary: 'Resume a webhook endpoint.',
  description: 'Sends the waiting deliveries in order. Also re-enables an endpoint that the service disabled.',
  scope: 'account:manage',
  input: z.object({ id: queryId('whe').describe('ID of the webhook endpoint.') }),
  output: WebhookRecord,
  handle: ({ id }, { own }) => own().webhooks.resume(id),
})
