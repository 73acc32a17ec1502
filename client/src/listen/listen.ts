import type { SavingsRates } from '../savings-rates.ts'
import { SavingsRatesError } from '../savings-rates-error.ts'
import { wait, whole } from '../settings.ts'
import type { Body } from '../shapes.ts'
import { EventFeed } from './event-feed.ts'
import { type Forwarded, type ForwardedEvent, type ForwardTarget, forwardEvent, newSecret, randomText } from './forward.ts'

type Account = Body<'serviceMe'>['data']

/** Session of `listen`. */
export type ListenSession = {
  /** Secret that signs the forwarded events. Verify them with it, as with the secret of an endpoint. */
  readonly secret: string
  readonly mode: 'test' | 'live'
  readonly everySeconds: number
}

/**
 * Problem that doesn't end `listen`: the service can't be reached, a limit is reached, or more events arrived than can be read at a time. Also reported before
 * `listen` ends because little quota is left.
 */
export type ListenProblem = { readonly message: string; readonly waitMs: number }

export type ListenOptions = {
  /** URL of your server, such as `http://localhost:4000/hook`. */
  readonly forward: string
  /** Signing secret. Default: a new one for this session. */
  readonly secret?: string | undefined
  /** ID of a webhook endpoint (`whe_…`), to forward only what is sent to it. Default: every endpoint of the key's mode. */
  readonly webhook?: string | undefined
  /** Number of earlier events to forward first, at most 50. Default: 0. */
  readonly last?: number | undefined
  /** Event types to forward an example of first, or `all` for every type. */
  readonly samples?: readonly string[] | undefined
  /**
   * Seconds between reads, 1 to 3,600. Default: 10 with a test key. With a live key, the interval that uses a quarter of the account's daily quota: 381 on
   * Hobby, 20 on Business, 10 on Enterprise. Reads count towards the limits of the key.
   */
  readonly everySeconds?: number | undefined
  /** Ends listening. */
  readonly signal?: AbortSignal | undefined
  readonly onReady?: ((session: ListenSession) => void | Promise<void>) | undefined
  readonly onForward?: ((result: Forwarded) => void | Promise<void>) | undefined
  readonly onProblem?: ((problem: ListenProblem) => void | Promise<void>) | undefined
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** Replaces the pauses, for tests. */
  readonly wait?: typeof wait | undefined
}

/** Shortest and longest default pause. A test key may make 10 calls a minute. */
const [minDefaultSeconds, maxSeconds] = [10, 3_600]
/** Number of reads between checks of the daily quota. */
const readsPerCheck = 10
/** Shares of the daily quota: used for reading by default, and always left for other programs. */
const [usedShare, reservedShare] = [0.25, 0.05]
/** Calls a day at one read per second, including quota checks. */
const callsPerDay = 86_400 * (1 + 1 / readsPerCheck)
const [firstPauseMs, maxPauseMs] = [1_000, 30_000]
/** Listening ends if the service can't be reached for this long. */
const maxOutageMs = 3_600_000

const isTemporary = ({ status }: SavingsRatesError): boolean => status === null || status === 429 || status >= 500

function readUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw new TypeError('forward must be a URL such as http://localhost:4000/hook.')
  const { username, password, href } = new URL(text)
  if (username !== '' || password !== '') throw new TypeError('forward must not contain a user name or password.')
  return href
}

/** Pauses after failed reads, longer each time. If the limit of the key is reached, pauses until it resets, which doesn't count as an outage. */
class Outage {
  readonly #onProblem: ListenOptions['onProblem']
  #failures = 0
  #totalMs = 0

  constructor(onProblem: ListenOptions['onProblem']) {
    this.#onProblem = onProblem
  }

  end(): void {
    this.#failures = 0
    this.#totalMs = 0
  }

  /** Returns the pause before the next read. @throws the error if another read is pointless, or too many have failed */
  async pauseAfter(error: unknown): Promise<number> {
    if (!(error instanceof SavingsRatesError && isTemporary(error))) throw error
    const backOffMs = Math.min(maxPauseMs, firstPauseMs * 2 ** this.#failures++)
    const waitMs = Math.max(backOffMs, (error.retryAfterSeconds ?? 0) * 1_000)
    if (error.status !== 429) this.#totalMs += waitMs
    if (this.#totalMs > maxOutageMs) throw error
    await this.#onProblem?.({ message: error.message, waitMs })
    return waitMs
  }
}

/** Returns an example of each given event type. @throws TypeError for an unknown type */
async function readSamples(client: SavingsRates, types: readonly string[], signal: AbortSignal): Promise<ForwardedEvent[]> {
  if (types.length === 0) return []
  const { data } = await client.webhooksSamples({}, { signal })
  const known = data.map(({ type }) => type as string)
  const unknown = types.find((type) => type !== 'all' && !known.includes(type))
  if (unknown !== undefined) throw new TypeError(`There is no event type "${unknown}". Types: ${known.join(', ')}.`)
  const createdAt = new Date().toISOString()
  return data
    .filter(({ type }) => types.includes('all') || types.includes(type))
    .map((sample) => ({ ...sample, id: `evt_test_${randomText(16)}`, createdAt, delivery: `dlv_${randomText(16)}` }))
}

/** Returns the pause between reads, which leaves most of the account's daily quota to other programs. */
function getDefaultSeconds({ rateLimits: { perDay } }: Account): number {
  if (perDay === null) return minDefaultSeconds
  return Math.min(maxSeconds, Math.max(minDefaultSeconds, Math.ceil(callsPerDay / (perDay * usedShare))))
}

/** Returns true if little of the account's daily quota is left. Test keys have no daily quota. */
const isQuotaLow = ({ usage, rateLimits }: Account): boolean =>
  usage.remainingToday !== null && rateLimits.perDay !== null && usage.remainingToday <= rateLimits.perDay * reservedShare

/** Reports that listening stopped because of the daily quota. */
async function reportQuota({ usage, rateLimits }: Account, onProblem: ListenOptions['onProblem']): Promise<void> {
  const left = `Only ${usage.remainingToday} of the account's ${rateLimits.perDay} requests are left today (UTC).`
  await onProblem?.({ message: `${left} Stopped listening to leave them for your other programs. Start again after 00:00 UTC.`, waitMs: 0 })
}

type Sender = (events: readonly ForwardedEvent[]) => Promise<void>

type Following = { readonly client: SavingsRates; readonly feed: EventFeed; readonly send: Sender; readonly everyMs: number }

/** Forwards new events until the daily quota is low. @throws the abort reason of the signal, or the error that ended it */
async function follow({ client, feed, send, everyMs }: Following, options: ListenOptions, signal: AbortSignal): Promise<void> {
  const outage = new Outage(options.onProblem)
  for (let [waitMs, reads] = [everyMs, 0]; ; ) {
    await (options.wait ?? wait)(waitMs, signal)
    waitMs = everyMs
    try {
      const { events, isCut } = await feed.read(signal)
      outage.end()
      if (isCut) await options.onProblem?.({ message: 'More events arrived than can be read at once. The oldest were not forwarded.', waitMs: 0 })
      await send(events)
      if (++reads % readsPerCheck !== 0) continue
      const { data } = await client.serviceMe({}, { signal, maxRetries: 0 })
      if (isQuotaLow(data)) return await reportQuota(data, options.onProblem)
    } catch (error) {
      signal.throwIfAborted()
      waitMs = await outage.pauseAfter(error)
    }
  }
}

/** @throws TypeError or RangeError if an option is invalid */
function readTarget({ forward, secret = newSecret(), last = 0, everySeconds = 1, ...options }: ListenOptions): ForwardTarget {
  if (secret === '') throw new TypeError('secret must not be empty.')
  whole('last', last, 0, 50)
  whole('everySeconds', everySeconds, 1, maxSeconds)
  return { url: readUrl(forward), secret, fetch: options.fetch ?? fetch, wait: options.wait ?? wait }
}

/** Numbers of events that the server accepted, and of those that it didn't. */
export type ListenCounts = { readonly forwarded: number; readonly failed: number }

/**
 * Forwards the events that are sent to the account's webhook endpoints to a server on this machine, until the signal aborts or little of the daily quota is
 * left. Needs a key with the scope `account:manage`. Costs nothing.
 * @throws SavingsRatesError if the key is rejected, or the service can't be reached at first or for an hour; TypeError or RangeError if an option is invalid
 */
export async function listen(client: SavingsRates, options: ListenOptions): Promise<ListenCounts> {
  const signal = options.signal ?? new AbortController().signal
  const target = readTarget(options)
  const counts = { forwarded: 0, failed: 0 }
  const send: Sender = async (events) => {
    for (const event of events) {
      const result = await forwardEvent(event, target, signal)
      counts[result.isDelivered ? 'forwarded' : 'failed']++
      await options.onForward?.(result)
    }
  }
  try {
    const { data: account } = await client.serviceMe({}, { signal })
    const { mode } = account.key
    const everySeconds = options.everySeconds ?? getDefaultSeconds(account)
    const feed = new EventFeed(client, options.webhook)
    const earlier = await feed.open(options.last ?? 0, signal)
    const examples = await readSamples(client, options.samples ?? [], signal)
    await options.onReady?.({ secret: target.secret, mode, everySeconds })
    await send([...earlier, ...examples])
    if (isQuotaLow(account)) await reportQuota(account, options.onProblem)
    else await follow({ client, feed, send, everyMs: everySeconds * 1_000 }, options, signal)
    return counts
  } catch (error) {
    if (signal.aborted) return counts
    throw error
  }
}
