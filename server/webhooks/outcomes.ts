import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { creditsPerEvent } from '#server/api/contract/events.ts'
import type { Log } from '#server/observability/log.ts'
import { type DatabaseTime, type HealthRules, type OutcomeRow, recordOutcomes } from './queue.store.ts'

export const healthRules: HealthRules = {
  warnAfterHours: 24,
  warnFailures: 5,
  disableAfterHours: 5 * 24,
  disableFailures: 15,
}

const maxBatchSize = 256
/** After this many failed writes the outcome is dropped: the lease expires, and the webhook is redelivered with the same ids. */
const maxAttempts = 3
const pauseMs = 200

type Waiting = { readonly outcome: OutcomeRow; readonly resolve: (goOn: boolean) => void; readonly reject: (error: unknown) => void }

/** Batches outcomes that arrive while the previous statement is running, so that many share a commit. */
export class Outcomes {
  readonly #pool: Pool
  readonly #log: Log
  readonly #now: () => DatabaseTime
  #waiting: Waiting[] = []
  #isWriting = false

  constructor({ pool, log }: { readonly pool: Pool; readonly log: Log }, now: () => DatabaseTime) {
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
      const isWritten = await this.#together(batch)
      // Retry one by one, so that one bad outcome doesn't fail the others in the batch.
      if (!isWritten) for (const one of batch) await this.#alone(one)
    }
    this.#isWriting = false
  }

  /** Takes as many as a statement allows, at most one per endpoint. Further outcomes of an endpoint, which are rare, go into the next batch. */
  #nextBatch(): Waiting[] {
    const [batch, later] = [new Map<string, Waiting>(), [] as Waiting[]]
    for (const one of this.#waiting) {
      if (batch.size < maxBatchSize && !batch.has(one.outcome.endpoint)) batch.set(one.outcome.endpoint, one)
      else later.push(one)
    }
    this.#waiting = later
    return [...batch.values()]
  }

  async #together(batch: readonly Waiting[]): Promise<boolean> {
    if (batch.length === 1) return false
    try {
      const goOn = await this.#record(batch)
      for (const [at, { resolve }] of batch.entries()) resolve(goOn[at] === true)
      return true
    } catch (error) {
      this.#log.warn({ err: error, outcomes: batch.length }, 'Failed to record a batch of delivery results. Retrying one by one.')
      return false
    }
  }

  /** Recording an outcome is idempotent, so a statement whose response was lost is simply repeated. */
  async #alone(one: Waiting): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const [goOn] = await this.#record([one])
        return one.resolve(goOn === true)
      } catch (error) {
        if (attempt >= maxAttempts) return one.reject(error)
        await sleep(pauseMs)
      }
    }
  }

  #record(batch: readonly Waiting[]): Promise<boolean[]> {
    return recordOutcomes(
      this.#pool,
      this.#now(),
      creditsPerEvent,
      healthRules,
      batch.map(({ outcome }) => outcome),
    )
  }
}
