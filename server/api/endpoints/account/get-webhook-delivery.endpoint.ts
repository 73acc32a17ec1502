import { z } from 'zod'
import { queryId } from '#server/api/contract/query.ts'
import { DeliveryDetails } from '#server/api/contract/webhook-records.ts'
import { defineItem } from '../define.ts'

export const getWebhookDelivery = defineItem({
  id: 'webhooks.delivery',
  no: 71,
  path: '/webhook-deliveries/{id}',
  tool: '',
  summary: 'Get a delivery with its data and attempts.',
  scope: 'account:manage',
  price: { credits: 0, per: 'request' },
  live: 'open',
  shared: false,
  input: z.object({ id: queryId('dlv').describe('ID of the delivery.') }),
  output: DeliveryDetails,
  handle: ({ id }, { own }) => own().webhooks.delivery(id),
})
