import { z } from 'zod'
import { queryId } from '#server/api/contract/query.ts'
import { RotatedSecret } from '#server/api/contract/webhook-records.ts'
import { defineAction } from '../define.ts'

export const rotateWebhookSecret = defineAction({
  id: 'webhooks.rotate-secret',
  no: 66,
  method: 'POST',
  path: '/webhooks/{id}/rotate-secret',
  tool: '',
  summary: 'Rotate the signing secret of a webhook endpoint.',
  description: 'The response contains the new secret, which is not shown again. For 24 hours, deliveries are signed with both secrets.',
  scope: 'account:manage',
  input: z.object({ id: queryId('whe').describe('ID of the webhook endpoint.') }),
  output: RotatedSecret,
  handle: ({ id }, { own }) => own().webhooks.rotateSecret(id),
})
