import { expect, test } from 'vitest'
import { closeCheckouts } from '#server/billing/close-billing.ts'
import { readSavedCards } from '#server/billing/customer-pages.ts'
import { updateCustomerEmails } from '#server/billing/customers.ts'
import type { TestAccount } from '../support/world.ts'
import { BillingStage } from './support/billing-stage.ts'
import { atOnce, brokenOf, mostAttempts, Retrying, several } from './support/retrying.ts'

const stage = new BillingStage()
const retrying = new Retrying(stage)
const running = new AbortController().signal

const change = ({ id }: TestAccount) => stage.pool.query("UPDATE account SET email = 'new-' || email WHERE id = $1", [id])
const emailAtStripe = async (account: TestAccount) => {
  const [row] = await retrying.columnsOf(account, 'payment_customer', 'customer_id')
  return stage.stripe.customers.get(String(row?.['customer_id']))?.email
}

test('addresses rejected by Stripe do not block other updates', async () => {
  const accounts = await several(async () => (await stage.start(await stage.account())).account)
  for (const account of accounts) await change(account)
  const refused = new Set(accounts.slice(0, atOnce).map(({ email }) => `new-${email}`))
  const room = retrying.roomWith(({ updateCustomer }) => ({
    updateCustomer: async (customer, email) => (refused.has(email) ? Promise.reject(new Error('Invalid email address')) : updateCustomer(customer, email)),
  }))
  for (let turn = 0; turn < 2; turn++) await updateCustomerEmails(room, running)
  const [last] = accounts.slice(-1)
  expect(last && (await emailAtStripe(last))).toBe(`new-${last?.email}`)
  for (const account of accounts) await stage.pool.query('UPDATE payment_customer SET is_stale = false WHERE account_id = $1', [account.id])
})

test('retries an email update for a day, and again with the next purchase or change', async () => {
  const { account } = await stage.start(await stage.account())
  let calls = 0
  const room = retrying.roomWith(() => ({
    updateCustomer: async () => {
      calls += 1
      throw new Error('Invalid email address')
    },
  }))
  for (const again of [() => change(account), () => stage.start(account, 3_000), () => change(account)]) {
    await again()
    calls = 0
    await retrying.untilTheEnd(updateCustomerEmails, room, account, 'payment_customer')
    expect(calls).toBe(mostAttempts)
    expect(retrying.errors().splice(0)).toEqual([expect.stringContaining('It is retried when the address changes or with the next purchase')])
    stage.log.length = 0
  }
  await stage.start(account, 4_000)
  await updateCustomerEmails(stage.room(), running)
  expect(await emailAtStripe(account)).toBe(`new-new-${account.email}`)
  expect(await retrying.columnsOf(account, 'payment_customer', 'is_stale, attempts, not_before')).toEqual([{ is_stale: false, attempts: 0, not_before: null }])
})

test('unreadable cards do not block others, and are retried for a day', async () => {
  const payments = new Map<string, string>()
  const accounts = await several(async () => {
    const { account, payment } = await stage.topUp(await stage.account(), 500, { savesCard: true })
    payments.set(payment.id, account.publicId)
    return account
  })
  const broken = brokenOf(accounts)
  let calls = 0
  const room = retrying.roomWith(({ getCard }) => ({
    getCard: async (intent) => {
      if (!broken.has(payments.get(intent) ?? '')) return getCard(intent)
      calls += payments.get(intent) === accounts[0]?.publicId ? 1 : 0
      throw new Error('An error of Stripe')
    },
  }))
  for (let turn = 0; turn < 2; turn++) await readSavedCards(room, running)
  const [first, last] = [accounts[0], accounts.at(-1)]
  if (!first || !last) throw new Error('There are accounts.')
  expect(await retrying.columnsOf(last, 'payment_customer', 'card_last4')).toEqual([{ card_last4: '4242' }])
  await stage.pool.query("UPDATE top_up SET not_before = now() + interval '9 days' WHERE card_read_at IS NULL AND account_id <> $1", [first.id])
  await stage.pool.query('UPDATE top_up SET not_before = now() WHERE account_id = $1', [first.id])
  await retrying.untilTheEnd(readSavedCards, room, first, 'top_up')
  expect(calls).toBe(mostAttempts)
  expect(retrying.errors()).toEqual([expect.stringContaining('the customer can then save the card with another top-up')])
  expect(await retrying.columnsOf(first, 'payment_customer', 'card_last4')).toEqual([{ card_last4: null }])
})

test('checkouts that cannot be closed do not block others, and are marked expired once they expire', async () => {
  const started = new Map<string, string>()
  const accounts = await several(async () => {
    const { account, topUp } = await stage.start(await stage.account(), 500)
    started.set(topUp, account.publicId)
    await stage.pool.query("UPDATE account SET closed_at = now(), state = 'blocked' WHERE id = $1", [account.id])
    return account
  })
  const broken = brokenOf(accounts)
  const calls: string[] = []
  const room = retrying.roomWith(({ closeCheckout }) => ({
    closeCheckout: async (checkout) => {
      calls.push(checkout.topUp)
      if (broken.has(started.get(checkout.topUp) ?? '')) throw new Error('An error of Stripe')
      return closeCheckout(checkout)
    },
  }))
  for (let turn = 0; turn < 2; turn++) await closeCheckouts(room, running)
  const stateOf = async (account: TestAccount | undefined) => (account ? (await retrying.columnsOf(account, 'top_up', 'state')).map(({ state }) => state) : [])
  expect([await stateOf(accounts.at(-1)), await stateOf(accounts[0])]).toEqual([['expired'], ['open']])
  await stage.pool.query("UPDATE top_up SET expires_at = now() - interval '1 second', not_before = now() WHERE state = 'open'")
  calls.length = 0
  await closeCheckouts(room, running)
  expect([await stateOf(accounts[0]), calls]).toEqual([['expired'], []])
  expect(retrying.errors()).toEqual(Array.from({ length: atOnce }, () => expect.stringContaining('refund that payment at Stripe')))
})
