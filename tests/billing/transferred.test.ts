/** Tests an account's data at Stripe after a transfer of ownership, a card removal, or both during another change. */
import { expect, test } from 'vitest'
import { updateCustomerEmails } from '#server/billing/customers.ts'
import { readSavedCards, removeCard, stopCharges } from '#server/billing/saved-cards.ts'
import { startTopUp } from '#server/billing/top-ups.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { keyHolders } from '#server/keys/keys.ts'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { Savers } from './support/savers.ts'
import { newId } from './support/stripe-objects.ts'

const fixture = new BillingFixture()
const savers = new Savers(fixture)
const running = new AbortController().signal

const setOwner = (account: TestAccount, owner: TestAccount) => fixture.pool.query('UPDATE account SET owner_id = $2 WHERE id = $1', [account.id, owner.id])

const readCustomer = async ({ id }: TestAccount) =>
  (await fixture.pool.query('SELECT payment_method_id, is_stale FROM payment_customer WHERE account_id = $1', [id])).rows[0]

const countDetached = () => fixture.stripe.requests.filter(({ call }) => call === 'POST /v1/payment_methods/:id/detach').length

test('deletes a removed card at Stripe too', async () => {
  const account = await savers.saver()
  const before = countDetached()
  await updateCustomerEmails(fixture.deps(), running)
  expect(countDetached() - before).toBe(0)
  await removeCard(fixture.deps(), account.id, {})
  await updateCustomerEmails(fixture.deps(), running)
  expect([countDetached() - before, await readCustomer(account)]).toEqual([1, { payment_method_id: null, is_stale: false }])
})

test('does not save a card that was read from Stripe before a transfer', async () => {
  const account = await fixture.account()
  await fixture.topUp(account, 600, { savesCard: true })
  const deps = fixture.deps()
  const { payments } = deps
  if (!payments) return expect.unreachable('Payments are not set up.')
  const getCard: typeof payments.getCard = async (intent) => {
    const card = await payments.getCard(intent)
    await inTransaction(fixture.pool, (tx) => stopCharges(tx, account.id, 'The account was transferred.'))
    return card
  }
  await readSavedCards({ ...deps, payments: { ...payments, getCard } }, running)
  expect(await readCustomer(account)).toMatchObject({ payment_method_id: null })
})

test('updates the email of a Stripe customer that was created during a transfer', async () => {
  const [account, owner] = [await fixture.account(), await fixture.account()]
  const deps = fixture.deps()
  const { payments } = deps
  if (!payments) return expect.unreachable('Payments are not set up.')
  const makeCustomer: typeof payments.makeCustomer = async (request) => {
    expect(request.email).toBe(account.email)
    const customer = await payments.makeCustomer(request)
    await setOwner(account, owner)
    return customer
  }
  await startTopUp({ ...deps, payments: { ...payments, makeCustomer } }, account.id, { key: newId('purchase'), amountPence: 500, savesCard: false })
  expect(await readCustomer(account)).toMatchObject({ is_stale: true })
  await updateCustomerEmails(fixture.deps(), running)
  expect([...fixture.stripe.customers.values()].map(({ email }) => email)).toContain(owner.email)
})

test('emails about API changes and the Data Licence go to the owner', async () => {
  const [account, owner] = [await fixture.account(), await fixture.account()]
  await makeKey(fixture.pool, account)
  await setOwner(account, owner)
  const holders = await inTransaction(fixture.pool, (tx) => keyHolders(tx, account.id - 1, account.id))
  expect(holders).toEqual([{ accountId: account.id, email: owner.email }])
})
