import { z } from 'zod'
import { queryEnum, queryId } from '#server/api/contract/query.ts'
import { EventRecord } from '#server/api/contract/webhook-records.ts'
import { eventTypes } from '#server/api/contract/webhooks.ts'
import { defineList } from '../define.ts'

export const listWebhookEvents = defineList({
  id: 'webhooks.events',
  no: 79,
  path: '/webhook-events',
  tool: '',
  summary: 'List the events that were sent to your webhook endpoints, with their data, newest first.',
  description:
    'One row for each delivery. Live market events are listed once they have been delivered and charged. Free events (test events, events about the account and events of test endpoints) are listed immediately. Reading events is never charged. `savings-rates listen` forwards them to your own machine.',
  scope: 'account:manage',
  price: { credits: 0, per: 'request' },
  live: 'open',
  shared: false,
  input: z.object({
    webhook: queryId('whe').optional().describe('Only events sent to this webhook endpoint.'),
    type: queryEnum(eventTypes).optional().describe('Only events of this type.'),
  }),
  row: EventRecord,
  getKey: ({ delivery }) => delivery,
  handle: (filter, page, { own }) => own().webhooks.events(filter, page),
})
