import { z } from 'zod'
import { queryId } from '#server/api/contract/query.ts'
import { DeletedRecord } from '#server/api/contract/webhook-records.ts'
import { defineAction } from '../define.ts'

export const deleteWebhook = defineAction({
  id: 'webhooks.delete',
  no: 65,
  method: 'DELETE',
  path: '/webhooks/{id}',
  tool: '',
  summary: 'Delete a webhook endpoint.',
  description: 'Waiting deliveries are cancelled.',
  scope: 'account:manage',
  input: z.object({ id: queryId('whe').describe('ID of the webhook endpoint.') }),
  output: DeletedRecord,
  handle: ({ id }, { own }) => own().webhooks.delete(id),
})
