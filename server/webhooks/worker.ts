import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { creditsPerEvent, deliveryTimeoutSeconds } from '../contract/events.ts'
import { Outcomes } from './outcomes.ts'
import { type ClaimedRow, claimDeliveries, type OutcomeRow, releaseEndpoint } from './queue.store.ts'
import { nextAttemptAt, retryAfterMs } from './schedule.ts'
import { OpenSecrets } from './sealed-secret.ts'
import { type Agents, type Answer, openAgents, type SendOptions, send } from './send.ts'
import { signatureOf } from './signature.ts'
import type { Reach, WebhookRoom } from './webhook-room.ts'

export type WorkerOptions = {
  readonly reach: Reach
  /** Endpoints that are sent to at the same time. */
  readonly atOnce?: number
  readonly timeoutMs?: number
  /** For how long an endpoint is a worker's own; after that another one may send what was not written down. */
  readonly leaseSeconds?: number
  readonly now: () => number
}

const usualAtOnce = 512
const deliveriesAtOnce = 10
const usualLeaseSeconds = 30
/** A post is begun only if it ends within the lease, whatever its receiver does, with time to write down what came of it. */
const writeWithinMs = 2_000
const idleMs = 200
const settleMs = 10
const claimAtOnce = 100

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
  readonly #serving = new Set<Promise<void>>()

  constructor(room: WebhookRoom, options: WorkerOptions) {
    this.#room = room
    this.#options = options
    this.#agents = openAgents()
    this.#secrets = new OpenSecrets(room.settings.secret)
    this.#leaseMs = (options.leaseSeconds ?? usualLeaseSeconds) * 1_000
    this.#outcomes = new Outcomes(room.pool, options.now)
  }

  /** Works until the signal, then finishes what is under way. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        const taken = await this.#take(signal)
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

  /** Takes endpoints as far as there are places; how many it took. */
  async #take(signal: AbortSignal): Promise<number> {
    const places = (this.#options.atOnce ?? usualAtOnce) - this.#serving.size
    if (places <= 0) {
      await Promise.race(this.#serving)
      return 1
    }
    const lease = randomUUID()
    const claimedAt = this.#options.now()
    const limits = { endpoints: Math.min(places, claimAtOnce), deliveries: deliveriesAtOnce, leaseSeconds: this.#leaseMs / 1_000, price: creditsPerEvent }
    const rows = await claimDeliveries(this.#room.pool, new Date(claimedAt), lease, limits)
    const byEndpoint = Map.groupBy(rows, ({ endpoint }) => endpoint)
    for (const [endpoint, deliveries] of byEndpoint) this.#start(this.#serve(endpoint, deliveries, lease, claimedAt, signal))
    return byEndpoint.size
  }

  #start(work: Promise<void>): void {
    const serving: Promise<void> = work
      .catch((error: unknown) => {
        // The lease ends by itself; what was not written down is sent again.
        this.#room.log.error({ err: error }, 'What came of a webhook could not be written down; it is sent again.')
      })
      .finally(() => this.#serving.delete(serving))
    this.#serving.add(serving)
  }

  async #serve(endpoint: string, deliveries: readonly ClaimedRow[], lease: string, claimedAt: number, signal: AbortSignal): Promise<void> {
    const { now } = this.#options
    const marginMs = (this.#options.timeoutMs ?? deliveryTimeoutSeconds * 1_000) + writeWithinMs
    for (const [at, row] of deliveries.entries()) {
      const hasTime = now() + marginMs <= claimedAt + this.#leaseMs
      if (signal.aborted || !hasTime) return releaseEndpoint(this.#room.pool, lease, endpoint, new Date(now()))
      const outcome = await this.#deliver(row, lease, at === deliveries.length - 1)
      if (!(await this.#outcomes.record(outcome))) return
    }
  }

  async #deliver(row: ClaimedRow, lease: string, isLast: boolean): Promise<OutcomeRow> {
    const { now, reach, timeoutMs } = this.#options
    const attempt = row.attempts + 1
    const begunAt = now()
    const body = bodyOf(row, attempt)
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'savings-rates-data-api/1.0 (webhooks)',
      'Accept-Encoding': 'identity',
      'X-SVC-Event': row.type,
      'X-SVC-Delivery': row.delivery_public_id,
      'X-SVC-Signature': signatureOf(body, this.#secretsOf(row, begunAt), begunAt),
    }
    const options: SendOptions = { reach, agents: this.#agents, ...(timeoutMs === undefined ? {} : { timeoutMs }) }
    const answer = await send({ url: row.url, headers, body, attempt }, options)
    return { ...outcomeOf(row, answer, attempt, now()), lease, isLast, at: new Date(begunAt) }
  }

  #secretsOf(row: ClaimedRow, at: number): string[] {
    const sealed =
      row.old_secret !== null && row.old_secret_ends_at !== null && row.old_secret_ends_at.getTime() > at ? [row.secret, row.old_secret] : [row.secret]
    return sealed.map((one) => this.#secrets.open(row.endpoint_public_id, one))
  }
}

/** The body of a delivery. The data are put in as they were written out, so that every attempt sends the same. */
function bodyOf({ event_id: id, type, created_at: createdAt, data }: ClaimedRow, attempt: number): string {
  return `{"id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"createdAt":${JSON.stringify(createdAt.toISOString())},"attempt":${attempt},"data":${data}}`
}

function outcomeOf(row: ClaimedRow, answer: Answer, attempt: number, now: number): Omit<OutcomeRow, 'lease' | 'isLast' | 'at'> {
  const { status, fault } = answer
  const isDelivered = fault === null && status !== null && status >= 200 && status < 300
  const isGone = fault === null && status === statusGone
  const asked = waitStatuses.has(status) ? retryAfterMs(answer.retryAfter, now) : null
  const next = isDelivered || isGone ? null : nextAttemptAt(attempt, now, asked)
  return {
    endpoint: row.endpoint,
    delivery: row.delivery,
    round: row.round,
    attempt,
    isDelivered,
    isGone,
    dueAt: next === null ? null : new Date(next),
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
