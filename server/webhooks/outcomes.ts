import { setTimeout as sleep } from 'node:timers/promises'
import { creditsPerEvent } from '#server/api/contract/webhooks.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Log } from '#server/observability/log.ts'
import { type DeliveryOutcome, deliveries } from '#server/observability/telemetry/counters.ts'
import { tracing } from '#server/observability/telemetry/tracer.ts'
import { type ClaimedRow, type DatabaseTime, healthRules, type OutcomeRow, recordOutcomes } from './queue.sql.ts'

const maxBatchSize = 256
/** Number of failed writes after which an outcome is dropped. The lease then expires, and the webhook is redelivered with the same ids. */
const maxAttempts = 3
const pauseMs = 200

type Waiting = { readonly outcome: OutcomeRow; readonly resolve: (mayContinue: boolean) => void; readonly reject: (error: unknown) => void }

/** Batches outcomes that arrive while the previous statement is running, so that many share a commit. */
export class Outcomes {
  readonly #pool: Database
  readonly #log: Log
  readonly #now: () => DatabaseTime
  #waiting: Waiting[] = []
  #isWriting = false

  constructor({ pool, log }: { readonly pool: Database; readonly log: Log }, now: () => DatabaseTime) {
    this.#pool = pool
    this.#log = log
    this.#now = now
  }

  /** Records an outcome. Resolves once it is durable, with true if the sender may continue with the endpoint. */
  record(outcome: OutcomeRow): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ outcome, resolve, reject })
      if (!this.#isWriting) void this.#write()
    })
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch()
      const isWritten = await this.#recordTogether(batch)
      // Retry one by one, so that one bad outcome doesn't fail the others in the batch.
      if (!isWritten) for (const one of batch) await this.#recordAlone(one)
    }
    this.#isWriting = false
  }

  /**
   * Takes the next batch: as many outcomes as fit into one statement, but only one per endpoint. Further outcomes for the same endpoint, which are rare, go
   * into the next batch.
   */
  #nextBatch(): Waiting[] {
    const [batch, later] = [new Map<number, Waiting>(), [] as Waiting[]]
    for (const one of this.#waiting) {
      if (batch.size < maxBatchSize && !batch.has(one.outcome.endpoint)) batch.set(one.outcome.endpoint, one)
      else later.push(one)
    }
    this.#waiting = later
    return [...batch.values()]
  }

  async #recordTogether(batch: readonly Waiting[]): Promise<boolean> {
    if (batch.length === 1) return false
    try {
      const mayContinue = await this.#record(batch)
      for (const [at, { resolve }] of batch.entries()) resolve(mayContinue[at] === true)
      return true
    } catch (error) {
      this.#log.warn({ err: error, outcomes: batch.length }, 'Failed to record a batch of delivery results. Retrying one by one.')
      return false
    }
  }

  /** Records one outcome, with up to three attempts. Repeating the statement is safe, because recording is idempotent. */
  async #recordAlone(one: Waiting): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const [mayContinue] = await this.#record([one])
        return one.resolve(mayContinue === true)
      } catch (error) {
        if (attempt >= maxAttempts) return one.reject(error)
        await sleep(pauseMs)
      }
    }
  }

  #record(batch: readonly Waiting[]): Promise<boolean[]> {
    const outcomes = batch.map(({ outcome }) => outcome)
    return recordOutcomes(this.#pool, this.#now(), creditsPerEvent, healthRules, outcomes)
  }
}

function getOutcome({ isDelivered, isGone, waitMs }: Pick<OutcomeRow, 'isDelivered' | 'isGone' | 'waitMs'>): DeliveryOutcome {
  if (isDelivered) return 'delivered'
  if (isGone) return 'gone'
  return waitMs === null ? 'dead' : 'retry'
}

/** Records the metrics and the trace span of an attempt, without the URL or the content. */
export function recordAttempt(row: ClaimedRow, outcome: Pick<OutcomeRow, 'isDelivered' | 'isGone' | 'waitMs' | 'attempt' | 'status'>, begun: number): void {
  const ended = performance.now()
  const name = getOutcome(outcome)
  deliveries.add(name, ended - begun)
  tracing.tracer?.work({
    name: 'webhook.deliver',
    isOutgoing: true,
    begun,
    ended,
    facts: {
      'http.request.method': 'POST',
      ...(outcome.status === null ? {} : { 'http.response.status_code': outcome.status }),
      'svc.webhook.event': row.type,
      'svc.webhook.delivery': row.deliveryPublicId,
      'svc.webhook.attempt': outcome.attempt,
      'svc.webhook.outcome': name,
    },
    fault: name === 'delivered' ? null : name,
  })
}
