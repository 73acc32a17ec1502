import { expect, test } from 'vitest'
import { ThrottledError } from '#server/accounts/throttle.ts'
import { closeCheckouts } from '#server/billing/close-checkouts.ts'
import { updateCustomerEmails } from '#server/billing/customers.ts'
import { startTopUp } from '#server/billing/top-ups.ts'
import { verifies } from '../requirements/verifies.ts'
import type { TestAccount } from '../support/accounts.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { acme, none } from './support/details.ts'
import { getPortal } from './support/portal.ts'
import { newId } from './support/stripe-objects.ts'

const fixture = new BillingFixture()
const running = new AbortController().signal

const portal = (account: TestAccount) => getPortal(fixture.deps(), account).billing

/** Returns the customer of the latest checkout at Stripe. */
function getCustomer() {
  const checkout = fixture.stripe.requests.findLast(({ call }) => call === 'POST /v1/checkout/sessions')?.form
  return fixture.stripe.customers.get(String(checkout?.['customer']))
}

verifies('billing/changed-details', 'closes a checkout at Stripe whose details changed while it was being created', async () => {
  const account = await fixture.account()
  await portal(account).setDetails(acme)
  await fixture.start(account, 3_000)
  const { payments, ...deps } = fixture.deps()
  if (!payments) throw new Error('Payments are not set up. These tests need a billing fixture with payments.')
  const key = newId('key')
  // The job updates the customer at Stripe, and then the purchase sets the previous details.
  const setDetails: typeof payments.setDetails = async (customer, details) => {
    await portal(account).setDetails(none)
    await updateCustomerEmails(fixture.deps(), running)
    await payments.setDetails(customer, details)
  }
  const racing = startTopUp({ ...deps, payments: { ...payments, setDetails } }, account.id, { key, amountPence: 2_000, savesCard: false })
  await expect(racing).rejects.toMatchObject({ faults: { form: expect.stringContaining('billing details have changed') } })
  expect([...fixture.stripe.sessions.values()].at(-1)?.status).toBe('expired')
  expect(await fixture.pool.query('SELECT state FROM top_up WHERE purchase_key = $1', [key])).toMatchObject({ rows: [{ state: 'expired' }] })
  await updateCustomerEmails(fixture.deps(), running)
  expect(getCustomer()).toMatchObject({ name: '', address: '' })
})

verifies('billing/removed-details', 'removes the details at Stripe before a checkout without details opens', async () => {
  const account = await fixture.account()
  await portal(account).setDetails(acme)
  await fixture.start(account)
  await portal(account).setDetails(none)
  await fixture.start(account)
  expect(getCustomer()).toMatchObject({ name: '', address: '' })
})

test('counts replaced checkouts as open until they are closed at Stripe', async () => {
  const account = await fixture.account()
  for (let n = 0; n < 20; n++) await fixture.start(account, 2_000 + 100 * n)
  await portal(account).setDetails(acme)
  await expect(fixture.start(account)).rejects.toThrow('You have too many unfinished payments.')
  await closeCheckouts(fixture.deps(), running)
  await fixture.start(account)
})

test('alternating billing details do not open more than 20 checkouts', async () => {
  const account = await fixture.account()
  for (let n = 0; n < 20; n++) await fixture.start(account, 2_000 + 100 * n)
  const count = "SELECT count(*)::int AS n FROM top_up WHERE account_id = $1 AND state IN ('open', 'expired')"
  // The details change while the account's checkouts are still open, as with a purchase that was read before.
  const insert =
    "INSERT INTO billing_details (account_id, name, line1, line2, city, postcode, country, vat_number) VALUES ($1, $2, '1 High Street', '', 'London', 'N1 1AA', 'GB', '')"
  for (const name of ['Acme', 'Acme Two', 'Acme']) {
    await fixture.pool.query('DELETE FROM billing_details WHERE account_id = $1', [account.id])
    await fixture.pool.query(insert, [account.id, name])
    await expect(fixture.start(account, 2_000)).rejects.toThrow('You have too many unfinished payments.')
  }
  expect((await fixture.pool.query(count, [account.id])).rows).toEqual([{ n: 20 }])
  // A purchase whose details changed before Stripe created its checkout page also counts.
  const other = await fixture.account()
  for (let n = 0; n < 19; n++) await fixture.start(other, 2_000 + 100 * n)
  await fixture.pool.query(
    `INSERT INTO top_up (public_id, account_id, purchase_key, origin, mode, amount_pence, credits, state, expires_at, created_at)
     SELECT 'top_creating', account_id, 'key_creating', origin, mode, 500, 50, 'expired', expires_at, now() FROM top_up WHERE account_id = $1 LIMIT 1`,
    [other.id],
  )
  await expect(fixture.start(other, 9_000)).rejects.toThrow('You have too many unfinished payments.')
})

test('limits purchases and changes to billing details per account and hour', async () => {
  const account = await fixture.account()
  for (let n = 0; n < 60; n++) await portal(account).setDetails(n % 2 === 0 ? acme : none)
  await expect(portal(account).setDetails(acme)).rejects.toMatchObject({ cause: expect.any(ThrottledError) })
  const purchase = { key: newId('key'), amountPence: 2_000, savesCard: false }
  for (let n = 0; n < 60; n++) await portal(account).startTopUp(purchase)
  await expect(portal(account).startTopUp(purchase)).rejects.toMatchObject({ cause: expect.any(ThrottledError) })
})
