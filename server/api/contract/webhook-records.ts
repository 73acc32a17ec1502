import { z } from 'zod'
import { deliveryStates, eventTypes, NewWebhook, parsePercentagePoints, WebhookInterest, webhookStates } from './webhooks.ts'

const { url, description } = NewWebhook.shape
const { types, providers, accountTypes } = WebhookInterest.shape

const id = (prefix: string) => z.string().describe(`ID, starts with \`${prefix}_\`.`)
const time = () => z.iso.datetime()

/** Percentage points with at most two decimals, such as `0.25`. */
const minChange = z
  .string()
  .max(5)
  .regex(/^\d{1,2}(?:\.\d{1,2})?$/, 'Must be percentage points such as "0.25".')
  .refine((text) => parsePercentagePoints(text) !== null, 'Must be percentage points such as "0.25".')

/** Webhook endpoint in API responses. */
export const WebhookRecord = z.object({
  id: id('whe'),
  mode: z.enum(['test', 'live']).describe('Mode of the keys that manage the endpoint. Test endpoints receive sample-market events and test events for free.'),
  url: z.url().describe('URL that events are sent to.'),
  description: z.string().describe('Name for your own use; can be empty.'),
  types: z.array(z.enum(eventTypes)).describe('Event types that the endpoint receives.'),
  providers: z.array(z.string()).describe('Provider slugs; empty for all providers.'),
  accountTypes: z.array(accountTypes.element).describe('Account types; empty for all.'),
  minChange: z.string().nullable().describe('Minimum change for rate.changed, in percentage points with two decimals; null for any change.'),
  state: z
    .enum(webhookStates)
    .describe('`active`, `paused` (by you), `held` (not enough credits, or the monthly cap is reached) or `disabled` (by the service).'),
  stateReason: z
    .enum(['gone', 'failures'])
    .nullable()
    .describe('Why the service disabled the endpoint: it returned 410 (`gone`) or failed for five days (`failures`). Null otherwise.'),
  createdAt: time().describe('Time of creation, UTC.'),
  failingSince: time()
    .nullable()
    .describe('Time of the first failure since the last success, UTC; null if the last attempt succeeded, or if the URL has changed since the failure.'),
  oldSecretEndsAt: time().nullable().describe('Time until which deliveries are also signed with the previous secret, UTC; null outside a rotation.'),
  waiting: z.int().describe('Number of waiting deliveries; 10,001 means more than 10,000.'),
  successRate: z
    .number()
    .nullable()
    .describe('Success rate of the attempts in the last seven days (the newest 1,000 at most), from 0 to 1; null if there were none.'),
})

export type WebhookRecord = z.output<typeof WebhookRecord>

const secret = z.string().describe('Signing secret, which no other response contains.')

export const CreatedWebhook = WebhookRecord.extend({ secret })

export type CreatedWebhook = z.output<typeof CreatedWebhook>

export const RotatedSecret = z.object({
  id: id('whe'),
  secret,
  oldSecretEndsAt: time().describe('Time until which deliveries are also signed with the previous secret, UTC.'),
})

export type RotatedSecret = z.output<typeof RotatedSecret>

export const DeletedRecord = z.object({ id: z.string().describe('ID of the deleted object.'), deleted: z.literal(true).describe('Always true.') })

export type DeletedRecord = z.output<typeof DeletedRecord>

/** Settings of an endpoint in request bodies. */
export const WebhookBody = z.object({
  url: url.meta({ format: 'uri', description: 'Public HTTPS URL that events are sent to.' }),
  description: description.default('').describe('Name for your own use.'),
  types: types.describe('Event types that the endpoint receives.'),
  providers: providers.default([]).describe('Only events of these providers, by slug. Empty for all.'),
  accountTypes: accountTypes.default([]).describe('Only events of products of these account types. Empty for all.'),
  minChange: minChange.nullable().default(null).describe('Minimum change for rate.changed, in percentage points. Null for any change.'),
})

export type WebhookBody = z.output<typeof WebhookBody>

/** Settings to change; omitted settings stay the same. */
export const WebhookChange = z.object({
  url: WebhookBody.shape.url.optional(),
  description: description.describe('Name for your own use.').optional(),
  types: WebhookBody.shape.types.optional(),
  providers: providers.describe('Only events of these providers, by slug. Empty for all.').optional(),
  accountTypes: accountTypes.describe('Only events of products of these account types. Empty for all.').optional(),
  minChange: minChange.nullable().describe('Minimum change for rate.changed, in percentage points. Null for any change.').optional(),
})

export type WebhookChange = z.output<typeof WebhookChange>

/** Delivery of an event in lists. */
export const DeliveryRecord = z.object({
  id: id('dlv'),
  webhook: z.string().describe('ID of the webhook endpoint.'),
  event: z.string().describe('ID of the event, the same for every endpoint that receives it.'),
  type: z.enum(eventTypes).describe('Event type.'),
  state: z
    .enum(deliveryStates)
    .describe('`waiting` (for an attempt), `delivered`, `dead` (the final attempt failed) or `cancelled` (its endpoint was deleted).'),
  isTest: z.boolean().describe('True for test events.'),
  attempts: z.int().describe('Number of attempts so far. A manual redelivery resets it to 0.'),
  lastStatus: z.int().nullable().describe('HTTP status of the last attempt; null if there was no response or no attempt yet.'),
  creditsCharged: z.int().describe('Credits charged for the delivery.'),
  createdAt: time().describe('Time of creation, UTC.'),
  nextAttemptAt: time().nullable().describe('Time of the next attempt, UTC; null if there is none.'),
  deliveredAt: time().nullable().describe('Time of the first 2xx response, UTC; null if there was none.'),
})

export type DeliveryRecord = z.output<typeof DeliveryRecord>

/** Delivery with its payload and attempts. */
export const DeliveryDetails = DeliveryRecord.extend({
  data: z.record(z.string(), z.unknown()).nullable().describe("The event's data, as sent; null for a live market event until it is delivered and charged."),
  tries: z
    .array(
      z.object({
        at: time().describe('Time of the attempt, UTC.'),
        isDelivered: z.boolean().describe('True if the receiver returned 2xx.'),
        status: z.int().nullable().describe('HTTP status; null if there was no response.'),
        fault: z.string().nullable().describe('Reason for the missing response; null if there was a response.'),
        totalMs: z.int().describe('Duration in milliseconds.'),
      }),
    )
    .describe('Latest attempts, newest first, at most 100.'),
})

export type DeliveryDetails = z.output<typeof DeliveryDetails>

const data = z.record(z.string(), z.unknown())

/** Event that was sent to an endpoint, with its data. */
export const EventRecord = z.object({
  id: z.string().describe('ID of the event, as in the body of the webhook.'),
  type: z.enum(eventTypes).describe('Event type.'),
  createdAt: time().describe('Time of the event, UTC.'),
  data: data.describe("The event's data, as sent."),
  isTest: z.boolean().describe('True for test events.'),
  webhook: z.string().describe('ID of the webhook endpoint.'),
  delivery: z.string().describe('ID of the delivery, as in `X-SVC-Delivery`.'),
  sentAt: time().describe('Time of the first successful delivery, UTC. For test events and events about the account: time of creation.'),
})

export type EventRecord = z.output<typeof EventRecord>

/** Example of an event type, with data from the sample market. */
export const SampleEventRecord = z.object({
  type: z.enum(eventTypes).describe('Event type.'),
  data: data.describe("The event's data, as in a test event."),
})

export type SampleEventRecord = z.output<typeof SampleEventRecord>

export const TestDelivery = z.object({
  event: z.string().describe('ID of the test event.'),
  delivery: z.string().describe('ID of the delivery.'),
})

export type TestDelivery = z.output<typeof TestDelivery>

export const QueuedDelivery = z.object({ id: id('dlv'), state: z.literal('waiting').describe('Always `waiting`: the delivery is queued again.') })

export type QueuedDelivery = z.output<typeof QueuedDelivery>
