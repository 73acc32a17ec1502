import { z } from 'zod'
import { queryEnum, queryId } from '#server/api/contract/query.ts'
import { DeliveryRecord } from '#server/api/contract/webhook-records.ts'
import { deliveryStates, eventTypes } from '#server/api/contract/webhooks.ts'
import { defineList } from '../define.ts'

export const listWebhookDeliveries = defineList({
  id: 'webhooks.deliveries',
  no: 70,
  path: '/webhook-deliveries',
  tool: '',
  summary: 'List the deliveries of your webhook endpoints, newest first.',
  description: 'Finished deliveries are kept for 30 days.',
  scope: 'account:manage',
  price: { credits: 0, per: 'request' },
  live: 'open',
  shared: false,
  input: z.object({
    webhook: queryId('whe').optional().describe('Only deliveries to this webhook endpoint.'),
    state: queryEnum(deliveryStates).optional().describe('Only deliveries in this state.'),
    type: queryEnum(eventTypes).optional().describe('Only deliveries of this event type.'),
  }),
  row: DeliveryRecord,
  getKey: ({ id }) => id,
  handle: (filter, page, { own }) => own().webhooks.deliveries(filter, page),
})
