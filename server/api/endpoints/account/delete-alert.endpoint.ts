import { z } from 'zod'
import { queryId } from '#server/api/contract/query.ts'
import { DeletedRecord } from '#server/api/contract/webhook-records.ts'
import { defineAction } from '../define.ts'

export const deleteAlert = defineAction({
  id: 'alerts.delete',
  no: 78,
  method: 'DELETE',
  path: '/alerts/{id}',
  tool: '',
  summary: 'Delete a market alert.',
  description: 'Its notifications are deleted too.',
  scope: 'account:manage',
  input: z.object({ id: queryId('alr').describe('ID of the alert.') }),
  output: DeletedRecord,
  handle: ({ id }, { own }) => own().alerts.delete(id),
})
