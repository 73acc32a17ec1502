import { setTimeout as sleep } from 'node:timers/promises'
import { changePlan } from '#server/accounts/accounts.ts'
import { adjustCredits } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'
import { revokeKey } from '#server/keys/keys.ts'
import type { Cast, CastAccount, CastKey } from './cast.ts'
import { pick } from './scenario.ts'

const pauseMs = 60

/** Credits granted to an account: confirmed grants, and grants whose confirmation was lost when the connection broke. */
export type Granted = { sure: number; unsure: number }

/** Grants credits, revokes keys and changes plans while clients make calls. Never retries, because a failed change may have been applied. */
export class Operator {
  readonly granted = new Map<number, Granted>()
  /** Errors, each message with its count. */
  readonly complaints = new Map<string, number>()
  private readonly pool: Database
  private readonly cast: Cast
  private readonly loops: Promise<void>[]
  private stopping = false

  constructor(pool: Database, cast: Cast, everyRevocationMs: number) {
    this.pool = pool
    this.cast = cast
    const poorIds = new Set(cast.keys.filter(({ part }) => part === 'poor').map((key) => key.account.id))
    const poor = cast.accounts.filter(({ account }) => poorIds.has(account.id))
    this.loops = [this.granting(poor), this.granting(poor), this.changing(), this.revoking(everyRevocationMs)]
  }

  private async granting(poor: readonly CastAccount[]): Promise<void> {
    while (!this.stopping) {
      const { account } = pick(poor)
      const credits = 1 + Math.floor(Math.random() * 12)
      const isSure = await this.attempt(() => adjustCredits(this.pool, account.id, credits, 'Chaos.'))
      const granted = this.granted.get(account.id) ?? { sure: 0, unsure: 0 }
      granted[isSure ? 'sure' : 'unsure'] += credits
      this.granted.set(account.id, granted)
      await sleep(Math.random() * pauseMs)
    }
  }

  /** Changes plans, which raises account versions, so that every process has to reload the accounts. */
  private async changing(): Promise<void> {
    while (!this.stopping) {
      const { account } = pick(this.cast.accounts)
      await this.attempt(() => changePlan(this.pool, account.email, pick(['hobby', 'business', 'enterprise'])))
      await sleep(Math.random() * pauseMs * 4)
    }
  }

  private async revoking(everyMs: number): Promise<void> {
    for (const key of this.cast.keys.filter(({ part }) => part === 'doomed')) {
      await this.pauseFor(everyMs)
      if (this.stopping) return
      await this.revoke(key)
    }
  }

  private async revoke(key: CastKey): Promise<void> {
    if (await this.attempt(() => revokeKey(this.pool, key.id))) key.revokedAt = performance.now()
  }

  private async pauseFor(ms: number): Promise<void> {
    const end = performance.now() + ms
    while (!this.stopping && performance.now() < end) await sleep(20)
  }

  /** Performs a change and returns true if it was confirmed, which can't happen while PostgreSQL is down. */
  private async attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.complaints.set(message, (this.complaints.get(message) ?? 0) + 1)
      await sleep(100)
      return false
    }
  }

  async stop(): Promise<void> {
    this.stopping = true
    await Promise.all(this.loops)
  }
}
