import type { z } from 'zod'
import { wholeNumber } from '#server/api/contract/whole-number.ts'

/** Limits of the listener. `docs/operations.md` documents each under "Limits of the listener". Times are in milliseconds. */
export type ListenerLimits = {
  /** Maximum size of the path and the headers together, in bytes. */
  readonly headBytes: number
  readonly pathLength: number
  /** Maximum number of headers of one request. */
  readonly headerCount: number
  readonly bodyBytes: number
  /** Maximum time from the first byte of a request to the end of its headers. */
  readonly headersMs: number
  /** Maximum time from the first byte of a request to the end of its body. */
  readonly requestMs: number
  /** Maximum time that a connection may be idle. */
  readonly keepAliveMs: number
  /** Maximum time that a client may go without reading any part of a pending response. */
  readonly stalledMs: number
  /** Interval between checks of these time limits. Each limit may be exceeded by up to this much. */
  readonly checkEveryMs: number
  /** Grace period during which bytes from a rejected sender are accepted and ignored, so that the sender can read the error response. */
  readonly lingerMs: number
  /** Delay before a response to a sender over its limit, so that a few connections cannot keep the process busy. */
  readonly overLimitDelayMs: number
  /** Maximum number of concurrent requests on one connection. */
  readonly atOnce: number
  /** Maximum number of open connections. */
  readonly connections: number
  /** Maximum number of open connections per network, except for trusted proxies; null if there is no limit. */
  readonly connectionsOfOne: number | null
}

/** Limits that every process uses. Excludes the connection limits, which are settings. */
export const usualLimits = {
  headBytes: 16_384,
  pathLength: 8_192,
  headerCount: 100,
  bodyBytes: 1_048_576,
  headersMs: 15_000,
  requestMs: 60_000,
  keepAliveMs: 65_000,
  stalledMs: 60_000,
  checkEveryMs: 2_000,
  lingerMs: 1_000,
  overLimitDelayMs: 500,
  atOnce: 64,
} as const satisfies Partial<ListenerLimits>

const count = (what: string) => wholeNumber(0, 9_999_999, `must be a whole number of ${what}`)

/** Environment variables for the limits on connections and pages. */
export const listenerVariables = {
  MAX_CONNECTIONS: count('connections, such as 16000')
    .refine((number) => number > 0, 'must be above 0')
    .default(16_000),
  // Households and offices have far fewer; trusted proxies are exempt.
  MAX_CONNECTIONS_PER_ADDRESS: count('connections, such as 1000').default(1_000),
  PAGES_PER_MINUTE: count('pages a minute, such as 600').default(600),
} as const

/** Returns the limits on connections and pages. A setting of 0 means no limit, except for MAX_CONNECTIONS, which must be above 0. */
export const getConnectionEnv = (v: z.infer<z.ZodObject<typeof listenerVariables>>) => ({
  connections: v.MAX_CONNECTIONS,
  connectionsOfOne: v.MAX_CONNECTIONS_PER_ADDRESS || null,
  /** Maximum number of pages and portal calls per minute for one network; null: no limit. */
  pagesPerMinute: v.PAGES_PER_MINUTE || null,
})

export type ConnectionEnv = ReturnType<typeof getConnectionEnv>
