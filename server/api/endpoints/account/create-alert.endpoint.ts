import { AlertBody, AlertRecord } from '#server/api/contract/alert-records.ts'
import { defineAction } from '../define.ts'

export const createAlert = defineAction({
  id: 'alerts.create',
  no: 76,
  method: 'POST',
  path: '/alerts',
  tool: '',
  summary: 'Create a market alert.',
  description: 'The alert reports only changes made after it is created. Your plan limits the number of alerts.',
  scope: 'account:manage',
  body: AlertBody,
  exampleBody: { name: 'Easy access above 4.6%', kind: 'products', filter: 'type=easy-access&minRate=4.6', frequency: 'daily' },
  output: AlertRecord,
  handle: ({ body }, { own }) => own().alerts.create(body),
})
