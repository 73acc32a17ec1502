import type { oas31 } from 'zod-openapi'

type Header = {
  readonly description: string
  readonly schema: oas31.SchemaObject
  /** Whether every answer of the statuses that list it has it. */
  readonly required?: true
  readonly example: string | number
}

const count = { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 } as const
const positive = { ...count, minimum: 1 } as const
/** Balances are whole credits within what a JavaScript number holds exactly. */
const balance = { type: 'integer', format: 'int64', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const
const requestId = { type: 'string', maxLength: 36, pattern: '^req_[0-9a-f]{32}$' } as const
const entityTag = { type: 'string', maxLength: 100, pattern: '^W/"[A-Za-z0-9_-]+"$' } as const
/** Printable ASCII, as every value of a header is. */
const structured = { type: 'string', maxLength: 500, pattern: '^[ -~]+$' } as const

/** Every header of an answer that means something to a caller. */
const headers = {
  'X-SVC-Request-Id': {
    description: 'Request identifier; the same as in the body.',
    schema: requestId,
    required: true,
    example: 'req_019aa5c3d2f07b1c8e4a6f2d9b3c5e71',
  },
  'X-SVC-Credits-Charged': { description: 'Credits taken by this request; 0 for everything but a paid 200.', schema: count, required: true, example: 1 },
  'X-SVC-Credits-Balance': {
    description: 'Balance after this request. Below zero after a refund or a dispute. Left out when no working key was presented.',
    schema: balance,
    example: 19,
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed in this window: the UTC minute, or the UTC day once that is used up.',
    schema: count,
    required: true,
    example: 60,
  },
  'X-RateLimit-Remaining': { description: 'Requests left in this window.', schema: count, required: true, example: 59 },
  'X-RateLimit-Reset': { description: 'Seconds from now until this window ends.', schema: count, required: true, example: 42 },
  RateLimit: {
    description: 'What is left of every window, as in draft-ietf-httpapi-ratelimit-headers: r is requests, t is seconds.',
    schema: structured,
    required: true,
    example: '"minute";r=59;t=42, "day";r=999;t=51642',
  },
  'RateLimit-Policy': {
    description: 'Every window with its quota (q) and its length in seconds (w).',
    schema: structured,
    required: true,
    example: '"minute";q=60;w=60, "day";q=1000;w=86400',
  },
  ETag: {
    description: 'Weak tag over the data. Send it in If-None-Match: when nothing changed, the answer is a free 304.',
    schema: entityTag,
    required: true,
    example: 'W/"8pX0f3bq2VnJ4yTzLcKd1A"',
  },
  'X-SVC-Mode': { description: '"test" when a test key was used; left out otherwise.', schema: { type: 'string', const: 'test' }, example: 'test' },
  'X-SVC-Sample-Data': {
    description: '"true" when a test key was used; left out otherwise.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'X-SVC-Cache': {
    description: 'Whether the built result was shared with an earlier request ("hit") or built for this one ("miss"). Both cost the same.',
    schema: { type: 'string', enum: ['hit', 'miss'] },
    required: true,
    example: 'miss',
  },
  'X-SVC-Limit-Reduced': {
    description: 'Rows on this page, when it was cut to what the balance, the spend cap or X-SVC-Max-Credits covers.',
    schema: positive,
    example: 3,
  },
  'X-SVC-Idempotent-Replay': {
    description: '"true" when this Idempotency-Key was seen within the last 10 minutes: the page that was paid for again, at 0 credits.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'Retry-After': { description: 'Seconds to wait; the same as retryAfter in the body.', schema: positive, required: true, example: 42 },
  'WWW-Authenticate': { description: 'How to authenticate: with a Bearer token.', schema: structured, required: true, example: 'Bearer realm="svc"' },
  Allow: { description: 'The methods of the path, when the method is not one of them.', schema: structured, example: 'GET' },
  Deprecation: {
    description: 'When v1 became deprecated, as a structured date (RFC 9745). Only while a successor runs beside it.',
    schema: { type: 'string', maxLength: 20, pattern: '^@\\d+$' },
    example: '@1893456000',
  },
  Sunset: {
    description: 'When v1 will be switched off, as an HTTP date (RFC 8594). Only while a successor runs beside it.',
    schema: structured,
    example: 'Mon, 01 Jul 2030 00:00:00 GMT',
  },
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof headers

export const headerComponents: Record<string, oas31.HeaderObject> = headers

/** On every answer of the API, whatever its status. */
const always: readonly HeaderName[] = [
  'X-SVC-Request-Id',
  'X-SVC-Credits-Charged',
  'X-SVC-Credits-Balance',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'X-SVC-Mode',
  'X-SVC-Sample-Data',
  'Deprecation',
  'Sunset',
]

/** References to the headers of an answer: those of every answer, and `more`. */
export function headersWith(...more: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries([...always, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
