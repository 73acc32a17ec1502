import type { z } from 'zod'
import { wholeNumber } from '#server/api/contract/whole-number.ts'

/**
 * Limits that every process uses. Excludes the connection limits, which are settings. `docs/operations.md` documents each under "Limits of the listener".
 * Times are in milliseconds.
 */
export const usualLimits = {
  /** Maximum size of the path and the headers together, in bytes. */
  headBytes: 16_384,
  pathLength: 8_192,
  /** Maximum number of headers of one request. */
  headerCount: 100,
  bodyBytes: 1_048_576,
  /** Maximum time from the first byte of a request to the end of its headers. */
  headersMs: 15_000,
  /** Maximum time from the first byte of a request to the end of its body. */
  requestMs: 60_000,
  /** Maximum time that a connection may be idle. */
  keepAliveMs: 65_000,
  /** Maximum time that a client may go without reading any part of a pending response. */
  stalledMs: 60_000,
  /** Interval between checks of these time limits. Each limit may be exceeded by up to this much. */
  checkEveryMs: 2_000,
  /** Grace period during which bytes from a rejected sender are accepted and ignored, so that the sender can read the error response. */
  lingerMs: 1_000,
  /** Delay before a response to a sender over its limit, so that a few connections cannot keep the process busy. */
  overLimitDelayMs: 500,
  /** Maximum number of concurrent requests on one connection. */
  atOnce: 64,
} as const

const count = (what: string) => wholeNumber(0, 9_999_999, `must be a whole number of ${what}`)

/** Environment variables for the limits on connections and pages. */
export const listenerVariables = {
  MAX_CONNECTIONS: count('connections, such as 16000')
    .refine((number) => number > 0, 'must be above 0')
    .default(16_000),
  // Households and offices open far fewer connections than this. Trusted proxies are exempt.
  MAX_CONNECTIONS_PER_ADDRESS: count('connections, such as 1000').default(1_000),
  PAGES_PER_MINUTE: count('pages a minute, such as 600').default(600),
} as const

/** Returns the limits on connections and pages. A setting of 0 means no limit, except for MAX_CONNECTIONS, which must be above 0. */
export const getConnectionEnv = (v: z.infer<z.ZodObject<typeof listenerVariables>>) => ({
  /** Maximum number of open connections. */
  connections: v.MAX_CONNECTIONS,
  /** Maximum number of open connections per network, except for trusted proxies; null if there is no limit. */
  connectionsOfOne: v.MAX_CONNECTIONS_PER_ADDRESS || null,
  /** Maximum number of pages and portal calls per minute for one network; null if there is no limit. */
  pagesPerMinute: v.PAGES_PER_MINUTE || null,
})

export type ConnectionEnv = ReturnType<typeof getConnectionEnv>

/** Limits of the listener. */
export type ListenerLimits = Readonly<Record<keyof typeof usualLimits, number>> & Readonly<Pick<ConnectionEnv, 'connections' | 'connectionsOfOne'>>
