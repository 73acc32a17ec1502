import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { creditsPerEvent, deliveryTimeoutSeconds } from '#server/api/contract/events.ts'
import { urlFault } from './check-url.ts'
import { Outcomes } from './outcomes.ts'
import { type ClaimedRow, claimDeliveries, type DatabaseTime, type OutcomeRow, releaseEndpoint } from './queue.store.ts'
import { retryAfterMs, waitAfter } from './schedule.ts'
import { OpenSecrets } from './sealed-secret.ts'
import { type Agents, type Answer, notSent, openAgents, type SendOptions, send } from './send.ts'
import { signatureOf } from './signature.ts'
import { takeDown } from './take-down.ts'
import type { Reach, WebhookRoom } from './webhook-room.ts'

export type WorkerOptions = {
  readonly reach: Reach
  /** Endpoints that are sent to at the same time. */
  readonly atOnce?: number
  readonly timeoutMs?: number
  /** For how long an endpoint is a worker's own; after that another one may send what was not written down. */
  readonly leaseSeconds?: number
  /** What signatures are dated with, and how much of a lease is left. */
  readonly now: () => number
  /** The time of a test in the database. */
  readonly databaseNow?: () => DatabaseTime
}

const usualAtOnce = 512
const deliveriesAtOnce = 10
const usualLeaseSeconds = 30
/** A post is begun only if it ends within the lease, whatever its receiver does, with time to write down what came of it. */
const writeWithinMs = 2_000
const idleMs = 200
/** After the queues could not be read. */
const afterFaultMs = 1_000
const settleMs = 10
const claimAtOnce = 100

/** When endpoints were taken, by the time of day and by a clock that only goes ahead. */
type Claimed = { readonly at: number; readonly ticks: number }

const unreadableSecret = 'The secret of this endpoint cannot be read any more, so nothing was sent. Rotate it.'

const statusGone = 410
const waitStatuses: ReadonlySet<number | null> = new Set([429, 503])

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

/**
 * Sends what is due. Endpoints are taken one by one, each by one worker at a time and with one post under way, so that a slow receiver takes one of many
 * places and holds up nobody but itself, and events come in order as long as it answers.
 */
export class DeliveryWorker {
  readonly #room: WebhookRoom
  readonly #options: WorkerOptions
  readonly #agents: Agents
  readonly #outcomes: Outcomes
  readonly #secrets: OpenSecrets
  readonly #leaseMs: number
  readonly #limitMs: number
  readonly #databaseNow: () => DatabaseTime
  readonly #serving = new Set<Promise<void>>()

  constructor(room: WebhookRoom, options: WorkerOptions) {
    this.#room = room
    this.#options = options
    this.#agents = openAgents()
    this.#secrets = new OpenSecrets(room.settings.secret, room.log)
    this.#leaseMs = (options.leaseSeconds ?? usualLeaseSeconds) * 1_000
    this.#limitMs = options.timeoutMs ?? deliveryTimeoutSeconds * 1_000
    this.#databaseNow = options.databaseNow ?? (() => null)
    this.#outcomes = new Outcomes(room, this.#databaseNow)
  }

  /** Works until the signal, then finishes what is under way. Calls `onTaken` whenever the queues could be read. */
  async run(signal: AbortSignal, onTaken: () => void = () => undefined): Promise<void> {
    try {
      while (!signal.aborted) {
        const taken = await this.#takeOrWait(signal, onTaken)
        if (taken === claimAtOnce) continue
        // All that was due is taken: what is done meanwhile is followed by one look at the queues, and not by one each.
        await pause(settleMs, signal)
        if (taken === 0) await Promise.race([pause(idleMs, signal), ...this.#serving])
      }
    } finally {
      await Promise.all(this.#serving)
      this.#agents.close()
    }
  }

  /** Sends what is due now, and what becomes due at once by it, then ends: for tests. */
  async drain(): Promise<void> {
    const { signal } = new AbortController()
    while ((await this.#take(signal)) > 0) await Promise.all(this.#serving)
    this.#agents.close()
  }

  /** What is under way goes on when the queues cannot be read, and its places are taken again as soon as they can. */
  async #takeOrWait(signal: AbortSignal, onTaken: () => void): Promise<number> {
    try {
      const taken = await this.#take(signal)
      onTaken()
      return taken
    } catch (error) {
      this.#room.log.error({ err: error }, 'Webhooks that are due could not be taken; it is tried again.')
      await pause(afterFaultMs, signal)
      return 0
    }
  }

  /** Takes endpoints as far as there are places; how many it took. */
  async #take(signal: AbortSignal): Promise<number> {
    const places = (this.#options.atOnce ?? usualAtOnce) - this.#serving.size
    if (places <= 0) {
      await Promise.race(this.#serving)
      return 1
    }
    const lease = randomUUID()
    const claimed = { at: this.#options.now(), ticks: performance.now() }
    const limits = { endpoints: Math.min(places, claimAtOnce), deliveries: deliveriesAtOnce, leaseSeconds: this.#leaseMs / 1_000, price: creditsPerEvent }
    const rows = await claimDeliveries(this.#room.pool, this.#databaseNow(), lease, limits)
    const byEndpoint = Map.groupBy(rows, ({ endpoint }) => endpoint)
    for (const [endpoint, deliveries] of byEndpoint) this.#start(this.#serve(endpoint, deliveries, lease, claimed, signal), deliveries)
    return byEndpoint.size
  }

  #start(work: Promise<void>, deliveries: readonly ClaimedRow[]): void {
    const serving: Promise<void> = work
      .catch((error: unknown) => {
        // The lease ends by itself; what was not written down is sent again.
        const ids = { endpoint: deliveries[0]?.endpoint_public_id, deliveries: deliveries.map((row) => row.delivery_public_id) }
        this.#room.log.error({ err: error, ...ids }, 'What came of a webhook could not be written down; it is sent again.')
      })
      .finally(() => this.#serving.delete(serving))
    this.#serving.add(serving)
  }

  async #serve(endpoint: string, deliveries: readonly ClaimedRow[], lease: string, claimed: Claimed, signal: AbortSignal): Promise<void> {
    for (const [at, row] of deliveries.entries()) {
      const hasTime = this.#since(claimed) + this.#limitMs + writeWithinMs <= this.#leaseMs
      if (signal.aborted || !hasTime) return releaseEndpoint(this.#room.pool, lease, endpoint, this.#databaseNow())
      const outcome = await this.#deliver(row, lease, at === deliveries.length - 1)
      if (!(await this.#outcomes.record(outcome))) return
    }
  }

  /** How long ago it was. The time of day may be set back meanwhile, by which a lease would seem to hold when another worker has it. */
  #since({ at, ticks }: Claimed): number {
    return Math.max(this.#options.now() - at, performance.now() - ticks)
  }

  async #deliver(row: ClaimedRow, lease: string, isLast: boolean): Promise<OutcomeRow> {
    const { now } = this.#options
    const attempt = row.attempts + 1
    const begunAt = now()
    const begun = performance.now()
    const answer = await this.#post(row, attempt, begunAt)
    const outcome = outcomeOf(row, answer, attempt, now(), this.#limitMs)
    takeDown(row, outcome, begun)
    return { ...outcome, lease, isLast, at: new Date(begunAt) }
  }

  /** What was given as an address may have been allowed by other rules than those that hold now, and a secret sealed by another key. */
  async #post(row: ClaimedRow, attempt: number, begunAt: number): Promise<Answer> {
    const secrets = this.#secretsOf(row, begunAt)
    const fault = secrets === null ? unreadableSecret : urlFault(row.url, this.#room.settings)
    if (secrets === null || fault !== null) return notSent(fault ?? unreadableSecret)
    const body = bodyOf(row, attempt)
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'savings-rates-data-api/1.0 (webhooks)',
      'Accept-Encoding': 'identity',
      'X-SVC-Event': row.type,
      'X-SVC-Delivery': row.delivery_public_id,
      'X-SVC-Signature': signatureOf(body, secrets, begunAt),
    }
    const options: SendOptions = { reach: this.#options.reach, agents: this.#agents, timeoutMs: this.#limitMs }
    return send({ url: row.url, headers, body, attempt }, options)
  }

  /** The secret, and the one before it while it runs, if it can still be read; null when the secret itself cannot. */
  #secretsOf(row: ClaimedRow, at: number): string[] | null {
    const secret = this.#secrets.open(row.endpoint_public_id, row.secret)
    if (secret === null) return null
    const isRunning = row.old_secret_ends_at !== null && row.old_secret_ends_at.getTime() > at
    const old = row.old_secret !== null && isRunning ? this.#secrets.open(row.endpoint_public_id, row.old_secret) : null
    return old === null ? [secret] : [secret, old]
  }
}

/** The body of a delivery. The data are put in as they were written out, so that every attempt sends the same. */
function bodyOf({ event_id: id, type, created_at: createdAt, data }: ClaimedRow, attempt: number): string {
  return `{"id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"createdAt":${JSON.stringify(createdAt.toISOString())},"attempt":${attempt},"data":${data}}`
}

function outcomeOf(row: ClaimedRow, answer: Answer, attempt: number, now: number, limitMs: number): Omit<OutcomeRow, 'lease' | 'isLast' | 'at'> {
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
    fault: isDelivered ? null : (fault ?? faultOfStatus(status)),
    totalMs: answer.totalMs,
    firstByteMs: answer.firstByteMs,
    address: answer.address,
    headers: answer.headers === null ? null : JSON.stringify(answer.headers),
    body: answer.body,
  }
}

function faultOfStatus(status: number | null): string {
  if (status === statusGone) return 'The receiver answered 410: it wants no more events.'
  const isRedirect = status !== null && status >= 300 && status < 400
  return isRedirect ? `The receiver answered ${status}. Redirects are not followed.` : `The receiver answered ${status}.`
}
