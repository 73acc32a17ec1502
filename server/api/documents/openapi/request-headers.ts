import type { oas31 } from 'zod-openapi'
import type { Entry } from './names.ts'

/** Headers that a caller may send, and the documents name. `Authorization` is the security scheme. */
export const headerParameters = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'An ETag of an earlier answer. When nothing changed, the answer is 304 without a body, and free. `*` matches any answer of an endpoint that is free, and is ignored where calls cost credits.',
    schema: { type: 'string', minLength: 1, maxLength: 1_000, pattern: '^[ -~]+$' },
    example: 'W/"8pX0f3bq2VnJ4yTzLcKd1A"',
  },
  MaxCredits: {
    name: 'X-SVC-Max-Credits',
    in: 'header',
    required: false,
    description: 'Most credits that this call may cost. A list is cut to it; a price above it is refused with 402.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 999_999_999 },
    example: 5,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Any text of your own. The same key on the same request within 10 minutes returns the page that was paid for at 0 credits, or 409 if the data changed and the page is no longer stored; on another request it is refused with 400.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$' },
    example: '4b1c9c0e-rates-1',
  },
} as const satisfies Record<string, oas31.ParameterObject>

const reference = (name: keyof typeof headerParameters) => ({ $ref: `#/components/parameters/${name}` })

/** References to the headers that an endpoint heeds: all of them are about answers that cost something, or that can be had again. */
export function requestHeaders({ method, price }: Entry): { $ref: string }[] {
  const conditional = method === 'GET' ? [reference('IfNoneMatch')] : []
  return price.credits === 0 ? conditional : [...conditional, reference('MaxCredits'), reference('IdempotencyKey')]
}
