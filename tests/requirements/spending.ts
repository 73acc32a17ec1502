import type { Requirement } from './requirement.ts'

/** Charging and spending rules for calls, beyond those in the specification. */
export const spending = {
  'spending/zero-rows-cost-zero': { source: 'DECISIONS 6', behaviour: 'A list without rows is free if the balance covers at least one row.' },
  'spending/limit-reduced-is-row-count': { source: 'DECISIONS 6', behaviour: 'X-SVC-Limit-Reduced is the reduced number of rows.' },
  'spending/cursor-continues-after-cut': {
    source: 'DECISIONS 6',
    behaviour: 'The cursor of a cut page continues with the first row that was cut off.',
  },
  'spending/304-at-balance-0': { source: 'DECISIONS 7', behaviour: 'A request that returns 304 succeeds at a balance of 0.' },
  'spending/304-counts-as-request': { source: 'DECISIONS 7', behaviour: 'A 304 counts towards the limits.' },
  'spending/idempotent-replay-free': {
    source: 'DECISIONS 21',
    behaviour: 'The same Idempotency-Key on the same request within 10 minutes returns the response again for 0 credits.',
  },
  'spending/idempotent-replay-same-page': {
    source: 'DECISIONS 21',
    behaviour: 'A replay returns the paid page, even after the data has changed.',
  },
  'spending/idempotent-replay-unavailable': {
    source: 'DECISIONS 21',
    behaviour: 'If the data has changed and the paid page is no longer stored, a replay returns 409 replay_unavailable with the ETag of that page.',
  },
  'spending/idempotent-replay-header': {
    source: 'DECISIONS 21',
    behaviour: 'A replayed response has the header X-SVC-Idempotent-Replay: true.',
  },
  'spending/idempotent-replay-ends': { source: 'DECISIONS 21', behaviour: 'A request with the same Idempotency-Key after 10 minutes is charged again.' },
  'spending/idempotent-conflict-400': {
    source: 'DECISIONS 21',
    behaviour: 'The same Idempotency-Key on a different request returns 400 invalid_request.',
  },
  'spending/max-credits-cuts-list': {
    source: 'DECISIONS 22',
    behaviour: 'X-SVC-Max-Credits: n cuts a list to the rows that n credits cover.',
  },
  'spending/max-credits-fixed-price-402': {
    source: 'DECISIONS 22',
    behaviour: 'X-SVC-Max-Credits below a fixed price returns 402 insufficient_credits with required.',
  },
  'spending/expired-key-refused': { source: 'DECISIONS 23', behaviour: 'A key works until its expiry and is rejected afterwards.' },
  'spending/spend-cap': { source: 'DECISIONS 23', behaviour: 'A key with a spend cap cannot spend more than the cap in a calendar month.' },
  'spending/spend-cap-renews-monthly': { source: 'DECISIONS 23', behaviour: 'A spend cap resets in the next calendar month.' },
  'spending/spend-cap-exact-under-load': { source: 'DECISIONS 23', behaviour: 'Concurrent calls of a key never exceed its spend cap.' },
  'spending/spend-cap-reason': { source: 'DECISIONS 31', behaviour: 'A call over a spend cap gets 402 insufficient_credits with reason spend_cap.' },
  'spending/account-cap': {
    source: 'DECISIONS 31',
    behaviour:
      'The live keys of an account never spend more than its cap in a calendar month; further calls return 402 insufficient_credits with reason spend_cap.',
  },
  'spending/expired-key-reason': { source: 'DECISIONS 31', behaviour: 'An expired key gets 403 key_revoked with reason expired.' },
} as const satisfies Record<string, Requirement>
