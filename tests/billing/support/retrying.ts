import { expect } from 'vitest'
import type { BillingRoom } from '#server/billing/billing-room.ts'
import type { Payments } from '#server/billing/payments.ts'
import type { TestAccount } from '../../support/world.ts'
import type { BillingStage } from './billing-stage.ts'

const running = new AbortController().signal

/** So many rows a job looks at in a turn. */
export const atOnce = 20
/** So often something is tried, which takes about a day. */
export const mostAttempts = 28
const lookedAtMinutes = 36 * 60
const longestWaitMinutes = 64

type Job = (room: BillingRoom, signal: AbortSignal) => Promise<void>

/** More accounts than a job looks at in a turn. */
export async function several(make: () => Promise<TestAccount>): Promise<TestAccount[]> {
  const made: TestAccount[] = []
  while (made.length <= atOnce) made.push(await make())
  return made
}

/** All but the last of some accounts. */
export const brokenOf = (accounts: readonly TestAccount[]) => new Set(accounts.slice(0, atOnce).map(({ publicId }) => publicId))

/** Jobs of the worker that fail, again and again. */
export class Retrying {
  private readonly stage: BillingStage

  constructor(stage: BillingStage) {
    this.stage = stage
  }

  /** Payments of Stripe, some of whose calls fail. */
  roomWith(changes: (real: Payments) => Partial<Payments>): BillingRoom {
    const room = this.stage.room()
    if (!room.payments) throw new Error('There are payments here.')
    return { ...room, payments: { ...room.payments, ...changes(room.payments) } }
  }

  async columnsOf({ id }: TestAccount, table: string, columns: string): Promise<Record<string, unknown>[]> {
    return (await this.stage.pool.query(`SELECT ${columns} FROM ${table} WHERE account_id = $1 ORDER BY 1`, [id])).rows
  }

  /** Takes turns of a job for a day and a half, each when it is time for the account's next one. */
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
