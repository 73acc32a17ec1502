import { wait } from './retry.ts'

/** The same as in package.json. */
export const version = '0.1.0'

export type ClientOptions = {
  /** A test key (`svc_test_…`) or a live key (`svc_live_…`). */
  readonly apiKey: string
  /** Root of the API, with its version. Default: `http://localhost:3000/v1`, where `npm start` serves it. */
  readonly baseUrl?: string | undefined
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch | undefined
  /** How long one attempt may take. Default: 10,000. */
  readonly timeoutMs?: number | undefined
  /** How long a call may take with all its attempts and pauses. Default: 90,000, so that a full minute can be waited for; at most 540,000. */
  readonly deadlineMs?: number | undefined
  /** Attempts after the first. Default: 2; at most 10. */
  readonly maxRetries?: number | undefined
  /** Most credits that a call, or a walk over pages, may cost unless it says otherwise. Default: no ceiling. */
  readonly maxCredits?: number | undefined
  /** How pauses are waited for. For tests. */
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

/** The service remembers the key of a charged call for ten minutes: whoever tries again later might pay twice. */
const longestDeadlineMs = 540_000
const mostRetries = 10
const mostCredits = 999_999_999

/** @throws RangeError when it is not a whole number within the bounds */
export function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new RangeError(`${name} has to be a whole number from ${least} to ${most}.`)
}

export const checked = {
  timeoutMs: (value: number) => whole('timeoutMs', value, 1, longestDeadlineMs),
  deadlineMs: (value: number) => whole('deadlineMs', value, 1, longestDeadlineMs),
  maxRetries: (value: number) => whole('maxRetries', value, 0, mostRetries),
  maxCredits: (value: number) => whole('maxCredits', value, 0, mostCredits),
}

/** @throws TypeError or RangeError that names the option */
export function readSettings({ apiKey, baseUrl = 'http://localhost:3000/v1', maxCredits, ...options }: ClientOptions): Settings {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('apiKey has to be the text of a key, without spaces.')
  if (!/^https?:$/.test(new URL(baseUrl).protocol)) throw new TypeError('baseUrl has to begin with https:// or http://.')
  return {
    apiKey,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    // Some platforms refuse a fetch that is called as the method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: checked.timeoutMs(options.timeoutMs ?? 10_000),
    deadlineMs: checked.deadlineMs(options.deadlineMs ?? 90_000),
    maxRetries: checked.maxRetries(options.maxRetries ?? 2),
    maxCredits: maxCredits === undefined ? null : checked.maxCredits(maxCredits),
    wait: options.wait ?? wait,
  }
}
