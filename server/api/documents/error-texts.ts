import type { z } from 'zod'
import { errorFields } from '#server/api/contract/error-fields.ts'
import { type ErrorCode, type ErrorExtra, errorCodes, errors } from '#server/api/contract/errors.ts'
import { exampleRequestId } from './openapi/examples.ts'

type ErrorText = {
  readonly why: string
  readonly next: readonly [string, ...string[]]
  /** Page of the portal on which the account owner can fix the cause. */
  readonly page?: { readonly href: string; readonly label: string }
}

const keysPage = { href: '/portal/keys', label: 'Open your keys' } as const

/** Texts for the pages of the error codes, in addition to those in the `errors` table. */
const errorTexts: Readonly<Record<ErrorCode, ErrorText>> = {
  invalid_request: {
    why: 'A parameter or body field is unknown, empty, repeated or out of range, a field is not included in your plan, or a cursor belongs to another query. We reject the call instead of guessing, so you never pay for a typo.',
    next: [
      'Read the message: it names the parameter and, for a typo, suggests the closest valid name.',
      'Pass `meta.nextCursor` unchanged, and keep the path and filters the same. `limit` and `fields` may change from page to page.',
    ],
  },
  missing_api_key: {
    why: 'The key is read from one header only. Keys in the query string or in `X-API-Key` are ignored on purpose: URLs and custom headers end up in logs.',
    next: ['Send the header `Authorization: Bearer <API_KEY>`.', 'If a live key was part of a URL, revoke it and create a new one.'],
  },
  invalid_api_key: {
    why: 'This key was never issued. Keys end in a checksum, so a mistyped key is rejected immediately.',
    next: ['Copy the whole key again: `svc_test_` or `svc_live_` followed by 36 characters.', 'A key is shown only once. If you lost it, create a new one.'],
  },
  insufficient_credits: {
    why: "A list is shortened to the rows that your balance covers, so you only get this error if you can't afford a single row. The monthly caps of the key and the account, and the header `X-SVC-Max-Credits`, limit a call in the same way.",
    next: [
      'Without a `reason` in the body: top up at the URL in `topUp`.',
      'With reason `spend_cap`: raise the cap of the key (edit it under Keys in the portal) or of the account, as the message says, or wait for the next UTC month.',
      'With reason `debt`: a refund or dispute made your balance negative. Top up by more than the debt.',
      'With reason `max_credits`: raise `X-SVC-Max-Credits` or omit it.',
      'Test keys work with any balance.',
    ],
    page: keysPage,
  },
  key_revoked: {
    why: 'The key was revoked or rotated, or it reached its expiry date.',
    next: ['Use another key, or create one.', 'If no one on your team revoked it, check who else can sign in to your account.'],
  },
  account_blocked: {
    why: 'New accounts are reviewed before their live keys work. If an account is blocked, none of its keys work.',
    next: [
      'With reason `review_pending`: use a test key. Live keys start working once the account is approved.',
      'With reason `review_declined`: the message and the portal give the reason. Test keys keep working.',
      'Otherwise contact support with the `requestId`; see the Help page.',
    ],
  },
  insufficient_scope: {
    why: 'This endpoint needs a scope that the key does not have.',
    next: [
      'Add the scope named in `required` to the key: edit it under Keys in the portal. The change applies from the next call.',
      '`GET /me` is free and lists what a key can call.',
    ],
    page: keysPage,
  },
  ip_not_allowed: {
    why: 'The key has an IP allow-list. The message names the address that the call came from.',
    page: keysPage,
    next: [
      "Call from an address on the list, or edit the key's list in the portal.",
      'Behind a proxy or NAT, use the public address that reaches our servers.',
    ],
  },
  licence_reacceptance_required: {
    why: 'The Data Licence has a new version, and the deadline to accept it has passed.',
    next: ['Ask the account owner to accept the current version in the portal. Calls then work again immediately.'],
  },
  email_not_verified: {
    why: 'You need a confirmed email to create keys and top up. API calls never return this code.',
    next: ['Open the link in the email we sent you, or request a new one.'],
  },
  webhooks_not_enabled: {
    why: 'Webhooks are enabled per account. API calls never return this code.',
    next: [
      'Enable webhooks on the webhooks page of the portal. Your account must be approved.',
      'If an administrator disabled webhooks for your account, request them there.',
    ],
    page: { href: '/portal/webhooks', label: 'Open webhooks' },
  },
  sample_data_unavailable: {
    why: 'Test keys read the sample dataset, which has no rows for this endpoint.',
    next: ['Use a live key for this endpoint.'],
  },
  endpoint_restricted: {
    why: 'The endpoint only accepts test keys for now.',
    next: ['Use a test key: it returns sample data in the same format as live data.', 'The price list shows which endpoints live keys can call.'],
  },
  plan_upgrade_required: {
    why: 'This endpoint, or the parameter named in `message`, needs a higher plan.',
    next: ['Upgrade to the plan named in `requiredPlan`. If `message` names a parameter, you can omit it instead.', 'Test keys can make the call on any plan.'],
  },
  not_found: {
    why: 'The path is unknown or does not support the method, the product or provider does not exist, or the endpoint is announced but not launched yet.',
    next: [
      'Read the message: it suggests the closest path, product or provider, and says where they are listed.',
      'If the response has an `Allow` header, call the path with one of its methods.',
      'Get product keys from `/reference/products` and provider slugs from `/reference/providers`. Withdrawn products are not available.',
    ],
  },
  replay_unavailable: {
    why: 'A replay returns the response that you paid for, never newer data for free. Responses are stored for a short time only, and the data has changed since the first call. The `ETag` header identifies the response you paid for.',
    next: [
      'Compare the `ETag` with your stored responses: you may have received it already.',
      'Send the call with a new `Idempotency-Key` to buy the current data.',
      'If the first response never arrived, contact support with its `requestId` or the time of the call.',
    ],
  },
  rate_limited: {
    why: 'The key has used all its requests for this UTC minute, or the account has used all its live requests for this UTC day. Rejected calls are not counted and do not extend the wait.',
    next: [
      'Wait for the number of seconds in `retryAfter`, also sent in the `Retry-After` header.',
      'Every response has `X-RateLimit-Remaining` and `X-RateLimit-Reset`: slow down before you reach the limit.',
    ],
  },
  internal_error: {
    why: 'Something failed on our side, or the database did not respond in time.',
    next: [
      'Retry shortly. With an `Idempotency-Key` you never pay twice.',
      'If the problem persists, contact support with the `requestId`: it identifies the failure in our logs.',
    ],
  },
}

/** Returns the values of the extra fields in the examples. */
const getExamples = (publicUrl: string): { readonly [Code in ErrorCode]?: ErrorExtra[Code] } => ({
  insufficient_credits: { required: 1, balance: 0, topUp: `${publicUrl}/portal/billing/top-up` },
  account_blocked: { reason: 'review_pending' },
  insufficient_scope: { required: 'providers:read' },
  plan_upgrade_required: { requiredPlan: 'enterprise' },
  rate_limited: { retryAfter: 12 },
})

/** Returns the schemas of the fields that a code adds to the four common ones, by name. */
export const getFields = (code: ErrorCode): Readonly<Record<string, z.ZodType>> => (code in errorFields ? errorFields[code as keyof typeof errorFields] : {})

/** Returns an example of the error body. `publicUrl` has no trailing slash. */
export function errorAnswer(code: ErrorCode, publicUrl: string): object {
  const common = { error: code, message: errors[code].message, requestId: `req_${exampleRequestId}`, docs: `${publicUrl}/docs/errors/${code}` }
  return { ...common, ...getExamples(publicUrl)[code] }
}

/** Returns the page of a code, or null if the code is unknown. URLs on it start with `publicUrl`. */
export function errorPage(text: string, publicUrl: string) {
  const code = errorCodes.find((known) => known === text)
  if (code === undefined) return null
  const { status, when } = errors[code]
  return {
    code,
    status,
    when,
    page: null,
    ...errorTexts[code],
    /** Fields that this code adds to the four common ones. */
    fields: Object.entries(getFields(code)).map(([name, { description = '' }]) => ({ name, text: description })),
    example: errorAnswer(code, publicUrl),
  }
}

/** Content of an error code's page. */
export type ErrorPage = NonNullable<ReturnType<typeof errorPage>>

/** Returns all codes with status and meaning, in contract order. */
export const errorList = () => errorCodes.map((code) => ({ code, status: errors[code].status, when: errors[code].when }))
