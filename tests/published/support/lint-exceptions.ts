/**
 * Rules that guard a service against what callers send: they bound texts, lists and numbers. They are run on all of the document but answers and events. There a
 * bound would be a promise of v1 about names that providers choose and about records that grow, and a format for every number would make generators use
 * BigInt for counts that fit into any number.
 */
export const rulesForInput = [
  'owasp:api4:2023-array-limit',
  'owasp:api4:2023-integer-format',
  'owasp:api4:2023-integer-limit',
  'owasp:api4:2023-string-limit',
  'owasp:api4:2023-string-restricted',
] as const

export type Exception = { readonly rule: string; readonly at: RegExp; readonly reason: string }

/** Findings that stand, each with the place and the reason. The rules of Redocly and those of Spectral itself need none. */
export const exceptions: readonly Exception[] = [
  {
    rule: 'owasp:api4:2023-integer-limit',
    at: /\/parameters\/limit\/schema$/,
    reason: 'It is cut to 50 and never refused for being large, so a maximum would tell clients to refuse what the service takes.',
  },
  {
    rule: 'owasp:api4:2023-integer-format',
    at: /\/parameters\/limit\/schema$/,
    reason: 'It has no maximum to choose a format by.',
  },
  {
    rule: 'owasp:api4:2023-string-restricted',
    at: /\/parameters\/(sourceKey|provider|slug)\/schema$/,
    reason: 'Keys and slugs are looked up, not parsed: their alphabet is that of the feeds and may grow. Their length is bounded.',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    at: /\/parameters\/(currency|from|to)\/schema$/,
    reason: 'Currencies and days: the pattern of the one and the format of the other leave a single length.',
  },
  {
    rule: 'owasp:api4:2023-rate-limit',
    at: /\/responses\/\d+\/headers$/,
    reason: 'The rule wants exactly one family of limit headers. The specification asks for X-RateLimit-*, and RateLimit carries both windows beside it.',
  },
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    at: /\/headers$/,
    reason: 'No answer of the API allows an origin, on purpose: a key does not belong into a page that anybody can read.',
  },
]
