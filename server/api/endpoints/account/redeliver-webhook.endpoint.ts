import { z } from 'zod'
import { queryId } from '#server/api/contract/query.ts'
import { QueuedDelivery } from '#server/api/contract/webhook-records.ts'
import { defineAction } from '../define.ts'

export const redeliverWebhook = defineAction({
  id: 'webhooks.redeliver',
  no: 72,
  method: 'POST',
  path: '/webhook-deliveries/{id}/redeliver',
  tool: '',
  summary: 'Redeliver a finished delivery.',
  description:
    'The event and delivery IDs stay the same. An event that was already charged is not charged again. Limited to 10,000 redeliveries an hour per endpoint and 20,000 per account.',
  scope: 'account:manage',
  input: z.object({ id: queryId('dlv').describe('ID of the delivery.') }),
  output: QueuedDelivery,
  handle: ({ id }, { own }) => own().webhooks.redeliver(id),
})
