import { AlertRecord } from '#server/api/contract/alert-records.ts'
import { defineWhole } from '../define.ts'

export const listAlerts = defineWhole({
  id: 'alerts.list',
  no: 74,
  path: '/alerts',
  tool: '',
  summary: 'List your market alerts.',
  description:
    'Oldest first. Live keys list the alerts shown in the portal. Test keys list test alerts, which track the sample market and send emails but no webhooks.',
  scope: 'account:manage',
  price: { credits: 0, per: 'request' },
  live: 'open',
  shared: false,
  row: AlertRecord,
  handle: (_input, { own }) => own().alerts.list(),
})
