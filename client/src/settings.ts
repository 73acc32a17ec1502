import type { SavingsRatesError } from './savings-rates-error.ts'

/** Statuses of a busy or failed service or proxy. With any other status, a retry would give the same result. */
const retryableStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

const firstPauseMs = 250
const maxPauseMs = 8_000
/** Maximum jitter, so that clients given the same delay don't all retry in the same second. */
const jitterMs = 1_000

/** Parses Retry-After in seconds or as an HTTP date. Returns seconds, or null if the header is missing or invalid. */
export function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | null {
  const text = headers.get('Retry-After')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = /^[A-Z]/i.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return null
  // Uses the server's clock if it is known, to allow for clock skew.
  const sent = Date.parse(headers.get('Date') ?? '')
  return Math.max(0, Math.ceil((at - (Number.isNaN(sent) ? now : sent)) / 1_000))
}

/**
 * Returns the delay before the next attempt in milliseconds, or null if a retry is pointless. Never shorter than Retry-After. Without it, delays grow
 * exponentially, and half of each delay is random.
 */
export function pauseBefore(
  { code, status, retryAfterSeconds: asked }: SavingsRatesError,
  attempts: number,
  random: () => number = Math.random,
): number | null {
  const isRetryable = status === null ? code === 'network_error' || code === 'timeout' : retryableStatuses.has(status)
  if (!isRetryable) return null
  if (asked !== null) return asked * 1_000 + random() * jitterMs
  const pause = Math.min(maxPauseMs, firstPauseMs * 2 ** (attempts - 1))
  return pause / 2 + (random() * pause) / 2
}

/** Waits for `ms` milliseconds. Rejects with the signal's abort reason if the signal is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}

/** Version of this package, the same as in package.json. */
export const version = '0.2.0'

/** URL at which `npm start` serves the API. Replaced by the public URL when the package is built for publishing. */
const defaultBaseUrl = 'http://localhost:3000/v1'

export type ClientOptions = {
  /** Test key (`svc_test_…`) or live key (`svc_live_…`). Null if a proxy adds the key, which keeps it out of the browser. */
  readonly apiKey: string | null
  /** Base URL of the API, including the version. In a browser, it can be a path on the site of the page, such as `/savings/v1`. */
  readonly baseUrl?: string | undefined
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** Timeout per attempt, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined
  /**
   * Time limit for a call, including retries and pauses, in milliseconds. Default: 90,000, enough to wait for the next one-minute rate limit window; maximum
   * 540,000.
   */
  readonly deadlineMs?: number | undefined
  /** Retries after the first attempt. Default: 2; maximum 10. */
  readonly maxRetries?: number | undefined
  /** Maximum credits for a call or an iteration that doesn't set its own limit. Default: no limit. */
  readonly maxCredits?: number | undefined
  /** Allows live keys over plain HTTP, for a gateway on a private network. Calls to this machine are always allowed. Default: false. */
  readonly allowHttp?: boolean | undefined
  /** Replaces the pause between attempts, for tests. */
  readonly wait?: typeof wait | undefined
}

export type Settings = {
  readonly apiKey: string | null
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly maxRetries: number
  readonly maxCredits: number | null
  readonly wait: typeof wait
}

/** Nine minutes: the service remembers the idempotency key of a charged call for ten minutes, and a later retry could be charged again. */
const maxDeadlineMs = 540_000
const maxRetryCount = 10
const maxCreditLimit = 999_999_999

/** @throws RangeError if the value is not an integer within the bounds */
export function whole(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new RangeError(`${name} must be a whole number from ${min} to ${max}.`)
}

export const checked = {
  timeoutMs: (value: number) => whole('timeoutMs', value, 1, maxDeadlineMs),
  deadlineMs: (value: number) => whole('deadlineMs', value, 1, maxDeadlineMs),
  maxRetries: (value: number) => whole('maxRetries', value, 0, maxRetryCount),
  maxCredits: (value: number) => whole('maxCredits', value, 0, maxCreditLimit),
}

/** Matches the names and addresses of this machine, as URLs contain them. */
const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns the base URL without a trailing slash. In a browser, paths are resolved against the page.
 * @throws TypeError if it is not an HTTP URL, or if it would send a live key over plain HTTP
 */
function readBaseUrl(baseUrl: string, apiKey: string | null, allowHttp: boolean): string {
  const page = typeof location === 'undefined' ? undefined : location.href
  if (!URL.canParse(baseUrl, page)) throw new TypeError('baseUrl must be a URL. In a browser, it can also be a path.')
  const url = new URL(baseUrl, page)
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must start with https:// or http://.')
  if (url.protocol === 'http:' && apiKey?.startsWith('svc_live_') && !allowHttp && !loopback.test(url.hostname))
    throw new TypeError(
      'Live keys are only sent over https://, because anyone on the path can read plain HTTP. On a private network, set allowHttp to true (command line: SVC_ALLOW_HTTP=1).',
    )
  return url.href.replace(/\/+$/, '')
}

/** @throws TypeError or RangeError naming the invalid option */
export function readSettings({ apiKey, baseUrl = defaultBaseUrl, maxCredits, ...options }: ClientOptions): Settings {
  if (apiKey !== null && (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))) throw new TypeError('apiKey must be an API key without spaces.')
  return {
    apiKey,
    baseUrl: readBaseUrl(baseUrl, apiKey, options.allowHttp === true),
    // Some platforms reject `fetch` if it is called as a method of any object except the global one.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: checked.timeoutMs(options.timeoutMs ?? 10_000),
    deadlineMs: checked.deadlineMs(options.deadlineMs ?? 90_000),
    maxRetries: checked.maxRetries(options.maxRetries ?? 2),
    maxCredits: maxCredits === undefined ? null : checked.maxCredits(maxCredits),
    wait: options.wait ?? wait,
  }
}
