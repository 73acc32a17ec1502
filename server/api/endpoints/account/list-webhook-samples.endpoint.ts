import { SampleEventRecord } from '#server/api/contract/webhook-records.ts'
import { defineWhole } from '../define.ts'

export const listWebhookSamples = defineWhole({
  id: 'webhooks.samples',
  no: 80,
  path: '/webhook-samples',
  tool: '',
  summary: 'List an example of each event type, with data from the sample market.',
  description: 'Nothing is sent. Test events have the same data.',
  scope: 'account:manage',
  price: { credits: 0, per: 'request' },
  live: 'open',
  shared: false,
  row: SampleEventRecord,
  handle: (_input, { own }) => own().webhooks.samples(),
})
