import { expect } from 'vitest'
import type { BillingDeps, Payments } from '#server/billing/billing-deps.ts'
import type { TestAccount } from '../../support/accounts.ts'
import type { BillingFixture } from './billing-fixture.ts'

const running = new AbortController().signal

/** Number of rows that a job processes per batch. */
export const atOnce = 20
/** Maximum number of attempts. Together they span about a day. */
export const maxAttempts = 28
const lookedAtMinutes = 36 * 60
const longestWaitMinutes = 64

type Job = (deps: BillingDeps, signal: AbortSignal) => Promise<void>

/** Creates accounts, one more than a job processes per batch. */
export async function several(make: () => Promise<TestAccount>): Promise<TestAccount[]> {
  const made: TestAccount[] = []
  while (made.length <= atOnce) made.push(await make())
  return made
}

/** Returns the public ids of all these accounts except the last. */
export const getBroken = (accounts: readonly TestAccount[]) => new Set(accounts.slice(0, atOnce).map(({ publicId }) => publicId))

/** Helpers for tests of worker jobs that fail repeatedly. */
export class Retrying {
  private readonly fixture: BillingFixture

  constructor(fixture: BillingFixture) {
    this.fixture = fixture
  }

  /** Returns the billing dependencies, with some of the Stripe methods replaced by failing ones. */
  depsWith(changes: (real: Payments) => Partial<Payments>): BillingDeps {
    const deps = this.fixture.deps()
    if (!deps.payments) throw new Error('Payments are not set up. These tests need a billing fixture with payments.')
    return { ...deps, payments: { ...deps.payments, ...changes(deps.payments) } }
  }

  async getColumns({ id }: TestAccount, table: string, columns: string): Promise<Record<string, unknown>[]> {
    return (await this.fixture.pool.query(`SELECT ${columns} FROM ${table} WHERE account_id = $1 ORDER BY 1`, [id])).rows
  }

  /** Runs a job over a simulated day and a half, whenever the account's next attempt is due. */
  async untilTheEnd(job: Job, deps: BillingDeps, account: TestAccount, table: string): Promise<void> {
    for (let waitedMinutes = 0; waitedMinutes < lookedAtMinutes; ) {
      await job(deps, running)
      const [row] = await this.getColumns(account, table, 'greatest(1, ceil(extract(epoch FROM max(not_before) - now()::timestamptz(3)) / 60))::int AS minutes')
      const minutes = Number(row?.['minutes'] ?? 60)
      expect(minutes).toBeLessThanOrEqual(longestWaitMinutes)
      const { pool } = this.fixture
      await pool.query(`UPDATE ${table} SET not_before = not_before - make_interval(mins => $2) WHERE account_id = $1`, [account.id, minutes])
      waitedMinutes += minutes
    }
  }

  errors(): string[] {
    return this.fixture.log.filter(({ level }) => level >= 50).map(({ msg }) => msg)
  }
}
