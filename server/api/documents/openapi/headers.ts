import type { oas31 } from 'zod-openapi'
import type { Entry } from './names.ts'

type Header = {
  readonly description: string
  readonly schema: oas31.SchemaObject
  /** True if the header is always present on the responses that list it. */
  readonly required?: true
  readonly example: string | number
}

const count = { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 } as const
const positive = { ...count, minimum: 1 } as const
/** Balances are whole credits within the range of safe JavaScript integers. */
const balance = { type: 'integer', format: 'int64', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const
const requestId = { type: 'string', maxLength: 36, pattern: '^req_[0-9a-f]{32}$' } as const
const entityTag = { type: 'string', maxLength: 100, pattern: '^W/"[A-Za-z0-9_-]+"$' } as const
/** Printable ASCII, like every header value. */
const structured = { type: 'string', maxLength: 500, pattern: '^[ -~]+$' } as const

const time = { type: 'string', format: 'date-time', maxLength: 30 } as const

/** Returns the schema of a header with a single value, with `enum` for generators that don't know `const`. */
export const constant = (value: string): oas31.SchemaObject => ({ type: 'string', const: value, enum: [value] })

/** Response headers that are relevant to callers. */
const headers = {
  'X-SVC-Request-Id': {
    description: 'Request ID, same as in the body.',
    schema: requestId,
    required: true,
    example: 'req_019aa5c3d2f07b1c8e4a6f2d9b3c5e71',
  },
  'X-SVC-Credits-Charged': { description: 'Credits charged for this request; 0 if it was free.', schema: count, required: true, example: 1 },
  'X-SVC-Credits-Balance': {
    description: 'Balance after this request. Can be negative after a refund or dispute. Omitted if the request had no valid key.',
    schema: balance,
    example: 19,
  },
  'X-RateLimit-Limit': {
    description: 'Request limit of this window: the UTC minute, or the UTC day once the daily limit is reached.',
    schema: count,
    required: true,
    example: 60,
  },
  'X-RateLimit-Remaining': { description: 'Remaining requests in this window.', schema: count, required: true, example: 59 },
  'X-RateLimit-Reset': { description: 'Seconds until this window ends.', schema: count, required: true, example: 42 },
  RateLimit: {
    description: 'Remaining requests (r) and seconds until the reset (t) of every window, as in draft-ietf-httpapi-ratelimit-headers.',
    schema: structured,
    required: true,
    example: '"minute";r=59;t=42, "day";r=999;t=51642',
  },
  'RateLimit-Policy': {
    description: 'Quota (q) and length in seconds (w) of every window.',
    schema: structured,
    required: true,
    example: '"minute";q=60;w=60, "day";q=1000;w=86400',
  },
  ETag: {
    description: 'Weak ETag of the data. Send it in If-None-Match: if the data has not changed, the response is a free 304.',
    schema: entityTag,
    required: true,
    example: 'W/"8pX0f3bq2VnJ4yTzLcKd1A"',
  },
  Link: {
    description: 'URL of the next page, with rel="next". Omitted on the last page.',
    schema: structured,
    example: '<https://api.example.com/v1/rates?limit=3&cursor=eyJ2IjoxfQ>; rel="next"',
  },
  'X-SVC-Mode': { description: '"test" if a test key was used; omitted otherwise.', schema: constant('test'), example: 'test' },
  'X-SVC-Sample-Data': {
    description: '"true" if a test key was used; omitted otherwise.',
    schema: constant('true'),
    example: 'true',
  },
  'X-SVC-Cache': {
    description: '"hit" if the result was served from the cache, "miss" if it was built for this request. Both cost the same.',
    schema: { type: 'string', enum: ['hit', 'miss'] },
    required: true,
    example: 'miss',
  },
  'X-SVC-Limit-Reduced': {
    description: 'Number of rows returned, if the page was shortened to fit the balance, a spend cap or X-SVC-Max-Credits.',
    schema: positive,
    example: 3,
  },
  'X-SVC-Idempotent-Replay': {
    description:
      '"true" if this Idempotency-Key was already used within the last 10 minutes: the response is the page that you already paid for, and costs 0 credits.',
    schema: constant('true'),
    example: 'true',
  },
  'X-SVC-Snapshot-Day': {
    description: 'Day of the market in the file, UK time.',
    schema: { type: 'string', format: 'date' },
    required: true,
    example: '2026-11-21',
  },
  'X-SVC-Generated-At': { description: 'Time at which the file was stored.', schema: time, required: true, example: '2026-11-21T07:50:03.000Z' },
  'X-SVC-Updated-Until': {
    description: 'The file includes every change up to this time. Pass it as updatedSince to the list. Omitted if unknown.',
    schema: time,
    example: '2026-11-21T07:42:10.000Z',
  },
  'X-SVC-Attribution': {
    description: 'Attribution line that the Data Licence requires you to show with the data.',
    schema: structured,
    required: true,
    example: 'Data: Savings Rates Data API, used under the Data Licence v2026-09',
  },
  'Content-Disposition': {
    description: 'Suggests a file name.',
    schema: structured,
    required: true,
    example: 'attachment; filename="rates-2026-11-21.ndjson"',
  },
  'X-SVC-Rows': { description: 'Number of rows in the file.', schema: count, required: true, example: 1_500 },
  'Retry-After': { description: 'Seconds to wait, same as retryAfter in the body.', schema: positive, required: true, example: 42 },
  'WWW-Authenticate': { description: 'Authentication scheme: Bearer token.', schema: structured, required: true, example: 'Bearer realm="svc"' },
  Allow: { description: 'Methods that the path supports, if the request used another one.', schema: structured, example: 'GET, HEAD' },
  Deprecation: {
    description: 'When v1 was deprecated, as a structured date (RFC 9745). Only sent while v1 is being retired.',
    schema: { type: 'string', maxLength: 20, pattern: '^@\\d+$' },
    example: '@1893456000',
  },
  Sunset: {
    description: 'When v1 will be switched off, as an HTTP date (RFC 8594). Only sent while v1 is being retired.',
    schema: structured,
    example: 'Mon, 01 Jul 2030 00:00:00 GMT',
  },
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof headers

export const headerComponents: Record<string, oas31.HeaderObject> = headers

/** Headers of every API response, regardless of status. */
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

/** Returns references to the headers of every response and to those in `more`. */
export function headersWith(...more: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries([...always, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Documented request headers. `Authorization` is the security scheme. */
export const headerParameters = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'ETag of an earlier response. If the data has not changed, the response is a free 304 without a body. `*` matches any response from a free endpoint; endpoints that cost credits ignore it.',
    schema: { type: 'string', minLength: 1, maxLength: 1_000, pattern: '^[ -~]+$' },
    example: 'W/"8pX0f3bq2VnJ4yTzLcKd1A"',
  },
  MaxCredits: {
    name: 'X-SVC-Max-Credits',
    in: 'header',
    required: false,
    description:
      'Maximum credits that this call may cost. Lists priced per row are shortened to fit. If the price of the call, or of a single row, is higher, the call returns 402.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 999_999_999 },
    example: 5,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Unique string of your choice. Repeating the same request with the same key within 10 minutes returns the page that you paid for at 0 credits, or 409 if the data has changed and the page is no longer stored. A call that makes a change does so only once per key: a repeated request returns the first result. Using the key for a different request returns 400.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$' },
    example: '4b1c9c0e-rates-1',
  },
} as const satisfies Record<string, oas31.ParameterObject>

const reference = (name: keyof typeof headerParameters) => ({ $ref: `#/components/parameters/${name}` })

/** Returns true for endpoints that change the caller's account. */
export const isAction = ({ method, kind }: Entry): boolean => method !== 'GET' && kind !== 'planned'

/**
 * Returns references to the request headers that an endpoint supports: conditional requests for GET, Idempotency-Key for actions, spending headers if calls cost
 * credits.
 */
export function requestHeaders(entry: Entry): { $ref: string }[] {
  const { method, price } = entry
  if (isAction(entry)) return [reference('IdempotencyKey')]
  const conditional = method === 'GET' ? [reference('IfNoneMatch')] : []
  return price.credits === 0 ? conditional : [...conditional, reference('MaxCredits'), reference('IdempotencyKey')]
}
