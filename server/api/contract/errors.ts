import type { Plan } from './plans.ts'

type ErrorRow = {
  /** Number of the code in the request log; never used again for another code. */
  readonly no: number
  readonly status: 400 | 401 | 402 | 403 | 404 | 409 | 429 | 500
  readonly when: string
  /** What the caller should do next; the message when the place that refuses has nothing better to say. */
  readonly message: string
}

/** Every error of the service. The codes, statuses and their meaning are frozen within v1. */
export const errors = {
  invalid_request: {
    no: 1,
    status: 400,
    when: 'A query or path value is not acceptable.',
    message: 'Check the query parameters against the documentation of this endpoint.',
  },
  missing_api_key: {
    no: 2,
    status: 401,
    when: 'There is no Authorization header, or it is not a Bearer token.',
    message: 'Send your key as "Authorization: Bearer <API_KEY>". Keys in the query string or in X-API-Key are ignored.',
  },
  invalid_api_key: {
    no: 3,
    status: 401,
    when: 'The key does not exist.',
    message: 'No such key. Check that you copied all of it, or create a key in the portal.',
  },
  insufficient_credits: {
    no: 4,
    status: 402,
    when: 'The balance is below the price of one row, or of the call.',
    message: 'Top up to continue. Nothing was charged.',
  },
  key_revoked: {
    no: 5,
    status: 403,
    when: 'The key has been revoked or has expired.',
    message: 'This key no longer works. Use another key or create one in the portal.',
  },
  account_blocked: {
    no: 6,
    status: 403,
    when: 'The account is blocked, or not yet approved for live calls.',
    message: 'This account cannot make calls. Contact support.',
  },
  insufficient_scope: {
    no: 7,
    status: 403,
    when: 'The key lacks the scope that the endpoint needs.',
    message: 'Create a key with the scope named in "required".',
  },
  ip_not_allowed: {
    no: 8,
    status: 403,
    when: 'The key has an address list and the caller is not on it.',
    message: 'Call from an address on the allow-list of this key, or change the list in the portal.',
  },
  licence_reacceptance_required: {
    no: 9,
    status: 403,
    when: 'The Data Licence changed and the time to accept it has ended.',
    message: 'Accept the current Data Licence in the portal to continue.',
  },
  email_not_verified: {
    no: 10,
    status: 403,
    when: 'Portal only: the email of the account is not confirmed.',
    message: 'Confirm your email first.',
  },
  webhooks_not_enabled: {
    no: 11,
    status: 403,
    when: 'Portal only: webhooks are not switched on for the account.',
    message: 'Ask us to switch webhooks on for your account.',
  },
  sample_data_unavailable: {
    no: 12,
    status: 403,
    when: 'A test key called an endpoint that has no sample data.',
    message: 'This endpoint has no sample data. Use a live key.',
  },
  endpoint_restricted: {
    no: 13,
    status: 403,
    when: 'A live key called an endpoint that is open to test keys only.',
    message: 'This endpoint is open to test keys only for now. Use a test key; the changelog says when it opens.',
  },
  plan_upgrade_required: {
    no: 14,
    status: 403,
    when: 'A live key called an endpoint above the plan of its account.',
    message: 'Move to the plan named in "requiredPlan" to call this endpoint.',
  },
  not_found: {
    no: 15,
    status: 404,
    when: 'There is no such route or item, or the endpoint is not launched yet.',
    message: 'Nothing is here. Check the path against the list of endpoints.',
  },
  replay_unavailable: {
    no: 18,
    status: 409,
    when: 'The data changed since the call with this Idempotency-Key was charged.',
    message:
      'The data changed since this call was charged, and its answer is no longer stored. It was charged once. Send a new Idempotency-Key to buy the current data.',
  },
  rate_limited: {
    no: 16,
    status: 429,
    when: 'A limit on requests a minute or a day is reached.',
    message: 'Wait for the number of seconds in "retryAfter", then try again.',
  },
  internal_error: {
    no: 17,
    status: 500,
    when: 'The service failed.',
    message: 'The service failed and nothing was charged. Try again shortly; quote the requestId to support if it goes on.',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errors

export const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]

/** Codes that only the portal answers: no call of the API gets them. */
export const portalErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['email_not_verified', 'webhooks_not_enabled'])

type NoExtra = Record<never, never>

/** The fields that a code adds to the common four. */
export type ErrorExtra = {
  [Code in ErrorCode]: Code extends 'insufficient_scope'
    ? { required: string }
    : Code extends 'insufficient_credits'
      ? { required: number; balance: number; topUp: string; reason?: 'spend_cap' | 'max_credits' | 'debt' }
      : Code extends 'rate_limited'
        ? { retryAfter: number }
        : Code extends 'plan_upgrade_required'
          ? { requiredPlan: Plan }
          : Code extends 'account_blocked'
            ? { reason: string | null }
            : Code extends 'key_revoked'
              ? { reason?: 'expired' }
              : NoExtra
}

/** A call refused: what the caller reads, before the request id and the docs link are added. */
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

/** Makes a refusal. The extra fields of the code are asked for by its type; the message defaults to the table's. */
export function refuse<Code extends ErrorCode>(...[code, extra, message, headers]: RefuseArguments<Code>): Refusal<Code> {
  const refusal = { code, message: message ?? errors[code].message, extra: (extra ?? {}) as ErrorExtra[Code] }
  return headers ? { ...refusal, headers } : refusal
}

/** Thrown where a call has to be refused from inside a handler; the gate turns it into the answer. */
export class RefusedError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(`${refusal.code}: ${refusal.message}`)
    this.name = 'RefusedError'
    this.refusal = refusal
  }
}

/** Refuses a value of a query or path with a message that names it. */
export function invalid(message: string): RefusedError {
  return new RefusedError(refuse('invalid_request', {}, message))
}

/** Refuses an unknown item, for example `missing('product', 'abc')`. `next` says what to do about it, with a space before it. */
export function missing(kind: string, key: string, next = ''): RefusedError {
  return new RefusedError(refuse('not_found', {}, `There is no ${kind} "${key.slice(0, 100)}".${next}`))
}
