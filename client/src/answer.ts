import type { Tag } from './call-options.ts'

/** Every answer with data has this form; what is in it depends on the endpoint. */
export type Envelope = { readonly data: unknown; readonly meta: object }

/** The window that is told: the UTC minute, or the UTC day once that is used up. */
export type RateLimit = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number }

export type AnswerFacts = {
  /** To quote to support. */
  readonly requestId: string
  /** Credits that this request took. 0 for a retry that found its first attempt paid, a 304 and everything that a test key does. */
  readonly creditsCharged: number
  readonly creditsBalance: number
  /** Whether an earlier attempt of this very call was charged and its answer lost: then this one is free. */
  readonly isReplay: boolean
  /** Send it as `ifNoneMatch` to be told for free that nothing changed. */
  readonly etag: string | null
  readonly rateLimit: RateLimit | null
}

export type Answer<Body extends Envelope> = AnswerFacts & { readonly status: 200; readonly data: Body['data']; readonly meta: Body['meta'] }

/** Nothing changed since the answer with the tag that was sent: nothing is sent again, and nothing is charged. */
export type Unchanged = AnswerFacts & { readonly status: 304; readonly data: null; readonly meta: null }

/** Only a call with a tag can be told that nothing changed. */
export type IfUnchanged<T extends Tag> = T extends string ? Unchanged : never

/** A whole number of a header; null when it is not there, as behind a proxy that drops what it does not know. */
function count(headers: Headers, name: string): number | null {
  const text = headers.get(name)
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null
}

function rateLimitOf(headers: Headers): RateLimit | null {
  const [limit, remaining, resetSeconds] = ['Limit', 'Remaining', 'Reset'].map((name) => count(headers, `X-RateLimit-${name}`))
  return typeof limit === 'number' && typeof remaining === 'number' && typeof resetSeconds === 'number' ? { limit, remaining, resetSeconds } : null
}

/** What the headers of an answer tell. */
export function factsOf(headers: Headers): AnswerFacts {
  return {
    requestId: headers.get('X-SVC-Request-Id') ?? '',
    creditsCharged: count(headers, 'X-SVC-Credits-Charged') ?? 0,
    creditsBalance: count(headers, 'X-SVC-Credits-Balance') ?? 0,
    isReplay: headers.get('X-SVC-Idempotent-Replay') === 'true',
    etag: headers.get('ETag'),
    rateLimit: rateLimitOf(headers),
  }
}
