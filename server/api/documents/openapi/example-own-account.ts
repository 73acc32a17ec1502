import type { AlertRecord } from '#server/api/contract/alert-records.ts'
import type { OwnAccount } from '#server/api/contract/own-account.ts'
import type { DeliveryRecord, EventRecord, WebhookRecord } from '#server/api/contract/webhook-records.ts'
import { oldSecretHours } from '#server/api/contract/webhooks.ts'

/** Fixed time of all examples, so that documents don't change daily. */
export const exampleMoment = '2026-11-21T09:30:00.000Z'

const key = { key: 'key_7Hd2KsVb9QeR1ZtN', keyName: 'Staging', mode: 'test' } as const

// The ids are those of the examples of path parameters.
const webhookId = 'whe_7Hd2KsVb9QeR1ZtN'
const deliveryId = 'dlv_7Hd2KsVb9QeR1ZtN'

const webhook: WebhookRecord = {
  id: webhookId,
  mode: 'test',
  url: 'https://example.com/webhooks',
  description: '',
  types: ['rate.changed', 'product.withdrawn'],
  providers: [],
  accountTypes: [],
  minChange: '0.10',
  state: 'active',
  stateReason: null,
  createdAt: exampleMoment,
  failingSince: null,
  oldSecretEndsAt: null,
  waiting: 0,
  successRate: 1,
}

const delivery: DeliveryRecord = {
  id: deliveryId,
  webhook: webhookId,
  event: 'evt_test_Qm3vT8xY1cR5nL0d',
  type: 'rate.changed',
  state: 'delivered',
  isTest: true,
  attempts: 1,
  lastStatus: 200,
  creditsCharged: 0,
  createdAt: exampleMoment,
  nextAttemptAt: null,
  deliveredAt: '2026-11-21T09:30:01.000Z',
}

const event: EventRecord = {
  id: delivery.event,
  type: delivery.type,
  createdAt: exampleMoment,
  data: { sourceKey: 'paperlark-easy-access-1', newRate: '4.25' },
  isTest: true,
  webhook: webhookId,
  delivery: deliveryId,
  sentAt: '2026-11-21T09:30:01.000Z',
}

const alert: AlertRecord = {
  id: 'alr_7Hd2KsVb9QeR1ZtN',
  name: 'Easy access above 4.6%',
  kind: 'products',
  filter: 'type=easy-access&minRate=4.6',
  providers: [],
  frequency: 'daily',
  email: true,
  webhook: false,
  state: 'active',
  createdAt: exampleMoment,
  lastFoundAt: null,
}

const secret = 'whsec_example0000000000000000000000000000000000'

const attempt = { at: '2026-11-21T09:30:01.000Z', isDelivered: true, status: 200, fault: null, totalMs: 86 }

/** Account data in example responses. */
export const exampleOwnAccount: OwnAccount = {
  usage: async () => ({
    rows: [
      { day: '2026-11-20', ...key, endpoint: 'GET /rates', status: 200, calls: 118, credits: 0 },
      { day: '2026-11-21', ...key, endpoint: 'GET /rates', status: 200, calls: 42, credits: 0 },
    ],
    more: false,
    keys: ['', ''],
  }),
  webhooks: {
    list: async () => [webhook],
    get: async () => webhook,
    create: async () => ({ ...webhook, secret }),
    update: async () => ({ ...webhook, types: ['rate.changed'], minChange: null }),
    delete: async (id) => ({ id, deleted: true }),
    rotateSecret: async (id) => ({ id, secret, oldSecretEndsAt: new Date(Date.parse(exampleMoment) + oldSecretHours * 3_600_000).toISOString() }),
    pause: async () => ({ ...webhook, state: 'paused' }),
    resume: async () => webhook,
    test: async () => ({ event: delivery.event, delivery: delivery.id }),
    deliveries: async () => ({ rows: [delivery], more: false, keys: [delivery.id] }),
    delivery: async () => ({ ...delivery, data: { sourceKey: 'paperlark-easy-access-1', rate: '4.25' }, tries: [attempt] }),
    redeliver: async (id) => ({ id, state: 'waiting' }),
    events: async () => ({ rows: [event], more: false, keys: [event.delivery] }),
    samples: async () => [{ type: event.type, data: event.data }],
  },
  alerts: {
    list: async () => [alert],
    get: async () => alert,
    create: async () => alert,
    update: async () => ({ ...alert, filter: 'type=easy-access&minRate=4.7' }),
    delete: async (id) => ({ id, deleted: true }),
  },
}
