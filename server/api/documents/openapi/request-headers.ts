import type { oas31 } from 'zod-openapi'
import type { Entry } from './names.ts'

/** Documented request headers. `Authorization` is the security scheme. */
export const headerParameters = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'ETag of an earlier response. If the data has not changed, the response is a free 304 without a body. `*` matches any response of a free endpoint and is ignored where calls cost credits.',
    schema: { type: 'string', minLength: 1, maxLength: 1_000, pattern: '^[ -~]+$' },
    example: 'W/"8pX0f3bq2VnJ4yTzLcKd1A"',
  },
  MaxCredits: {
    name: 'X-SVC-Max-Credits',
    in: 'header',
    required: false,
    description: 'Maximum credits that this call may cost. Lists are cut to it; if the price is higher, the call is refused with 402.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 999_999_999 },
    example: 5,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Unique string of your choice. Repeating the same request with the same key within 10 minutes returns the page that you paid for at 0 credits, or 409 if the data has changed and the page is no longer stored. Using the key for a different request returns 400.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$' },
    example: '4b1c9c0e-rates-1',
  },
} as const satisfies Record<string, oas31.ParameterObject>

const reference = (name: keyof typeof headerParameters) => ({ $ref: `#/components/parameters/${name}` })

/** References to the request headers that an endpoint supports: conditional requests for GET, spending headers if calls cost credits. */
export function requestHeaders({ method, price }: Entry): { $ref: string }[] {
  const conditional = method === 'GET' ? [reference('IfNoneMatch')] : []
  return price.credits === 0 ? conditional : [...conditional, reference('MaxCredits'), reference('IdempotencyKey')]
}
