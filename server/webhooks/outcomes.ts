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

const mostAtOnce = 256
/** Beyond this nobody waits for the database any more: leases end by themselves, and what was sent is sent again with the same ids. */
const attempts = 3
const pauseMs = 200

type Waiting = { readonly outcome: OutcomeRow; readonly resolve: (goOn: boolean) => void; readonly reject: (error: unknown) => void }

/** Collects outcomes while the statement before is under way, so that many share a commit. */
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

  /** Resolves once the outcome is durable: whether its sender may go on with the endpoint. */
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
      // What cannot be written must not take those with it that it happened to share a statement with.
      if (!isWritten) for (const one of batch) await this.#alone(one)
    }
    this.#isWriting = false
  }

  /** As many as a statement takes, and one of an endpoint: if there are more, which is rare, they are for the next one. */
  #nextBatch(): Waiting[] {
    const [batch, later] = [new Map<string, Waiting>(), [] as Waiting[]]
    for (const one of this.#waiting) {
      if (batch.size < mostAtOnce && !batch.has(one.outcome.endpoint)) batch.set(one.outcome.endpoint, one)
      else later.push(one)
    }
    this.#waiting = later
    return [...batch.values()]
  }

  async #together(batch: readonly Waiting[]): Promise<boolean> {
    if (batch.length === 1) return false
    try {
      const goOn = await this.#told(batch)
      for (const [at, { resolve }] of batch.entries()) resolve(goOn[at] === true)
      return true
    } catch (error) {
      this.#log.warn({ err: error, outcomes: batch.length }, 'What came of some webhooks could not be written down together; it is tried one by one.')
      return false
    }
  }

  /** Telling the same outcome twice changes nothing, so a statement whose answer was lost is simply said again. */
  async #alone(one: Waiting): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const [goOn] = await this.#told([one])
        return one.resolve(goOn === true)
      } catch (error) {
        if (attempt >= attempts) return one.reject(error)
        await sleep(pauseMs)
      }
    }
  }

  #told(batch: readonly Waiting[]): Promise<boolean[]> {
    return recordOutcomes(
      this.#pool,
      this.#now(),
      creditsPerEvent,
      healthRules,
      batch.map(({ outcome }) => outcome),
    )
  }
}
