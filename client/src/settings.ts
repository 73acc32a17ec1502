import { wait } from './retry.ts'

/** Must match package.json. */
export const version = '0.1.0'

export type ClientOptions = {
  /** Test key (`svc_test_…`) or live key (`svc_live_…`). */
  readonly apiKey: string
  /** Base URL of the API, including the version. Default: `http://localhost:3000/v1`, where `npm start` serves it. */
  readonly baseUrl?: string | undefined
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** Timeout per attempt. Default: 10,000. */
  readonly timeoutMs?: number | undefined
  /** Time limit for a call including retries and pauses. Default: 90,000, which allows waiting for the next minute; maximum 540,000. */
  readonly deadlineMs?: number | undefined
  /** Retries after the first attempt. Default: 2; maximum 10. */
  readonly maxRetries?: number | undefined
  /** Default limit in credits for a call or an iteration. Default: no limit. */
  readonly maxCredits?: number | undefined
  /** Replaces the pause between attempts, for tests. */
  readonly wait?: typeof wait | undefined
}

export type Settings = {
  readonly apiKey: string
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly maxRetries: number
  readonly maxCredits: number | null
  readonly wait: typeof wait
}

/** The service remembers the idempotency key of a charged call for ten minutes. A later retry could be charged again. */
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

/** @throws TypeError or RangeError naming the invalid option */
export function readSettings({ apiKey, baseUrl = 'http://localhost:3000/v1', maxCredits, ...options }: ClientOptions): Settings {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('apiKey must be an API key without spaces.')
  if (!/^https?:$/.test(new URL(baseUrl).protocol)) throw new TypeError('baseUrl must start with https:// or http://.')
  return {
    apiKey,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    // Some platforms reject a fetch called as a method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: checked.timeoutMs(options.timeoutMs ?? 10_000),
    deadlineMs: checked.deadlineMs(options.deadlineMs ?? 90_000),
    maxRetries: checked.maxRetries(options.maxRetries ?? 2),
    maxCredits: maxCredits === undefined ? null : checked.maxCredits(maxCredits),
    wait: options.wait ?? wait,
  }
}
