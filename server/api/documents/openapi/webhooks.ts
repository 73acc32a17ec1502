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
  sampleLowBalance,
  signatureAgeSeconds,
} from '#server/api/contract/events.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { exampleMoment } from './example-account.ts'
import type { ExampleCall } from './example-call.ts'
import { pascal } from './names.ts'

export const webhookTag = {
  name: 'Webhooks',
  description: 'What happens in the market, and to your balance, sent to an address of yours. Coming soon: switched on for one account at a time.',
}

const exampleId = 'evt_5Jt2XbR8mWq0LcVz'

const signatureWords = [
  '`t=<unix seconds>,v1=<hex>`: v1 is the HMAC-SHA256 of `<t>.<raw body>` with the secret of the endpoint, in hex.',
  `Compare in constant time and refuse a time more than ${signatureAgeSeconds} seconds from now. For a day after the secret was changed there are two v1 values; one that fits is enough.`,
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
    header('X-SVC-Signature', signatureWords, signature, `t=1795253400,v1=${'3f'.repeat(32)}`),
    header('X-SVC-Event', 'Type of the event; the same as in the body.', { type: 'string', const: type }, type),
    header(
      'X-SVC-Delivery',
      'Id of this delivery, the same over its retries.',
      { type: 'string', minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_]+$' },
      'dlv_9Pc4YhN7sKd1TgBf',
    ),
  ]
}

function shapeOf(type: EventType): z.ZodType {
  if (isOfAccount(type)) return events[type].shape
  const entry = registry.find(({ id }) => id === events[type].shapeOf)
  if (!entry) throw new Error(`There is no endpoint "${events[type].shapeOf}" for the data of ${type}.`)
  return entry.output
}

function bodyOf(type: EventType): z.ZodType {
  return z.object({
    id: z.string().describe('Id of the event. It stays the same when a delivery is repeated: use it to tell repeats.'),
    type: z.literal(type),
    createdAt: z.iso.datetime().describe('When it happened, UTC.'),
    attempt: z
      .int()
      .min(1)
      .max(retryMinutes.length + 1)
      .describe('Which attempt this is, counted from 1.'),
    data: shapeOf(type),
  })
}

export type WebhookExamples = { readonly calls: ReadonlyMap<string, ExampleCall | null>; readonly publicUrl: string }

/** The first row of the endpoint's own example, so that an event looks like the list that it is about. */
function exampleOf(type: EventType, { calls, publicUrl }: WebhookExamples): object | null {
  const data = isOfAccount(type) ? sampleLowBalance(publicUrl, exampleMoment) : calls.get(events[type].shapeOf)?.body.data
  const row: unknown = Array.isArray(data) ? data[0] : data
  return row === undefined ? null : { id: exampleId, type, createdAt: exampleMoment, attempt: 1, data: row }
}

const priceOf = (type: EventType): string =>
  isOfAccount(type)
    ? 'Free: it is sent while other events wait for credits, and no filter holds it back.'
    : `${creditsPerEvent} credits for each event, taken with the first 2xx; retries and test events are free.`

function waits(): string {
  return retryMinutes.map((minutes) => (minutes < 60 ? `${minutes} min` : `${minutes / 60} h`)).join(', ')
}

function webhook(type: EventType, example: object | null): ZodOpenApiPathsObject[string] {
  const { when, carries } = events[type]
  const retried = [
    `Any other answer, or none within ${deliveryTimeoutSeconds} seconds, is a failure, a redirect too, and is tried again after ${waits()}; then the delivery is dead and can be sent again by hand.`,
    '410 switches the endpoint off. `Retry-After` with 429 or 503 is heeded up to the longest wait. Five days of nothing but failures switch the endpoint off.',
    'Events come in order as long as each is answered with 2xx; one that failed comes later.',
  ].join(' ')
  return {
    post: {
      operationId: `on${pascal(type)}`,
      summary: when,
      description: `Coming soon. \`data\` is ${carries}. ${priceOf(type)}`,
      tags: [webhookTag.name],
      security: [],
      parameters: headers(type),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: bodyOf(type), ...(example ? { examples: { sample: { summary: when, value: example } } } : {}) } },
      },
      responses: { '2XX': { description: `Delivered. ${retried}` } },
      'x-svc-availability': 'coming-soon',
    },
  }
}

/** The events, each with the data of the endpoint that it belongs to. */
export function webhooks(examples: WebhookExamples): ZodOpenApiPathsObject {
  return Object.fromEntries(eventTypes.map((type) => [type, webhook(type, exampleOf(type, examples))]))
}
