import { z } from 'zod'
import type { oas31, ZodOpenApiPathsObject } from 'zod-openapi'
import {
  creditsPerEvent,
  deliveryTimeoutSeconds,
  type EventType,
  events,
  eventTypes,
  isOfAccount,
  retryMinutes,
  sampleAccountEvent,
  signatureAgeSeconds,
} from '#server/api/contract/webhooks.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { exampleMoment } from './example-own-account.ts'
import type { ExampleCall } from './examples.ts'
import { constant } from './headers.ts'
import { pascal } from './names.ts'

export const webhookTag = {
  name: 'Webhooks',
  description: 'Market changes, market alerts and low-balance alerts, sent to your URL. Enable them at `/portal/webhooks`.',
}

const exampleId = 'evt_5Jt2XbR8mWq0LcVz'

const signatureDescription = [
  '`t=<unix seconds>,v1=<hex>`: v1 is the hex HMAC-SHA256 of `<t>.<raw body>`, keyed with the secret of the endpoint.',
  `Compare in constant time, and reject timestamps more than ${signatureAgeSeconds} seconds from now. For 24 hours after you rotate the secret there are two v1 values; accept the delivery if either matches.`,
].join(' ')

function headers(type: EventType): oas31.ParameterObject[] {
  const header = (name: string, description: string, schema: oas31.SchemaObject, example: string): oas31.ParameterObject => ({
    name,
    in: 'header',
    required: true,
    description,
    schema,
    example,
  })
  const signature = { type: 'string', maxLength: 500, pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' } as const
  return [
    header('X-SVC-Signature', signatureDescription, signature, `t=1795253400,v1=${'3f'.repeat(32)}`),
    header('X-SVC-Event', 'Event type, same as in the body.', constant(type), type),
    header(
      'X-SVC-Delivery',
      'Delivery ID, the same for all retries.',
      { type: 'string', minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_]+$' },
      'dlv_9Pc4YhN7sKd1TgBf',
    ),
  ]
}

function getDataSchema(type: EventType): z.ZodType {
  if (isOfAccount(type)) return events[type].shape
  const entry = registry.find(({ id }) => id === events[type].schemaSource)
  if (!entry) throw new Error(`The data schema of ${type} refers to the unknown endpoint "${events[type].schemaSource}".`)
  return entry.output
}

function getBody(type: EventType): z.ZodType {
  return z.object({
    id: z.string().describe('Event ID. It stays the same when a delivery is repeated; use it to deduplicate.'),
    type: z.literal(type),
    createdAt: z.iso.datetime().describe('Time of the event, UTC.'),
    attempt: z
      .int()
      .min(1)
      .max(retryMinutes.length + 1)
      .describe('Attempt number, starting at 1.'),
    data: getDataSchema(type),
  })
}

export type WebhookExamples = { readonly calls: ReadonlyMap<string, ExampleCall | null>; readonly publicUrl: string }

/** Returns an example event, whose data is the first row of the corresponding endpoint's example; null if there is none. */
function getExample(type: EventType, { calls, publicUrl }: WebhookExamples): object | null {
  const data = isOfAccount(type) ? sampleAccountEvent(type, publicUrl, exampleMoment) : calls.get(events[type].schemaSource)?.body.data
  const row: unknown = Array.isArray(data) ? data[0] : data
  return row === undefined ? null : { id: exampleId, type, createdAt: exampleMoment, attempt: 1, data: row }
}

const getPrice = (type: EventType): string =>
  isOfAccount(type)
    ? 'Free. Sent even while other events wait for credits, and regardless of filters.'
    : `${creditsPerEvent} credits per event, charged at the first 2xx. Retries and test events are free.`

function waits(): string {
  return retryMinutes.map((minutes) => (minutes < 60 ? `${minutes} min` : `${minutes / 60} h`)).join(', ')
}

function webhook(type: EventType, example: object | null): ZodOpenApiPathsObject[string] {
  const { when, carries } = events[type]
  const retried = [
    `Any other response (including redirects), or none within ${deliveryTimeoutSeconds} seconds, is a failure and is retried after ${waits()}. After that, the delivery is marked as failed and can be redelivered manually.`,
    '410 disables the endpoint. `Retry-After` with 429 or 503 is honoured up to the longest retry delay. After five days without a successful delivery, the endpoint is disabled.',
    'Events arrive in order as long as your server returns 2xx; a failed event arrives later.',
  ].join(' ')
  return {
    post: {
      operationId: `on${pascal(type)}`,
      summary: when,
      description: `\`data\` is ${carries}. ${getPrice(type)}`,
      tags: [webhookTag.name],
      security: [],
      parameters: headers(type),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: getBody(type), ...(example ? { examples: { sample: { summary: when, value: example } } } : {}) } },
      },
      responses: { '2XX': { description: `Delivered. ${retried}` } },
      'x-svc-availability': 'coming-soon',
    },
  }
}

/** Returns the webhook definition for each event type. */
export function webhooks(examples: WebhookExamples): ZodOpenApiPathsObject {
  return Object.fromEntries(eventTypes.map((type) => [type, webhook(type, getExample(type, examples))]))
}
