import type { ErrorCode, ErrorExtra } from '#server/api/contract/errors.ts'

/** What the page of a code says beyond the table of errors. Every field that a code adds has to be described here, or this does not compile. */
export type ErrorText<Code extends ErrorCode> = {
  readonly why: string
  readonly next: readonly [string, ...string[]]
  readonly fields: { readonly [Name in keyof ErrorExtra[Code]]-?: string }
  /** Values of those fields in the example. */
  readonly example: ErrorExtra[Code]
}

export const errorTexts: { readonly [Code in ErrorCode]: ErrorText<Code> } = {
  invalid_request: {
    why: 'A parameter is unknown, empty, repeated or out of range, a field is not part of your plan, or a cursor came from another query. The service refuses instead of guessing, so that a typo is never billed.',
    next: [
      'Read the message: it names the parameter and offers the nearest name that exists.',
      'Take a cursor unchanged from `meta.nextCursor` and keep path and filters the same. `limit` and `fields` may change from page to page.',
    ],
    fields: {},
    example: {},
  },
  missing_api_key: {
    why: 'A key travels in one header only. Keys in the query string or in `X-API-Key` are ignored on purpose: addresses and odd headers end up in logs.',
    next: ['Send the header `Authorization: Bearer <API_KEY>`.', 'If a live key has been part of an address, revoke it and make another.'],
    fields: {},
    example: {},
  },
  invalid_api_key: {
    why: 'No key like this was ever made. Keys end in a checksum, so a mistyped one is refused at once.',
    next: ['Copy the key again, all of it: `svc_test_` or `svc_live_` and 36 characters.', 'A key is shown once. If it is lost, make another.'],
    fields: {},
    example: {},
  },
  insufficient_credits: {
    why: 'A list is cut to the rows that the balance covers, so this comes only when not even one row is covered. The monthly caps of the key and of the account and the header `X-SVC-Max-Credits` can stop a call in the same way.',
    next: [
      'Without a reason in the body: top up at the address in `topUp`.',
      'With reason `spend_cap`: raise the cap of the key or of the account, as the message says, or wait for the next UTC month.',
      'With reason `debt`: a refund or dispute of a payment took the balance below zero. Top up by more than is missing.',
      'With reason `max_credits`: raise `X-SVC-Max-Credits` or leave it out.',
      'Test keys work at any balance.',
    ],
    fields: {
      required: 'Credits that one row or the call costs, a whole number.',
      balance: 'Credits in the account now, a whole number.',
      topUp: 'Address of the page where credits are bought.',
      reason: '`spend_cap` or `max_credits` when it is not the balance that stops the call, `debt` when the balance is below zero.',
    },
    example: { required: 1, balance: 0, topUp: 'https://…/portal/billing/top-up' },
  },
  key_revoked: {
    why: 'The owner revoked or rotated the key, or the end that was set for it has come.',
    next: ['Use another key, or make one.', 'If nobody on your side revoked it, find out who else can sign in to the account.'],
    fields: { reason: '`expired` when the key reached its end; left out when somebody revoked it.' },
    example: {},
  },
  account_blocked: {
    why: 'New accounts are reviewed before their live keys work. A blocked account is refused with every key.',
    next: [
      'With reason `review_pending`: use a test key. Live keys start to work when the account is approved.',
      'With reason `review_declined`: the message and the portal say why. Test keys go on working.',
      'Otherwise contact support with the `requestId`: the page Help says how.',
    ],
    fields: { reason: '`review_pending`, `review_declined`, the reason for the block in words, or null when it cannot be shared.' },
    example: { reason: 'review_pending' },
  },
  insufficient_scope: {
    why: 'A key carries the scopes that were chosen when it was made, and this endpoint needs another one.',
    next: ['Make a key with the scope named in `required`.', '`GET /me` lists what a key can call and is free.'],
    fields: { required: 'The scope that the endpoint needs.' },
    example: { required: 'providers:read' },
  },
  ip_not_allowed: {
    why: 'The key has a list of addresses that may use it. The message says which address the call came from.',
    next: ['Call from a listed address, or change the list of the key.', 'Behind a proxy or NAT, the address that counts is the one that reaches the service.'],
    fields: {},
    example: {},
  },
  licence_reacceptance_required: {
    why: 'The Data Licence has a new version and the time to accept it is over.',
    next: ['The owner of the account accepts the current version. Calls work again at once.'],
    fields: {},
    example: {},
  },
  email_not_verified: {
    why: 'Creating a key and topping up need a confirmed email. API calls never get this code.',
    next: ['Open the link in the email we sent, or have a new one sent.'],
    fields: {},
    example: {},
  },
  webhooks_not_enabled: {
    why: 'Webhooks are switched on for one account at a time. API calls never get this code.',
    next: ['Ask us to switch webhooks on for your account.'],
    fields: {},
    example: {},
  },
  sample_data_unavailable: {
    why: 'Test keys read the sample dataset, and there are no sample rows for this endpoint.',
    next: ['Use a live key for this endpoint.'],
    fields: {},
    example: {},
  },
  endpoint_restricted: {
    why: 'The endpoint is open to test keys only for now.',
    next: ['Use a test key: it gets sample data in the shape that live data will have.', 'The price list says which endpoints live keys can call.'],
    fields: {},
    example: {},
  },
  plan_upgrade_required: {
    why: 'The endpoint is part of a higher plan than that of the account.',
    next: ['Move to the plan named in `requiredPlan`, or leave the call out.', 'Test keys can call the endpoint on any plan.'],
    fields: { requiredPlan: 'The least plan that may call it: `hobby`, `business` or `enterprise`.' },
    example: { requiredPlan: 'enterprise' },
  },
  not_found: {
    why: 'The path is unknown, the method does not fit it, the product or provider does not exist, or the endpoint is announced and not launched.',
    next: [
      'Read the message: it offers the nearest path, product or provider, and says where all of them are listed.',
      'A header `Allow` in the answer names the method that the path takes.',
      'Take product keys from `/reference/products` and provider slugs from `/reference/providers`. Withdrawn products are not served.',
    ],
    fields: {},
    example: {},
  },
  replay_unavailable: {
    why: 'A replay gets the answer that was paid for and never newer data for free. The answer is stored for a short time only, and here the data changed after the first call. The header `ETag` is the tag of the answer that was paid for.',
    next: [
      'Compare `ETag` with the answers you have: you may have received it already.',
      'Send the call with a new `Idempotency-Key` to buy the current data.',
      'If the first answer never arrived, quote its `requestId` or the time of the call to support.',
    ],
    fields: {},
    example: {},
  },
  rate_limited: {
    why: 'The key used up its requests for this UTC minute, or the account its live requests for this UTC day. A call that is refused is not counted and does not make the wait longer.',
    next: [
      'Wait for the seconds in `retryAfter`, which are also in the header `Retry-After`.',
      '`X-RateLimit-Remaining` and `X-RateLimit-Reset` are on every answer: slow down before the limit.',
    ],
    fields: { retryAfter: 'Seconds to wait, a whole number.' },
    example: { retryAfter: 12 },
  },
  internal_error: {
    why: 'Something failed on our side, or the database did not answer in time.',
    next: [
      'Try again shortly. With an `Idempotency-Key` a second try never pays twice.',
      'If it goes on, quote the `requestId` to support: it leads straight to the log of the failure.',
    ],
    fields: {},
    example: {},
  },
}
