/**
 * Rules that require bounds on strings, lists and numbers. They are applied only to requests, not to responses and events: bounds there would commit v1 to
 * limits on provider names and growing records, and requiring a number format would make generators use BigInt for small counts.
 */
export const rulesForInput = [
  'owasp:api4:2023-array-limit',
  'owasp:api4:2023-integer-format',
  'owasp:api4:2023-integer-limit',
  'owasp:api4:2023-string-limit',
  'owasp:api4:2023-string-restricted',
] as const

export type Exception = { readonly rule: string; readonly at: RegExp; readonly reason: string }

/** Accepted findings, each with its location and the reason. The rules of Redocly and Spectral need no exceptions. */
export const exceptions: readonly Exception[] = [
  {
    rule: 'owasp:api4:2023-integer-limit',
    at: /\/parameters\/limit\/schema$/,
    reason: 'Values above 50 are reduced, not rejected, so a maximum would make clients reject valid requests.',
  },
  {
    rule: 'owasp:api4:2023-integer-format',
    at: /\/parameters\/limit\/schema$/,
    reason: 'The format would depend on the maximum, and `limit` has none.',
  },
  {
    rule: 'owasp:api4:2023-string-restricted',
    at: /\/parameters\/(sourceKey|provider|slug)\/schema$/,
    reason: 'Keys and slugs are looked up, not parsed. Their alphabet comes from the feeds and may grow; their length is bounded.',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    at: /\/parameters\/(asOf|currency|day|from|to)\/schema$/,
    reason: 'Currencies and dates: the pattern or format implies the length.',
  },
  {
    rule: 'owasp:api4:2023-rate-limit',
    at: /\/responses\/\d+\/headers$/,
    reason: 'The rule requires exactly one kind of rate limit header. The specification requires X-RateLimit-*, and RateLimit adds both windows.',
  },
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    at: /\/headers$/,
    reason: 'API responses deliberately allow no origin: keys must not be used in public web pages.',
  },
]
