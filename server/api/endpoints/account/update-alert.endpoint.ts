import { z } from 'zod'
import { AlertRecord, AlertUpdate } from '#server/api/contract/alert-records.ts'
import { queryId } from '#server/api/contract/query.ts'
import { defineAction } from '../define.ts'

export const updateAlert = defineAction({
  id: 'alerts.update',
  no: 77,
  method: 'PATCH',
  path: '/alerts/{id}',
  tool: '',
  summary: 'Change, pause or resume a market alert.',
  description: 'Only the fields in the body change. If you change what the alert tracks, it reports only later changes.',
  scope: 'account:manage',
  input: z.object({ id: queryId('alr').describe('ID of the alert.') }),
  body: AlertUpdate,
  exampleBody: { filter: 'type=easy-access&minRate=4.7', state: 'active' },
  output: AlertRecord,
  handle: ({ id, body }, { own }) => own().alerts.update(id, body),
})
