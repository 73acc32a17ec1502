import { expect } from 'vitest'
import type { BillingRoom } from '#server/billing/billing-room.ts'
import type { Payments } from '#server/billing/payments.ts'
import type { TestAccount } from '../../support/world.ts'
import type { BillingStage } from './billing-stage.ts'

const running = new AbortController().signal

/** Number of rows that a job processes per turn. */
export const atOnce = 20
/** Maximum number of attempts, which take about a day. */
export const mostAttempts = 28
const lookedAtMinutes = 36 * 60
const longestWaitMinutes = 64

type Job = (room: BillingRoom, signal: AbortSignal) => Promise<void>

/** Creates one account more than a job processes per turn. */
export async function several(make: () => Promise<TestAccount>): Promise<TestAccount[]> {
  const made: TestAccount[] = []
  while (made.length <= atOnce) made.push(await make())
  return made
}

/** Returns the public ids of all these accounts except the last. */
export const brokenOf = (accounts: readonly TestAccount[]) => new Set(accounts.slice(0, atOnce).map(({ publicId }) => publicId))

/** Worker jobs that fail repeatedly. */
export class Retrying {
  private readonly stage: BillingStage

  constructor(stage: BillingStage) {
    this.stage = stage
  }

  /** Returns billing with Stripe payments, some of whose methods are replaced to fail. */
  roomWith(changes: (real: Payments) => Partial<Payments>): BillingRoom {
    const room = this.stage.room()
    if (!room.payments) throw new Error('There are payments here.')
    return { ...room, payments: { ...room.payments, ...changes(room.payments) } }
  }

  async columnsOf({ id }: TestAccount, table: string, columns: string): Promise<Record<string, unknown>[]> {
    return (await this.stage.pool.query(`SELECT ${columns} FROM ${table} WHERE account_id = $1 ORDER BY 1`, [id])).rows
  }

  /** Runs a job for a day and a half, each time when the next attempt for the account is due. */
  async untilTheEnd(job: Job, room: BillingRoom, account: TestAccount, table: string): Promise<void> {
    for (let waitedMinutes = 0; waitedMinutes < lookedAtMinutes; ) {
      await job(room, running)
      const [row] = await this.columnsOf(account, table, 'greatest(1, ceil(extract(epoch FROM max(not_before) - now()) / 60))::int AS minutes')
      const minutes = Number(row?.['minutes'] ?? 60)
      expect(minutes).toBeLessThanOrEqual(longestWaitMinutes)
      const { pool } = this.stage
      await pool.query(`UPDATE ${table} SET not_before = not_before - make_interval(mins => $2) WHERE account_id = $1`, [account.id, minutes])
      waitedMinutes += minutes
    }
  }

  errors(): string[] {
    return this.stage.log.filter(({ level }) => level >= 50).map(({ msg }) => msg)
  }
}
