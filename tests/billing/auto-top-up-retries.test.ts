import { afterEach, expect, test, vi } from 'vitest'
import { beginAutoTopUps, resolveAutoTopUps } from '#server/billing/auto-top-up.ts'
import type { TestAccount } from '../support/accounts.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getPortal } from './support/portal.ts'
import { getBroken, maxAttempts, Retrying, several } from './support/retrying.ts'
import { Savers, wanted } from './support/savers.ts'
import { cards } from './support/stripe-ledger.ts'
import { getEvent } from './support/stripe-objects.ts'

// Some tests apply hundreds of events, each in a transaction.
vi.setConfig({ testTimeout: 120_000 })

const fixture = new BillingFixture()
const savers = new Savers(fixture)
const retrying = new Retrying(fixture)
const running = new AbortController().signal

// Prevents the next test from charging accounts that are still below their threshold.
afterEach(() => savers.switchOff())

test('charges that cannot be looked up do not block other automatic top-ups', async () => {
  const accounts = await several(() => savers.saver())
  for (const account of accounts) {
    await savers.beginWithoutRequest(account)
    await savers.waitFor(account, '3 minutes')
  }
  const broken = getBroken(accounts)
  const deps = retrying.depsWith(({ findCharge }) => ({
    findCharge: async (order) => (broken.has(order.account) ? Promise.reject(new Error('An error of Stripe')) : findCharge(order)),
  }))
  for (let turn = 0; turn < 2; turn++) await resolveAutoTopUps(deps, running)
  const last = accounts.at(-1)
  expect(last && (await fixture.balance(last))).toBe(150)
  await fixture.pool.query("UPDATE top_up SET state = 'failed' WHERE state = 'open'")
  await fixture.pool.query('UPDATE auto_top_up SET current_id = NULL')
})

test('looks up every charge pending at the bank once an hour', async () => {
  const accounts = await several(() => savers.saver())
  await fixture.pool.query('UPDATE payment_customer SET payment_method_id = $1 WHERE account_id = ANY ($2)', [cards.processes, accounts.map(({ id }) => id)])
  while ((await fixture.pool.query("SELECT FROM top_up WHERE state = 'pending'")).rowCount !== accounts.length) await savers.begin()
  for (const account of accounts) await savers.waitFor(account, '7 hours')
  const asked: string[] = []
  const deps = retrying.depsWith(({ findCharge }) => ({
    findCharge: async (order) => {
      asked.push(order.account)
      return findCharge(order)
    },
  }))
  for (let turn = 0; turn < 3; turn++) await resolveAutoTopUps(deps, running)
  expect(asked.toSorted()).toEqual(accounts.map(({ publicId }) => publicId).toSorted())
  for (const account of accounts) await savers.waitFor(account, '1 hour')
  for (let turn = 0; turn < 3; turn++) await resolveAutoTopUps(deps, running)
  expect(asked).toHaveLength(2 * accounts.length)
  for (const account of accounts) {
    await fixture.send(getEvent('payment_intent.succeeded', { ...savers.getPayment(account), status: 'succeeded', amount_received: 1_000 }))
  }
})

test('fails an unresolved automatic top-up after a day, but credits it if its payment event arrives later', async () => {
  const account = await savers.saver()
  fixture.stripe.loses = 3
  await savers.begin()
  const payment = savers.getPayment(account)
  await savers.waitFor(account, '3 minutes')
  let calls = 0
  const deps = retrying.depsWith(() => ({
    findCharge: async () => {
      calls += 1
      throw new Error('An error of Stripe')
    },
  }))
  await retrying.untilTheEnd(resolveAutoTopUps, deps, account, 'top_up')
  expect(calls).toBe(maxAttempts)
  expect(await savers.getOverview(account)).toMatchObject({ isUnderWay: false, failures: 1, spentPence: 0 })
  expect(retrying.errors()).toEqual([expect.stringContaining('Search Stripe for the payment with this top_up')])
  const reason = "We couldn't confirm whether your card was charged. If it was, we'll add the credits."
  expect((await fixture.notices(account)).at(-1)).toMatchObject({ kind: 'auto_top_up.failed', data: { reason } })
  await fixture.send(getEvent('payment_intent.succeeded', payment ?? {}))
  expect(await fixture.balance(account)).toBe(150)
  expect(await savers.getOverview(account)).toMatchObject({ failures: 0, spentPence: 1_000 })
})

test('fails an unfinished charge immediately if Stripe no longer has the customer', async () => {
  const account = await savers.saver()
  await savers.beginWithoutRequest(account)
  const [row] = await retrying.getColumns(account, 'payment_customer', 'customer_id')
  fixture.stripe.customers.delete(String(row?.['customer_id']))
  await savers.waitFor(account, '3 minutes')
  await savers.resolveCharges()
  expect(fixture.stripe.faults.splice(0)).toEqual([expect.stringContaining('No such customer'), expect.stringContaining('No such customer')])
  expect(await savers.getOverview(account)).toMatchObject({ isUnderWay: false, failures: 1, spentPence: 0 })
  expect((await fixture.notices(account)).at(-1)?.data).toMatchObject({ reason: 'The saved card can no longer be used.' })
})

/** Creates an open automatic top-up that the account's settings don't reference. The job then tries to begin another, which the database rejects. */
async function blockStart(account: TestAccount): Promise<TestAccount> {
  await savers.beginWithoutRequest(account)
  await fixture.pool.query('UPDATE auto_top_up SET current_id = NULL WHERE account_id = $1', [account.id])
  return account
}

test('automatic top-ups that cannot be started do not block other accounts', async () => {
  const blocked = await several(async () => blockStart(await savers.saver()))
  const account = await savers.saver()
  for (let turn = 0; turn < 2; turn++) await savers.begin()
  expect(await fixture.balance(account)).toBe(150)
  await fixture.pool.query("UPDATE top_up SET state = 'failed' WHERE state = 'open' AND account_id = ANY ($1)", [blocked.map(({ id }) => id)])
})

test('turns automatic top-ups off if none can be started for a day, and notifies the account', async () => {
  const account = await blockStart(await savers.saver())
  const countFailedStarts = () => fixture.log.filter(({ msg }) => msg.includes('ailed to start')).length
  await retrying.untilTheEnd(beginAutoTopUps, fixture.deps(), account, 'auto_top_up')
  expect(countFailedStarts()).toBe(maxAttempts)
  expect(await savers.getOverview(account)).toMatchObject({
    isOn: false,
    offReason: 'A problem on our side stopped automatic top-ups for a day.',
    spentPence: 1_000,
  })
  expect(await fixture.notices(account)).toMatchObject([{ kind: 'auto_top_up.stopped', data: { cause: 'fault' } }])
  await fixture.pool.query("UPDATE top_up SET state = 'failed' WHERE state = 'open' AND account_id = $1", [account.id])
  await getPortal(fixture.deps(), account).billing.setAutoTopUp(wanted)
  await savers.begin()
  expect(await fixture.balance(account)).toBe(150)
  expect(await retrying.getColumns(account, 'auto_top_up', 'attempts')).toEqual([{ attempts: 0 }])
})
