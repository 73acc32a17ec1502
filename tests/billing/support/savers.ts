import { expect } from 'vitest'
import { beginAutoTopUps, resolveAutoTopUps } from '#server/billing/auto-top-up.ts'
import { beginAutoTopUp } from '#server/billing/auto-top-up-decisions.ts'
import { readSavedCards } from '#server/billing/saved-cards.ts'
import { addKey, admit, buildRequest } from '../../metering/statement.ts'
import type { TestAccount } from '../../support/accounts.ts'
import type { BillingFixture } from './billing-fixture.ts'
import { getPortal } from './portal.ts'
import { newId, type Payment } from './stripe-objects.ts'

const running = new AbortController().signal

/** Automatic top-up settings of the accounts in these tests. */
export const wanted = { isOn: true, thresholdCredits: 100, amountPence: 1_000, ceilingPence: 2_500 }

/** Accounts with a saved card and automatic top-ups enabled, and the worker jobs that charge them. */
export class Savers {
  private readonly fixture: BillingFixture

  constructor(fixture: BillingFixture) {
    this.fixture = fixture
  }

  begin(): Promise<void> {
    return beginAutoTopUps(this.fixture.deps(), running)
  }

  resolveCharges(): Promise<void> {
    return resolveAutoTopUps(this.fixture.deps(), running)
  }

  async switchOff(): Promise<void> {
    await this.fixture.pool.query('UPDATE auto_top_up SET is_on = false')
  }

  /** Creates an account whose card was saved with a top-up of 50 credits, and turns automatic top-ups on. */
  async saver(changes: Partial<typeof wanted> = {}): Promise<TestAccount> {
    const account = await this.fixture.account()
    await this.fixture.topUp(account, 500, { savesCard: true })
    await readSavedCards(this.fixture.deps(), running)
    await getPortal(this.fixture.deps(), account).billing.setAutoTopUp({ ...wanted, ...changes })
    return account
  }

  /** Simulates a process that begins an automatic top-up and dies before calling Stripe. */
  async beginWithoutRequest({ id }: TestAccount): Promise<string> {
    const topUp = newId('top')
    expect(await beginAutoTopUp(this.fixture.pool, { accountId: id, mode: 'test', publicId: topUp, vatBasisPoints: null })).toBe(true)
    return topUp
  }

  async spend(account: TestAccount, credits: number): Promise<void> {
    await admit(this.fixture.pool, [buildRequest(await addKey(this.fixture.pool, account), { price: credits })])
  }

  /** Replaces the saved card with another payment method, for example one that is declined. */
  async useCard(account: TestAccount, method: string): Promise<void> {
    await this.fixture.pool.query('UPDATE payment_customer SET payment_method_id = $2 WHERE account_id = $1', [account.id, method])
  }

  /** Moves the account's automatic top-up timestamps into the past, as if this interval had elapsed. */
  async waitFor(account: TestAccount, interval: string): Promise<void> {
    const { pool } = this.fixture
    await pool.query('UPDATE auto_top_up SET not_before = not_before - $2::interval WHERE account_id = $1', [account.id, interval])
    const underWay = "account_id = $1 AND state IN ('open', 'pending')"
    await pool.query(`UPDATE top_up SET created_at = created_at - $2::interval, not_before = not_before - $2::interval WHERE ${underWay}`, [
      account.id,
      interval,
    ])
  }

  async getOverview(account: TestAccount) {
    return (await getPortal(this.fixture.deps(), account).billing.overview()).autoTopUp
  }

  getCharges({ publicId }: TestAccount) {
    return this.fixture.stripe.requests.filter(
      ({ call, form }) => call === 'POST /v1/payment_intents' && (form['metadata'] as { account?: string })['account'] === publicId,
    )
  }

  /** Returns the newest payment of an account at Stripe. */
  getPayment({ publicId }: TestAccount): Payment | undefined {
    return [...this.fixture.stripe.payments.values()].findLast(({ metadata }) => metadata['account'] === publicId)
  }

  async notifiedKinds(account: TestAccount): Promise<string[]> {
    return (await this.fixture.notices(account)).map(({ kind }) => kind)
  }
}
