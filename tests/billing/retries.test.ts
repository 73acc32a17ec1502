import { expect, test, vi } from 'vitest'
import { closeCheckouts } from '#server/billing/close-checkouts.ts'
import { updateCustomerEmails } from '#server/billing/customers.ts'
import { readSavedCards } from '#server/billing/saved-cards.ts'
import type { TestAccount } from '../support/accounts.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { atOnce, getBroken, maxAttempts, Retrying, several } from './support/retrying.ts'

// Some tests apply hundreds of events, each in a transaction.
vi.setConfig({ testTimeout: 120_000 })

const fixture = new BillingFixture()
const retrying = new Retrying(fixture)
const running = new AbortController().signal

const change = ({ id }: TestAccount) => fixture.pool.query("UPDATE account SET email = 'new-' || email WHERE id = $1", [id])
const emailAtStripe = async (account: TestAccount) => {
  const [row] = await retrying.getColumns(account, 'payment_customer', 'customer_id')
  return fixture.stripe.customers.get(String(row?.['customer_id']))?.email
}

test('an email that Stripe rejects does not block other updates', async () => {
  const accounts = await several(async () => (await fixture.start(await fixture.account())).account)
  for (const account of accounts) await change(account)
  const refused = new Set(accounts.slice(0, atOnce).map(({ email }) => `new-${email}`))
  const deps = retrying.depsWith(({ setEmail }) => ({
    setEmail: async (customer, email) => (refused.has(email) ? Promise.reject(new Error('Invalid email address')) : setEmail(customer, email)),
  }))
  for (let turn = 0; turn < 2; turn++) await updateCustomerEmails(deps, running)
  const [last] = accounts.slice(-1)
  expect(last && (await emailAtStripe(last))).toBe(`new-${last?.email}`)
  for (const account of accounts) await fixture.pool.query('UPDATE payment_customer SET is_stale = false WHERE account_id = $1', [account.id])
})

test('retries an email update for a day, and again on the next purchase or change', async () => {
  const { account } = await fixture.start(await fixture.account())
  let calls = 0
  const deps = retrying.depsWith(() => ({
    setEmail: async () => {
      calls += 1
      throw new Error('Invalid email address')
    },
  }))
  for (const again of [() => change(account), () => fixture.start(account, 3_000), () => change(account)]) {
    await again()
    calls = 0
    await retrying.untilTheEnd(updateCustomerEmails, deps, account, 'payment_customer')
    expect(calls).toBe(maxAttempts)
    expect(retrying.errors().splice(0)).toEqual([expect.stringContaining('The update is retried when either changes or with the next purchase')])
    fixture.log.length = 0
  }
  await fixture.start(account, 4_000)
  await updateCustomerEmails(fixture.deps(), running)
  expect(await emailAtStripe(account)).toBe(`new-new-${account.email}`)
  expect(await retrying.getColumns(account, 'payment_customer', 'is_stale, attempts, not_before')).toEqual([{ is_stale: false, attempts: 0, not_before: null }])
})

test('keeps trying for a day to load a card from Stripe, without blocking other cards', async () => {
  const payments = new Map<string, string>()
  const accounts = await several(async () => {
    const { account, payment } = await fixture.topUp(await fixture.account(), 500, { savesCard: true })
    payments.set(payment.id, account.publicId)
    return account
  })
  const broken = getBroken(accounts)
  let calls = 0
  const deps = retrying.depsWith(({ getCard }) => ({
    getCard: async (intent) => {
      if (!broken.has(payments.get(intent) ?? '')) return getCard(intent)
      calls += payments.get(intent) === accounts[0]?.publicId ? 1 : 0
      throw new Error('An error of Stripe')
    },
  }))
  for (let turn = 0; turn < 2; turn++) await readSavedCards(deps, running)
  const [first, last] = [accounts[0], accounts.at(-1)]
  if (!first || !last) throw new Error('Expected at least one account.')
  expect(await retrying.getColumns(last, 'payment_customer', 'card_last4')).toEqual([{ card_last4: '4242' }])
  await fixture.pool.query("UPDATE top_up SET not_before = now() + interval '9 days' WHERE card_read_at IS NULL AND account_id <> $1", [first.id])
  await fixture.pool.query('UPDATE top_up SET not_before = now() WHERE account_id = $1', [first.id])
  await retrying.untilTheEnd(readSavedCards, deps, first, 'top_up')
  expect(calls).toBe(maxAttempts)
  expect(retrying.errors()).toEqual([expect.stringContaining('the customer can then save the card with another top-up')])
  expect(await retrying.getColumns(first, 'payment_customer', 'card_last4')).toEqual([{ card_last4: null }])
})

test('checkouts that cannot be closed do not block others, and are marked as expired at their expiry time', async () => {
  const started = new Map<string, string>()
  const accounts = await several(async () => {
    const { account, topUp } = await fixture.start(await fixture.account(), 500)
    started.set(topUp, account.publicId)
    await fixture.pool.query("UPDATE account SET closed_at = now(), state = 'blocked' WHERE id = $1", [account.id])
    return account
  })
  const broken = getBroken(accounts)
  const calls: string[] = []
  const deps = retrying.depsWith(({ closeCheckout }) => ({
    closeCheckout: async (checkout) => {
      calls.push(checkout.topUp)
      if (broken.has(started.get(checkout.topUp) ?? '')) throw new Error('An error of Stripe')
      return closeCheckout(checkout)
    },
  }))
  for (let turn = 0; turn < 2; turn++) await closeCheckouts(deps, running)
  const getState = async (account: TestAccount | undefined) =>
    account ? (await retrying.getColumns(account, 'top_up', 'state')).map(({ state }) => state) : []
  expect([await getState(accounts.at(-1)), await getState(accounts[0])]).toEqual([['expired'], ['open']])
  await fixture.pool.query("UPDATE top_up SET expires_at = now() - interval '1 second', not_before = now() WHERE state = 'open'")
  calls.length = 0
  await closeCheckouts(deps, running)
  expect([await getState(accounts[0]), calls]).toEqual([['expired'], []])
  expect(retrying.errors()).toEqual(Array.from({ length: atOnce }, () => expect.stringContaining('refund the payment in Stripe')))
})
