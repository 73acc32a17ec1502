import { z } from 'zod'
import { AlertRecord } from '#server/api/contract/alert-records.ts'
import { queryId } from '#server/api/contract/query.ts'
import { defineItem } from '../define.ts'

export const getAlert = defineItem({
  id: 'alerts.get',
  no: 75,
  path: '/alerts/{id}',
  tool: '',
  summary: 'Get a market alert.',
  scope: 'account:manage',
  price: { credits: 0, per: 'request' },
  live: 'open',
  shared: false,
  input: z.object({ id: queryId('alr').describe('ID of the alert.') }),
  output: AlertRecord,
  handle: ({ id }, { own }) => own().alerts.get(id),
})
