import type { Pool } from 'pg'
import { creditsPerEvent } from '../contract/events.ts'
import { type HealthRules, type OutcomeRow, recordOutcomes } from './queue.store.ts'

/** When an endpoint that only fails is warned of, and when it is switched off. */
export const healthRules: HealthRules = {
  price: creditsPerEvent,
  warnAfterHours: 24,
  warnFailures: 5,
  disableAfterHours: 5 * 24,
  disableFailures: 15,
}

const mostAtOnce = 256
/** Beyond this nobody waits for the database any more: leases end by themselves, and what was sent is sent again with the same ids. */
const attempts = 3

type Waiting = { readonly outcome: OutcomeRow; readonly resolve: (goOn: boolean) => void; readonly reject: (error: unknown) => void }

/** Collects outcomes while the statement before is under way, so that many share a commit. */
export class Outcomes {
  readonly #pool: Pool
  readonly #now: () => number
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(pool: Pool, now: () => number) {
    this.#pool = pool
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
      const batch = this.#waiting.splice(0, mostAtOnce)
      try {
        const goOn = await this.#tried(batch.map(({ outcome }) => outcome))
        for (const [at, { resolve }] of batch.entries()) resolve(goOn[at] === true)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isWriting = false
  }

  /** Telling the same outcome twice changes nothing, so a statement whose answer was lost is simply said again. */
  async #tried(outcomes: readonly OutcomeRow[]): Promise<boolean[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await recordOutcomes(this.#pool, new Date(this.#now()), healthRules, outcomes)
      } catch (error) {
        if (attempt >= attempts) throw error
      }
    }
  }
}
