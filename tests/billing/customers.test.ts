import { expect, test } from 'vitest'
import { getCustomerPage, updateCustomerEmails } from '#server/billing/customers.ts'
import { startTopUp } from '#server/billing/top-ups.ts'
import type { TestAccount } from '../support/accounts.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { Savers } from './support/savers.ts'
import { newId } from './support/stripe-objects.ts'

const fixture = new BillingFixture()
const savers = new Savers(fixture)
const running = new AbortController().signal

const getCustomer = async ({ id }: TestAccount): Promise<string> =>
  (await fixture.pool.query<{ customer_id: string }>('SELECT customer_id FROM payment_customer WHERE account_id = $1', [id])).rows[0]?.customer_id ?? ''

const moveTo = ({ id }: TestAccount, email: string) => fixture.pool.query('UPDATE account SET email = $2 WHERE id = $1', [id, email])

/** Deletes the customer at Stripe, which then rejects requests for it. */
async function deleteCustomer(account: TestAccount): Promise<void> {
  fixture.stripe.customers.delete(await getCustomer(account))
}
function forgetRefusals(): void {
  const refusals = fixture.stripe.faults.splice(0)
  expect(refusals.length).toBeGreaterThan(0)
  for (const refusal of refusals) expect(refusal).toContain('No such customer')
}

test("updates the Stripe customer's email once per change of the account's email", async () => {
  const account = await fixture.account()
  await fixture.start(account)
  const customer = await getCustomer(account)
  const updates = () => fixture.stripe.requests.filter(({ call, path }) => call === 'POST /v1/customers/:id' && path.endsWith(customer)).length
  await updateCustomerEmails(fixture.deps(), running)
  expect(updates()).toBe(0)
  for (const email of [`${newId('one')}@example.test`, `${newId('two')}@example.test`]) {
    const before = updates()
    await moveTo(account, email)
    for (let turn = 0; turn < 2; turn++) await updateCustomerEmails(fixture.deps(), running)
    expect([fixture.stripe.customers.get(customer)?.email, updates() - before]).toEqual([email, 1])
  }
})

test("uses the owner's email at Stripe, and updates it when the owner changes theirs", async () => {
  const [account, owner] = [await fixture.account(), await fixture.account()]
  await fixture.pool.query('UPDATE account SET owner_id = $2 WHERE id = $1', [account.id, owner.id])
  await fixture.start(account)
  const getEmail = async () => fixture.stripe.customers.get(await getCustomer(account))?.email
  expect(await getEmail()).toBe(owner.email)
  const email = `${newId('owner')}@example.test`
  await moveTo(owner, email)
  await updateCustomerEmails(fixture.deps(), running)
  expect(await getEmail()).toBe(email)
  const stale = 'SELECT is_stale FROM payment_customer WHERE account_id = $1'
  expect((await fixture.pool.query(stale, [account.id])).rows).toEqual([{ is_stale: false }])
  // Nothing is sent to the account's own address any more.
  await moveTo(account, `${newId('account')}@example.test`)
  await updateCustomerEmails(fixture.deps(), running)
  expect(await getEmail()).toBe(email)
})

test('retries a failed email update a minute later', async () => {
  const account = await fixture.account()
  await fixture.start(account)
  const email = `${newId('moved')}@example.test`
  await moveTo(account, email)
  await updateCustomerEmails(fixture.deps({ stripeKey: 'sk_test_of_nobody' }), running)
  expect(fixture.log).toMatchObject([{ level: 40, account: account.publicId, msg: expect.stringContaining('retrying') }])
  await updateCustomerEmails(fixture.deps(), running)
  expect(fixture.stripe.customers.get(await getCustomer(account))?.email).toBe(account.email)
  await fixture.pool.query("UPDATE payment_customer SET not_before = not_before - interval '1 minute' WHERE account_id = $1", [account.id])
  await updateCustomerEmails(fixture.deps(), running)
  expect(fixture.stripe.customers.get(await getCustomer(account))?.email).toBe(email)
})

test('on the next purchase, replaces a customer that was deleted in Stripe, and turns automatic top-ups off', async () => {
  const account = await savers.saver()
  const gone = await getCustomer(account)
  await deleteCustomer(account)
  const deps = fixture.deps()
  const purchase = { key: newId('key'), amountPence: 2_000, savesCard: false }
  const started = await Promise.all([startTopUp(deps, account.id, purchase), startTopUp(deps, account.id, purchase)])
  expect(new Set(started.map(({ url }) => url)).size).toBe(1)
  expect(await getCustomer(account)).not.toBe(gone)
  expect([...fixture.stripe.sessions.values()].at(-1)?.customer).toBe(await getCustomer(account))
  expect(await savers.getOverview(account)).toMatchObject({ isOn: false, offReason: 'The saved card can no longer be used.' })
  expect(fixture.stripe.customers.get(await getCustomer(account))?.email).toBe(account.email)
})

test('replaces a deleted customer when its Stripe portal is opened or its email is updated', async () => {
  const account = await fixture.account()
  expect(await getCustomerPage(fixture.deps(), account.id)).toBeNull()
  await fixture.start(account)
  await deleteCustomer(account)
  const page = await getCustomerPage(fixture.deps(), account.id)
  forgetRefusals()
  expect(page).toContain(await getCustomer(account))
  await deleteCustomer(account)
  const email = `${newId('moved')}@example.test`
  await moveTo(account, email)
  await updateCustomerEmails(fixture.deps(), running)
  expect(fixture.stripe.customers.get(await getCustomer(account))?.email).toBe(email)
})

test('accepts the longest email address that an account may have', async () => {
  const account = await fixture.account()
  await moveTo(account, `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.test`)
  await startTopUp(fixture.deps(), account.id, { key: newId('key'), amountPence: 2_000, savesCard: false })
})
