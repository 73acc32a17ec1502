import { WebhookRecord } from '#server/api/contract/webhook-records.ts'
import { defineWhole } from '../define.ts'

export const listWebhooks = defineWhole({
  id: 'webhooks.list',
  no: 61,
  path: '/webhooks',
  tool: '',
  summary: 'List your webhook endpoints.',
  description: 'Live keys manage live endpoints, and test keys manage test endpoints. An account can have up to 20 endpoints.',
  scope: 'account:manage',
  price: { credits: 0, per: 'request' },
  live: 'open',
  shared: false,
  row: WebhookRecord,
  handle: (_input, { own }) => own().webhooks.list(),
})
