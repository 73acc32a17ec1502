import type { Tag } from './call-options.ts'

/** Body of every response with data. Its content depends on the endpoint. */
export type Envelope = { readonly data: unknown; readonly meta: object }

/** Rate limit window: the UTC minute, or the UTC day once the daily limit is reached. */
export type RateLimit = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number }

export type AnswerDetails = {
  /** ID of the request. Quote it when you contact support. */
  readonly requestId: string
  /** Credits charged for this request. 0 for a retry whose first attempt was charged, for a 304 and for test keys. */
  readonly creditsCharged: number
  readonly creditsBalance: number
  /** True if an earlier attempt at this call was charged but its response was lost. This attempt is free. */
  readonly isReplay: boolean
  /** ETag of the response. Pass it as `ifNoneMatch` to get a free 304 if nothing has changed. */
  readonly etag: string | null
  readonly rateLimit: RateLimit | null
}

export type Answer<Body extends Envelope> = AnswerDetails & { readonly status: 200; readonly data: Body['data']; readonly meta: Body['meta'] }

/** Response to a call with an ETag if nothing has changed since. It has no data and is free. */
export type Unchanged = AnswerDetails & { readonly status: 304; readonly data: null; readonly meta: null }

/** Only calls with an ETag can return 304. */
export type IfUnchanged<T extends Tag> = T extends string ? Unchanged : never

/** Parses an integer header. Returns null if the header is malformed or missing, for example because a proxy dropped it. */
function readInteger(headers: Headers, name: string): number | null {
  const text = headers.get(name)
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null
}

function readRateLimit(headers: Headers): RateLimit | null {
  const [limit, remaining, resetSeconds] = ['Limit', 'Remaining', 'Reset'].map((name) => readInteger(headers, `X-RateLimit-${name}`))
  return typeof limit === 'number' && typeof remaining === 'number' && typeof resetSeconds === 'number' ? { limit, remaining, resetSeconds } : null
}

export function getAnswerDetails(headers: Headers): AnswerDetails {
  return {
    requestId: headers.get('X-SVC-Request-Id') ?? '',
    creditsCharged: readInteger(headers, 'X-SVC-Credits-Charged') ?? 0,
    creditsBalance: readInteger(headers, 'X-SVC-Credits-Balance') ?? 0,
    isReplay: headers.get('X-SVC-Idempotent-Replay') === 'true',
    etag: headers.get('ETag'),
    rateLimit: readRateLimit(headers),
  }
}
