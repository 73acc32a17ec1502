import { afterEach, describe, expect, test } from 'vitest'
import { blockAccount } from '#server/accounts/accounts.ts'
import type { TestAccount } from '../support/accounts.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getPortal } from './support/portal.ts'
import { Savers, wanted } from './support/savers.ts'
import { cards } from './support/stripe-ledger.ts'
import { getEvent } from './support/stripe-objects.ts'

const fixture = new BillingFixture()
const savers = new Savers(fixture)

// Prevents the next test from charging accounts that are still below their threshold.
afterEach(() => savers.switchOff())

describe('an automatic top-up with an unknown outcome', () => {
  /** Begins automatic top-ups; the responses to the next charge and to all its retries are lost. */
  async function beginWithLostResponse(): Promise<void> {
    fixture.stripe.loses = 3
    await savers.begin()
  }

  test('finds the successful charge, credits it once and never charges the card again', async () => {
    const account = await savers.saver()
    await beginWithLostResponse()
    expect(await savers.getOverview(account)).toMatchObject({ isUnderWay: true })
    await savers.begin()
    await savers.resolveCharges()
    // A recent charge may still get its response.
    expect(await fixture.balance(account)).toBe(50)
    await savers.waitFor(account, '3 minutes')
    await savers.resolveCharges()
    await savers.resolveCharges()
    expect(await fixture.balance(account)).toBe(150)
    expect([...fixture.stripe.payments.values()].filter(({ metadata }) => metadata['account'] === account.publicId)).toHaveLength(2)
    expect(await savers.getOverview(account)).toMatchObject({ isUnderWay: false, spentPence: 1_000 })
  })

  test('credits once when the event arrives first', async () => {
    const account = await savers.saver()
    await beginWithLostResponse()
    const payment = savers.getPayment(account)
    await fixture.send(getEvent('payment_intent.succeeded', payment ?? {}))
    await savers.waitFor(account, '3 minutes')
    await savers.resolveCharges()
    expect(await fixture.balance(account)).toBe(150)
    expect(await savers.notifiedKinds(account)).toEqual(['auto_top_up.paid'])
  })

  test("charges the card under the top-up's idempotency key if the process died before calling Stripe", async () => {
    const account = await savers.saver()
    const topUp = await savers.beginWithoutRequest(account)
    await savers.waitFor(account, '3 minutes')
    await savers.resolveCharges()
    expect(await fixture.balance(account)).toBe(150)
    expect(savers.getCharges(account).map(({ idempotencyKey }) => idempotencyKey)).toEqual([`charge ${topUp}`])
  })

  test('fails instead of risking a second charge once Stripe may have forgotten the idempotency key', async () => {
    const account = await savers.saver()
    await savers.beginWithoutRequest(account)
    await savers.waitFor(account, '13 hours')
    await savers.resolveCharges()
    expect(savers.getCharges(account)).toHaveLength(0)
    expect(await savers.getOverview(account)).toMatchObject({ isUnderWay: false, failures: 1, spentPence: 0 })
  })

  test('waits for a slow bank, and adds the credits when the payment event arrives', async () => {
    const account = await savers.saver()
    await savers.useCard(account, cards.processes)
    await savers.begin()
    await savers.begin()
    expect(await savers.getOverview(account)).toMatchObject({ isUnderWay: true, spentPence: 1_000 })
    expect(savers.getCharges(account)).toHaveLength(1)
    const payment = savers.getPayment(account)
    await fixture.send(getEvent('payment_intent.succeeded', { ...payment, status: 'succeeded', amount_received: 1_000 }))
    expect(await fixture.balance(account)).toBe(150)
  })
})

describe('a charge that was started but never sent', () => {
  const byPage = async (account: TestAccount, changes: Partial<typeof wanted>) =>
    getPortal(fixture.deps(), account).billing.setAutoTopUp({ ...wanted, ...changes })

  test.each<[string, (account: TestAccount) => Promise<unknown>]>([
    ['its owner turned automatic top-ups off', (account) => byPage(account, { isOn: false })],
    ['its owner changed the amount', (account) => byPage(account, { amountPence: 2_000 })],
    ['its owner lowered the threshold', (account) => byPage(account, { thresholdCredits: 20 })],
    ['its owner removed the card', (account) => getPortal(fixture.deps(), account).billing.removeCard()],
    ['its owner topped up in the meantime', (account) => fixture.topUp(account, 5_000)],
    ['the account was blocked', (account) => blockAccount(fixture.pool, account.email, null)],
    ['the account was closed', ({ id }) => fixture.pool.query('UPDATE account SET closed_at = now() WHERE id = $1', [id])],
  ])('is cancelled if %s', async (_, decide) => {
    const account = await savers.saver()
    await savers.beginWithoutRequest(account)
    await decide(account)
    const before = await fixture.balance(account)
    await savers.waitFor(account, '3 minutes')
    await Promise.all([savers.resolveCharges(), savers.resolveCharges()])
    expect(savers.getCharges(account)).toHaveLength(0)
    expect(await fixture.balance(account)).toBe(before)
    expect(await savers.getOverview(account)).toMatchObject({ isUnderWay: false, failures: 0, spentPence: 0 })
    const { topUps } = await getPortal(fixture.deps(), account).billing.topUps({ cursor: null })
    expect(topUps.filter(({ isAutomatic }) => isAutomatic)).toMatchObject([{ state: 'failed', failure: 'The top-up was no longer needed.' }])
  })

  test('is credited if the card was charged after all, and counts towards the limit again', async () => {
    const account = await savers.saver()
    fixture.stripe.loses = 3
    await savers.begin()
    const payment = savers.getPayment(account)
    // The payment appears in Stripe's list only after the top-up has been cancelled.
    fixture.stripe.payments.delete(payment?.id ?? '')
    await byPage(account, { isOn: false })
    await savers.waitFor(account, '3 minutes')
    await savers.resolveCharges()
    await fixture.send(getEvent('payment_intent.succeeded', payment ?? {}))
    expect(await fixture.balance(account)).toBe(150)
    expect(await savers.getOverview(account)).toMatchObject({ isOn: false, isUnderWay: false, spentPence: 1_000 })
  })
})
