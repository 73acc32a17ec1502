import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { creditsPerEvent, deliveryTimeoutSeconds } from '#server/api/contract/webhooks.ts'
import { Outcomes, recordAttempt } from './outcomes.ts'
import { type ClaimedRow, claimDeliveries, type DatabaseTime, type OutcomeRow, releaseEndpoint } from './queue.sql.ts'
import { urlFault } from './reach.ts'
import { retryAfterMs, waitAfter } from './retry-schedule.ts'
import { type Agents, type Answer, notSent, openAgents, type SendOptions, send } from './send.ts'
import { OpenSecrets, sign } from './signature.ts'
import type { Reach, WebhookDeps } from './webhook-deps.ts'

export type WorkerOptions = {
  readonly reach: Reach
  /** Maximum number of endpoints that the worker sends to concurrently. */
  readonly atOnce?: number
  readonly timeoutMs?: number
  /** Duration of the lease on an endpoint. After it expires, another worker may repeat deliveries whose outcome was not recorded. */
  readonly leaseSeconds?: number
  /** Clock used for signatures and to calculate the remaining lease time. */
  readonly now: () => number
  /** Returns a fixed time that replaces the database's clock, for tests. */
  readonly databaseNow?: () => DatabaseTime
}

const defaultConcurrency = 512
const maxDeliveries = 10
const defaultLeaseSeconds = 30
/** Time reserved for recording an outcome. An attempt starts only if it is certain to end this long before the lease expires. */
const recordTimeoutMs = 2_000
const idleMs = 200
/** Pause after a failure to read the queues. */
const faultPauseMs = 1_000
const settleMs = 10
const maxRunMs = 60_000
const maxClaimed = 100

/** Time of a claim on the wall clock and on a monotonic clock. */
type Claimed = { readonly at: number; readonly ticks: number }

const unreadableSecret = "The secret of this endpoint can't be read, so nothing was sent. Rotate the secret."

const statusGone = 410
const waitStatuses: ReadonlySet<number | null> = new Set([429, 503])

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

/**
 * Sends due deliveries. Each endpoint is claimed by one worker at a time, with one request in flight. A slow receiver therefore occupies only one slot and
 * doesn't delay other receivers, and events arrive in order while the receiver responds.
 */
export class DeliveryWorker {
  readonly #deps: WebhookDeps
  readonly #options: WorkerOptions
  readonly #agents: Agents
  readonly #outcomes: Outcomes
  readonly #secrets: OpenSecrets
  readonly #leaseMs: number
  readonly #limitMs: number
  readonly #databaseNow: () => DatabaseTime
  readonly #serving = new Set<Promise<void>>()

  constructor(deps: WebhookDeps, options: WorkerOptions) {
    this.#deps = deps
    this.#options = options
    this.#agents = openAgents()
    this.#secrets = new OpenSecrets(deps.settings.secret, deps.log)
    this.#leaseMs = (options.leaseSeconds ?? defaultLeaseSeconds) * 1_000
    this.#limitMs = options.timeoutMs ?? deliveryTimeoutSeconds * 1_000
    this.#databaseNow = options.databaseNow ?? (() => null)
    this.#outcomes = new Outcomes(deps, this.#databaseNow)
  }

  /** Runs until the signal aborts, then finishes deliveries in progress. */
  run(signal: AbortSignal): Promise<void> {
    return this.#serveQueues(signal, () => false)
  }

  /** Runs until no delivery is due or in progress, or until a minute has passed, then finishes any deliveries in progress. */
  runUntilIdle(signal: AbortSignal): Promise<void> {
    const endsAt = performance.now() + maxRunMs
    return this.#serveQueues(signal, (taken) => performance.now() > endsAt || (taken === 0 && this.#serving.size === 0))
  }

  async #serveQueues(signal: AbortSignal, isDone: (taken: number) => boolean): Promise<void> {
    try {
      while (!signal.aborted) {
        const taken = await this.#takeOrWait(signal)
        if (isDone(taken)) return
        if (taken === maxClaimed) continue
        // All due deliveries have been claimed. Wait briefly, so that endpoints that finish at about the same time share one query.
        await pause(settleMs, signal)
        if (taken === 0) await Promise.race([pause(idleMs, signal), ...this.#serving])
      }
    } finally {
      await Promise.all(this.#serving)
      this.#agents.close()
    }
  }

  /** Sends all due deliveries, including deliveries that become due as a result, then stops. For tests. */
  async drain(): Promise<void> {
    const { signal } = new AbortController()
    while ((await this.#take(signal)) > 0) await Promise.all(this.#serving)
    this.#agents.close()
  }

  /** Fills the free slots and returns the number of endpoints claimed. Pauses if the queues can't be read; deliveries in progress continue. */
  async #takeOrWait(signal: AbortSignal): Promise<number> {
    try {
      return await this.#take(signal)
    } catch (error) {
      this.#deps.log.error({ err: error }, 'Failed to claim due webhooks. Retrying.')
      await pause(faultPauseMs, signal)
      return 0
    }
  }

  /** Claims endpoints for the free slots and starts sending. Returns the number claimed. If no slot is free, waits for one and returns 1. */
  async #take(signal: AbortSignal): Promise<number> {
    const places = (this.#options.atOnce ?? defaultConcurrency) - this.#serving.size
    if (places <= 0) {
      await Promise.race(this.#serving)
      return 1
    }
    const lease = randomUUID()
    const claimed = { at: this.#options.now(), ticks: performance.now() }
    const limits = { endpoints: Math.min(places, maxClaimed), deliveries: maxDeliveries, leaseSeconds: this.#leaseMs / 1_000, price: creditsPerEvent }
    const rows = await claimDeliveries(this.#deps.pool, this.#databaseNow(), lease, limits)
    const byEndpoint = Map.groupBy(rows, ({ endpoint }) => endpoint)
    for (const [endpoint, deliveries] of byEndpoint) this.#start(this.#serve(endpoint, deliveries, lease, claimed, signal), deliveries)
    return byEndpoint.size
  }

  #start(work: Promise<void>, deliveries: readonly ClaimedRow[]): void {
    const serving: Promise<void> = work
      .catch((error: unknown) => {
        // Once the lease has expired, deliveries without a recorded outcome are sent again.
        const ids = { endpoint: deliveries[0]?.endpointPublicId, deliveries: deliveries.map((row) => row.deliveryPublicId) }
        this.#deps.log.error({ err: error, ...ids }, 'Failed to record the delivery result. The webhook will be redelivered.')
      })
      .finally(() => this.#serving.delete(serving))
    this.#serving.add(serving)
  }

  async #serve(endpoint: number, deliveries: readonly ClaimedRow[], lease: string, claimed: Claimed, signal: AbortSignal): Promise<void> {
    for (const [at, row] of deliveries.entries()) {
      const hasTime = this.#since(claimed) + this.#limitMs + recordTimeoutMs <= this.#leaseMs
      if (signal.aborted || !hasTime) return releaseEndpoint(this.#deps.pool, lease, endpoint, this.#databaseNow())
      const outcome = await this.#deliver(row, lease, at === deliveries.length - 1)
      if (!(await this.#outcomes.record(outcome))) return
    }
  }

  /**
   * Returns the time since the claim, measured by whichever clock has advanced more, because a wall clock that was set back would make an expired lease look
   * valid.
   */
  #since({ at, ticks }: Claimed): number {
    return Math.max(this.#options.now() - at, performance.now() - ticks)
  }

  async #deliver(row: ClaimedRow, lease: string, isLast: boolean): Promise<OutcomeRow> {
    const { now } = this.#options
    const attempt = row.attempts + 1
    const begunAt = now()
    const begun = performance.now()
    const answer = await this.#post(row, attempt, begunAt)
    const outcome = toOutcome(row, answer, attempt, now(), this.#limitMs)
    recordAttempt(row, outcome, begun)
    return { ...outcome, lease, isLast, at: new Date(begunAt) }
  }

  /**
   * Makes one attempt. Sends nothing if the URL is no longer allowed (the rules may have changed since it was saved) or the secret can't be decrypted (it was
   * encrypted with another key).
   */
  async #post(row: ClaimedRow, attempt: number, begunAt: number): Promise<Answer> {
    const secrets = this.#getSecrets(row, begunAt)
    const fault = secrets === null ? unreadableSecret : urlFault(row.url, this.#deps.settings)
    if (secrets === null || fault !== null) return notSent(fault ?? unreadableSecret)
    const body = buildBody(row, attempt)
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'savings-rates-data-api/1.0 (webhooks)',
      'Accept-Encoding': 'identity',
      'X-SVC-Event': row.type,
      'X-SVC-Delivery': row.deliveryPublicId,
      'X-SVC-Signature': sign(body, secrets, begunAt),
    }
    const options: SendOptions = { reach: this.#options.reach, agents: this.#agents, timeoutMs: this.#limitMs }
    return send({ url: row.url, headers, body, attempt }, options)
  }

  /** Returns the secret and, during a rotation, the previous one if it can be read. Returns null if the current secret can't be read. */
  #getSecrets(row: ClaimedRow, at: number): string[] | null {
    const secret = this.#secrets.open(row.endpointPublicId, row.secret)
    if (secret === null) return null
    const isRunning = row.oldSecretEndsAt !== null && row.oldSecretEndsAt.getTime() > at
    const old = row.oldSecret !== null && isRunning ? this.#secrets.open(row.endpointPublicId, row.oldSecret) : null
    return old === null ? [secret] : [secret, old]
  }
}

/** Builds the request body. Inserts the event data as stored, so that every attempt sends the same body. */
function buildBody({ eventId: id, type, createdAt, data }: ClaimedRow, attempt: number): string {
  return `{"id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"createdAt":${JSON.stringify(createdAt.toISOString())},"attempt":${attempt},"data":${data}}`
}

function toOutcome(row: ClaimedRow, answer: Answer, attempt: number, now: number, limitMs: number): Omit<OutcomeRow, 'lease' | 'isLast' | 'at'> {
  const { status, fault } = answer
  const isDelivered = fault === null && status !== null && status >= 200 && status < 300
  const isGone = fault === null && status === statusGone
  const asked = waitStatuses.has(status) ? retryAfterMs(answer.retryAfter, now) : null
  return {
    endpoint: row.endpoint,
    delivery: row.delivery,
    round: row.round,
    attempt,
    isDelivered,
    isGone,
    waitMs: isDelivered || isGone ? null : waitAfter(attempt, asked),
    isSlow: !isDelivered && answer.totalMs * 2 >= limitMs,
    status,
    fault: isDelivered ? null : (fault ?? describeStatus(status)),
    totalMs: answer.totalMs,
    firstByteMs: answer.firstByteMs,
    address: answer.address,
    headers: answer.headers === null ? null : JSON.stringify(answer.headers),
    body: answer.body,
    isSent: answer.isSent,
  }
}

function describeStatus(status: number | null): string {
  if (status === statusGone) return 'The receiver returned 410 Gone, which tells us to stop sending events.'
  const isRedirect = status !== null && status >= 300 && status < 400
  return isRedirect ? `The receiver returned ${status}. Redirects are not followed.` : `The receiver returned ${status}.`
}
