import type { z } from 'zod'
import type { errorFields } from './error-fields.ts'

type ErrorRow = {
  /** Number that identifies the code in the request log; never reused for another code. */
  readonly no: number
  readonly status: 400 | 401 | 402 | 403 | 404 | 409 | 429 | 500
  readonly when: string
  /** Default message. Says what to do next. */
  readonly message: string
}

/** Every error of the API. Codes, statuses and meanings are frozen within v1. */
export const errors = {
  invalid_request: {
    no: 1,
    status: 400,
    when: 'A parameter, a header or the body is not valid.',
    message: "The request is not valid. Check it against this endpoint's documentation.",
  },
  missing_api_key: {
    no: 2,
    status: 401,
    when: 'The Authorization header is missing or is not a Bearer token.',
    message:
      'The Authorization header contains no API key. Send it as "Authorization: Bearer <API_KEY>". Keys in the query string or in X-API-Key are ignored.',
  },
  invalid_api_key: {
    no: 3,
    status: 401,
    when: 'The key does not exist.',
    message: 'This key does not exist. Check that you copied all of it, or create a key in the portal.',
  },
  insufficient_credits: {
    no: 4,
    status: 402,
    when: 'The balance or a spending limit does not cover the call or, for a list, a single row.',
    message: 'Your balance or a spending limit does not cover this call. Top up or raise the limit to continue. Nothing was charged.',
  },
  key_revoked: {
    no: 5,
    status: 403,
    when: 'The key has been revoked or has expired.',
    message: 'This key no longer works. Use another key, or create one in the portal.',
  },
  account_blocked: {
    no: 6,
    status: 403,
    when: 'The account is blocked, or is not approved for live calls yet.',
    message: 'This account cannot make calls. Contact support.',
  },
  insufficient_scope: {
    no: 7,
    status: 403,
    when: 'The key does not have the scope that the endpoint needs.',
    message: 'This key does not have the scope named in "required". Add the scope to the key in the portal.',
  },
  ip_not_allowed: {
    no: 8,
    status: 403,
    when: "The key has an IP allow-list and the caller's address is not on it.",
    message: "This key can't be used from this address. Call from an address on its allow-list, or change the list in the portal.",
  },
  licence_reacceptance_required: {
    no: 9,
    status: 403,
    when: 'The Data Licence changed and the deadline to accept it has passed.',
    message: 'The deadline to accept the current Data Licence has passed. Accept the licence in the portal to continue.',
  },
  email_not_verified: {
    no: 10,
    status: 403,
    when: "Portal only: the account's email is not confirmed.",
    message: 'Your email is not confirmed. Open the link in the email we sent you.',
  },
  webhooks_not_enabled: {
    no: 11,
    status: 403,
    when: 'Portal only: webhooks are not enabled for the account.',
    message: 'Webhooks are not enabled for this account. Enable them on the webhooks page of the portal.',
  },
  sample_data_unavailable: {
    no: 12,
    status: 403,
    when: 'A test key called an endpoint without sample data.',
    message: 'This endpoint has no sample data. Use a live key.',
  },
  endpoint_restricted: {
    no: 13,
    status: 403,
    when: 'A live key called an endpoint that only accepts test keys for now.',
    message: 'This endpoint only accepts test keys for now. Use a test key; the changelog will announce live access.',
  },
  plan_upgrade_required: {
    no: 14,
    status: 403,
    when: "A live key called an endpoint, or used a parameter, that the account's plan does not include.",
    message: 'Your plan does not include this call. Upgrade to the plan named in "requiredPlan".',
  },
  not_found: {
    no: 15,
    status: 404,
    when: 'The route or item does not exist, or the endpoint is not launched yet.',
    message: 'The path does not exist. Check it against the list of endpoints.',
  },
  replay_unavailable: {
    no: 18,
    status: 409,
    when: 'The data has changed since the call with this Idempotency-Key was charged, and the first response is no longer stored.',
    message:
      'The data has changed since this call was charged, and its response is no longer stored. You were charged once. Send a new Idempotency-Key to buy the current data.',
  },
  rate_limited: {
    no: 16,
    status: 429,
    when: 'A rate limit is reached, such as the requests per minute or per day.',
    message: 'Too many requests. Wait for the number of seconds in "retryAfter", then retry.',
  },
  internal_error: {
    no: 17,
    status: 500,
    when: 'The service failed.',
    message: 'The service failed and nothing was charged. Retry shortly. If the problem persists, contact support with the requestId.',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errors

export const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]

/** Codes that only the portal returns; API calls never get them. */
export const portalErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['email_not_verified', 'webhooks_not_enabled'])

type NoExtra = Record<never, never>

/** Values of the fields that a code adds to the four common ones. */
export type ErrorExtra = {
  [Code in ErrorCode]: Code extends keyof typeof errorFields ? z.output<z.ZodObject<(typeof errorFields)[Code]>> : NoExtra
}

/** Error response before the request id and the docs link are added. */
export type Refusal<Code extends ErrorCode = ErrorCode> = {
  readonly code: Code
  readonly message: string
  readonly extra: ErrorExtra[Code]
  /** Extra response headers as a flat list of names and values. */
  readonly headers?: readonly string[]
}

type RefuseArguments<Code extends ErrorCode> = NoExtra extends ErrorExtra[Code]
  ? [code: Code, extra?: ErrorExtra[Code], message?: string, headers?: readonly string[]]
  : [code: Code, extra: ErrorExtra[Code], message?: string, headers?: readonly string[]]

/** Creates the `Refusal` for an error code. The types require the code's extra fields; the message defaults to the one in `errors`. */
export function refuse<Code extends ErrorCode>(...[code, extra, message, headers]: RefuseArguments<Code>): Refusal<Code> {
  const refusal = { code, message: message ?? errors[code].message, extra: (extra ?? {}) as ErrorExtra[Code] }
  return headers ? { ...refusal, headers } : refusal
}

/** Error that a handler throws to reject a call. The request pipeline converts it to the response. */
export class RefusedError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(`${refusal.code}: ${refusal.message}`)
    this.name = 'RefusedError'
    this.refusal = refusal
  }
}

/** Creates a 400 error for an invalid query or path parameter. The message must name the parameter. */
export function invalid(message: string): RefusedError {
  return new RefusedError(refuse('invalid_request', {}, message))
}

/** Creates a 404 error. */
export function notFound(message: string): RefusedError {
  return new RefusedError(refuse('not_found', {}, message))
}

/** Creates a 404 error for an unknown item, for example `missing('product', 'abc')`. `next` starts with a space and says what to do. */
export function missing(kind: string, key: string, next = ''): RefusedError {
  return notFound(`There is no ${kind} "${key.slice(0, 100)}".${next}`)
}
