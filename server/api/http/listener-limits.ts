import { z } from 'zod'

/** What the listener holds its callers to. `docs/operations.md` tells of each under "Limits of the listener". Times are in milliseconds. */
export type ListenerLimits = {
  /** Bytes of path and headers together. */
  readonly headBytes: number
  readonly pathLength: number
  /** Headers of one request. */
  readonly headerCount: number
  readonly bodyBytes: number
  /** From the first byte of a connection, or of its next request, to the end of the headers. */
  readonly headersMs: number
  /** The same to the end of the body. */
  readonly requestMs: number
  /** How long a connection may be without a request. */
  readonly keepAliveMs: number
  /** How long nothing of an answer may be taken by its reader. */
  readonly stalledMs: number
  /** How often the times are looked at: each may last so much longer. */
  readonly checkEveryMs: number
  /** How long what a refused sender still sends is let through unread, so that it can read why. */
  readonly lingerMs: number
  /** How long an answer to a sender over its limit waits, so that a few connections cannot keep the process busy. */
  readonly overLimitDelayMs: number
  /** Requests of one connection that are answered at the same time. */
  readonly atOnce: number
  /** Open connections, and those of one network address other than a trusted proxy; null: as many as there are. */
  readonly connections: number
  readonly connectionsOfOne: number | null
}

/** The limits of every process but for the numbers of connections, which are settings. */
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

const wholeNumber = (of: string) =>
  z
    .string()
    .regex(/^\d{1,7}$/, `must be a whole number of ${of}`)
    .transform(Number)

/** The variables of the environment that say how many may be connected, and how many pages one of them may ask for. */
export const listenerVariables = {
  MAX_CONNECTIONS: wholeNumber('connections, such as 16000')
    .refine((number) => number > 0, 'must be above 0')
    .default(16_000),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber('connections, such as 1000').optional(),
  PAGES_PER_MINUTE: wholeNumber('pages a minute, such as 600').default(600),
} as const

const Variables = z.object(listenerVariables)

/** Default number of connections of one address. A household or an office has far fewer; trusted proxies are not counted. */
const usualOfOne = 1_000

export type ConnectionEnv = Pick<ListenerLimits, 'connections' | 'connectionsOfOne'> & {
  /** Pages and portal calls a minute for one network; null: no limit. */
  readonly pagesPerMinute: number | null
}

/** Returns the limits on connections and pages. 0: no limit. */
export function connectionEnvOf(values: z.infer<typeof Variables>): ConnectionEnv {
  const { MAX_CONNECTIONS: connections, MAX_CONNECTIONS_PER_ADDRESS: given = usualOfOne } = values
  const pagesPerMinute = values.PAGES_PER_MINUTE === 0 ? null : values.PAGES_PER_MINUTE
  return { connections, connectionsOfOne: given === 0 ? null : given, pagesPerMinute }
}
