import { z } from 'zod'
import { queryId } from '#server/api/contract/query.ts'
import { TestDelivery } from '#server/api/contract/webhook-records.ts'
import { eventTypes } from '#server/api/contract/webhooks.ts'
import { defineAction } from '../define.ts'

export const testWebhook = defineAction({
  id: 'webhooks.test',
  no: 69,
  method: 'POST',
  path: '/webhooks/{id}/test',
  tool: '',
  summary: 'Send a test event to a webhook endpoint.',
  description:
    'Test events contain sample data, are signed and retried like other events, and are free. Limited to ten test events a minute per endpoint and 30 per account.',
  scope: 'account:manage',
  input: z.object({ id: queryId('whe').describe('ID of the webhook endpoint.') }),
  body: z.object({ type: z.enum(eventTypes).optional().describe('Event type. Defaults to the first type of the endpoint.') }),
  exampleBody: { type: 'rate.changed' },
  output: TestDelivery,
  handle: ({ id, body }, { own }) => own().webhooks.test(id, body.type ?? null),
})
