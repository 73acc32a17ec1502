import { z } from 'zod'
import type { AlertBody, AlertRecord, AlertUpdate } from './alert-records.ts'
import type { Page, PageRequest } from './endpoint.ts'
import type {
  CreatedWebhook,
  DeletedRecord,
  DeliveryDetails,
  DeliveryRecord,
  EventRecord,
  QueuedDelivery,
  RotatedSecret,
  SampleEventRecord,
  TestDelivery,
  WebhookBody,
  WebhookChange,
  WebhookRecord,
} from './webhook-records.ts'
import type { DeliveryState, EventType } from './webhooks.ts'

/** Default and maximum number of UTC days in a usage list. */
export const usageDays = { usual: 30, most: 92 } as const

/** Row of `/usage`. */
export const UsageRow = z.object({
  day: z.iso.date().describe('UTC day of the calls.'),
  key: z.string().describe('ID of the key, as in the portal.'),
  keyName: z.string().describe('Name of the key; empty if it has none.'),
  mode: z.enum(['test', 'live']).describe('Mode of the key.'),
  endpoint: z.string().describe('Method and path, such as `GET /rates`; `Unknown path` for calls to paths that do not exist.'),
  status: z.int().describe('HTTP status of the responses.'),
  calls: z.int().describe('Number of calls on that day with this key, endpoint and status.'),
  credits: z.int().describe('Credits charged for these calls.'),
})

export type UsageRow = z.output<typeof UsageRow>

/** Undefined `from` or `to` select the last 30 days. `key` is the public id of a key; undefined for every key that the caller may see. */
export type UsageFilter = { readonly from?: string | undefined; readonly to?: string | undefined; readonly key?: string | undefined }

export type DeliveryFilter = { readonly webhook?: string | undefined; readonly state?: DeliveryState | undefined; readonly type?: EventType | undefined }

export type EventFilter = Pick<DeliveryFilter, 'webhook' | 'type'>

/** Webhook endpoints of the account, in the mode of the key. Unknown ids, and ids of other accounts and of the other mode, are rejected with 404. */
export type OwnWebhooks = {
  readonly list: () => Promise<readonly WebhookRecord[]>
  readonly get: (id: string) => Promise<WebhookRecord>
  readonly create: (body: WebhookBody) => Promise<CreatedWebhook>
  readonly update: (id: string, change: WebhookChange) => Promise<WebhookRecord>
  readonly delete: (id: string) => Promise<DeletedRecord>
  readonly rotateSecret: (id: string) => Promise<RotatedSecret>
  readonly pause: (id: string) => Promise<WebhookRecord>
  readonly resume: (id: string) => Promise<WebhookRecord>
  readonly test: (id: string, type: EventType | null) => Promise<TestDelivery>
  readonly deliveries: (filter: DeliveryFilter, page: PageRequest) => Promise<Page<DeliveryRecord>>
  readonly delivery: (id: string) => Promise<DeliveryDetails>
  readonly redeliver: (id: string) => Promise<QueuedDelivery>
  readonly events: (filter: EventFilter, page: PageRequest) => Promise<Page<EventRecord>>
  readonly samples: () => Promise<readonly SampleEventRecord[]>
}

/** Market alerts of the account. Unknown ids, and ids of other accounts, are rejected with 404. */
export type OwnAlerts = {
  readonly list: () => Promise<readonly AlertRecord[]>
  readonly get: (id: string) => Promise<AlertRecord>
  readonly create: (body: AlertBody) => Promise<AlertRecord>
  readonly update: (id: string, change: AlertUpdate) => Promise<AlertRecord>
  readonly delete: (id: string) => Promise<DeletedRecord>
}

/** Data of the account that a key belongs to, for endpoints about the caller. */
export type OwnAccount = {
  /** Returns usage by day, key, endpoint and status. @throws RefusedError for an invalid range, or a key that is unknown or that the caller may not see */
  readonly usage: (filter: UsageFilter, page: PageRequest) => Promise<Page<UsageRow>>
  readonly webhooks: OwnWebhooks
  readonly alerts: OwnAlerts
}

/** Part of a handler's context where there is no caller, such as on pages and in events. Endpoints about the caller can't be read with it. */
export const noCaller = {
  account: () => Promise.reject(new Error('There is no calling account here, so endpoints about the account cannot be read.')),
  own: () => {
    throw new Error('There is no calling account here, so endpoints about the account cannot be read.')
  },
}
