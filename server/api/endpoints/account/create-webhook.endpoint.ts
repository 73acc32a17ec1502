import { CreatedWebhook, WebhookBody } from '#server/api/contract/webhook-records.ts'
import { defineAction } from '../define.ts'

export const createWebhook = defineAction({
  id: 'webhooks.create',
  no: 62,
  method: 'POST',
  path: '/webhooks',
  tool: '',
  summary: 'Create a webhook endpoint.',
  description: 'The response contains the signing secret, which is not shown again. The URL must be public: private and reserved addresses are rejected.',
  scope: 'account:manage',
  body: WebhookBody,
  exampleBody: { url: 'https://example.com/webhooks', types: ['rate.changed', 'product.withdrawn'], minChange: '0.10' },
  output: CreatedWebhook,
  handle: ({ body }, { own }) => own().webhooks.create(body),
})
