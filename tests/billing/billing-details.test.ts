import { expect, test } from 'vitest'
import { closeCheckouts } from '#server/billing/close-checkouts.ts'
import { updateCustomerEmails } from '#server/billing/customers.ts'
import { startTopUp } from '#server/billing/top-ups.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { closeAccount } from '#server/self-service/close-account.ts'
import { verifies } from '../requirements/verifies.ts'
import type { TestAccount } from '../support/accounts.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { acme, none } from './support/details.ts'
import { getPortal } from './support/portal.ts'
import { Savers } from './support/savers.ts'
import { getEvent, newId } from './support/stripe-objects.ts'

const fixture = new BillingFixture()
const savers = new Savers(fixture)
const running = new AbortController().signal

const portal = (account: TestAccount) => getPortal(fixture.deps(), account).billing
const getBilledTo = async (account: TestAccount) => (await portal(account).topUps({ cursor: null })).topUps.map(({ billedTo }) => billedTo)

/** Returns the parameters of the latest checkout, and the customer at Stripe. */
function getCheckout() {
  const checkout = fixture.stripe.requests.findLast(({ call }) => call === 'POST /v1/checkout/sessions')?.form
  return { checkout, customer: fixture.stripe.customers.get(String(checkout?.['customer'])) }
}

/** Closes the account as its owner would on the settings page after confirming the password. */
async function close({ id: accountId, email, publicId }: TestAccount): Promise<void> {
  const { pool, log, settings } = fixture.deps()
  const deps = { pool, log, secret: settings.secret, publicUrl: settings.publicUrl, providers: { google: null, oidc: null }, showsOutbox: false }
  const viewer = { accountId, publicId, email, member: { accountId, publicId, email, name: '', role: 'owner' } }
  await closeAccount(deps, { address: null, agent: '' }, viewer as Parameters<typeof closeAccount>[2], email)
}

test('stores billing details without extra spaces, and removes them if all fields are empty', async () => {
  const account = await fixture.account()
  expect(await portal(account).details()).toEqual({ details: null, email: account.email })
  await portal(account).setDetails({ ...acme, name: '  Acme   Ltd ', postcode: 'ls1 4ap', vatNumber: 'gb 123 4567-89' })
  expect((await portal(account).details()).details).toEqual(acme)
  await portal(account).setDetails(none)
  expect((await portal(account).details()).details).toBeNull()
  const { rows } = await fixture.pool.query("SELECT before, after FROM audit_entry WHERE account_id = $1 AND action = 'billing-details.change' ORDER BY id", [
    account.id,
  ])
  const [without, withDetails] = [
    { hasDetails: false, hasVatNumber: false },
    { hasDetails: true, hasVatNumber: true },
  ]
  expect(rows).toEqual([
    { before: without, after: withDetails },
    { before: withDetails, after: without },
  ])
})

test('accepts Swiss VAT numbers with their suffix', async () => {
  const account = await fixture.account()
  await portal(account).setDetails({ ...acme, country: 'CH', vatNumber: 'CHE-123.456.789 MWST' })
  expect((await portal(account).details()).details?.vatNumber).toBe('CHE123456789MWST')
})

test.each([
  [{ name: '' }, { name: 'Enter the name of your company, or your own.' }],
  [
    { line1: '', city: ' ' },
    { line1: 'Enter the first line of the address.', city: 'Enter the town or city.' },
  ],
  [{ country: 'XX' }, { country: 'Choose a country from the list.' }],
  [{ vatNumber: '123456789' }, { vatNumber: 'Enter the VAT number with its country code, such as GB123456789.' }],
  [{ vatNumber: 'GB12345' }, { vatNumber: 'Enter the VAT number with its country code, such as GB123456789.' }],
  [{ name: 'A'.repeat(201) }, { name: 'Use at most 200 characters.' }],
])('rejects %o', async (change, faults) => {
  const account = await fixture.account()
  await expect(portal(account).setDetails({ ...acme, ...change })).rejects.toMatchObject({ cause: { faults } })
  expect((await portal(account).details()).details).toBeNull()
})

verifies('billing/details', async () => {
  const account = await fixture.account()
  await fixture.start(account)
  expect(getCheckout().checkout).toMatchObject({ customer_update: { name: 'auto', address: 'auto' }, billing_address_collection: 'auto' })
  await portal(account).setDetails(acme)
  await fixture.topUp(account)
  const { checkout, customer } = getCheckout()
  expect(checkout).toMatchObject({ invoice_creation: { invoice_data: { custom_fields: [{ name: 'Your VAT number', value: 'GB123456789' }] } } })
  expect(checkout).not.toHaveProperty('customer_update')
  expect(checkout).not.toHaveProperty('tax_id_collection')
  expect(customer).toMatchObject({ name: 'Acme Ltd', address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP', country: 'GB' } })
  await portal(account).setDetails({ ...acme, name: 'Acme Group Ltd' })
  expect(await getBilledTo(account)).toEqual([acme])
})

verifies('billing/changed-details', 'closes the open checkouts at Stripe if the details have changed, before the next one opens', async () => {
  const account = await fixture.account()
  await portal(account).setDetails(acme)
  const [first, other] = [await fixture.start(account), await fixture.start(account, 3_000)]
  expect((await fixture.start(account)).topUp).toBe(first.topUp)
  await portal(account).setDetails({ ...acme, city: 'York' })
  const next = await fixture.start(account)
  expect(next.topUp).not.toBe(first.topUp)
  expect([first, other, next].map(({ session }) => session.status)).toEqual(['expired', 'expired', 'open'])
})

test("closes the open checkouts at Stripe before the Stripe customer's details change", async () => {
  const account = await fixture.account()
  const { session } = await fixture.start(account)
  await portal(account).setDetails(acme)
  const { payments, ...deps } = fixture.deps()
  if (!payments) throw new Error('Payments are not set up. These tests need a billing fixture with payments.')
  const broken = { ...deps, payments: { ...payments, closeCheckout: () => Promise.reject(new Error('An error of Stripe')) } }
  await updateCustomerEmails(broken, running)
  expect(getCheckout().customer).not.toHaveProperty('name')
  await fixture.pool.query('UPDATE payment_customer SET not_before = NULL WHERE account_id = $1', [account.id])
  await updateCustomerEmails(fixture.deps(), running)
  expect([session.status, getCheckout().customer]).toMatchObject(['expired', { name: 'Acme Ltd' }])
})

test('a job closes checkouts with outdated details, including those of accounts closed since', async () => {
  const account = await fixture.account()
  const { session } = await fixture.start(account)
  await portal(account).setDetails(acme)
  await close(account)
  for (let turn = 0; turn < 2; turn++) await closeCheckouts(fixture.deps(), running)
  expect(session.status).toBe('expired')
  expect(fixture.stripe.requests.filter(({ path }) => path === `/v1/checkout/sessions/${session.id}/expire`)).toHaveLength(1)
})

test('rejects a repeated purchase key if the details have changed, and accepts it once the purchase is paid', async () => {
  const account = await fixture.account()
  const purchase = { key: newId('key'), amountPence: 2_000, savesCard: false }
  const { topUp } = await startTopUp(fixture.deps(), account.id, purchase)
  // As stored by a version that left the checkout open.
  await inTransaction(fixture.pool, (tx) => tx.billingDetails.create({ data: { accountId: account.id, ...acme } }))
  await expect(startTopUp(fixture.deps(), account.id, purchase)).rejects.toMatchObject({
    faults: { form: expect.stringContaining('billing details have changed') },
  })
  const checkout = [...fixture.stripe.sessions.values()].at(-1)
  await fixture.send(getEvent('checkout.session.completed', fixture.stripe.pay(checkout?.id ?? '').session))
  expect((await startTopUp(fixture.deps(), account.id, purchase)).topUp).toMatchObject({ id: topUp.id, state: 'paid' })
})

test('invoices show only the VAT number from the portal', async () => {
  const account = await fixture.account()
  await fixture.topUp(account)
  const customer = String(getCheckout().customer?.id)
  fixture.stripe.taxIds.set(customer, ['txi_one', 'txi_two'])
  await portal(account).setDetails(acme)
  await fixture.start(account)
  expect(fixture.stripe.taxIds.get(customer)).toEqual([])
})

verifies('billing/removed-details', 'removes the name and address at Stripe when the details are removed, but not those entered at a checkout', async () => {
  const [account, other] = [await fixture.account(), await fixture.account()]
  await portal(account).setDetails(acme)
  await fixture.start(account)
  const { customer } = getCheckout()
  await fixture.start(other)
  const { customer: entered } = getCheckout()
  Object.assign(entered ?? {}, { name: 'Entered at Stripe' })
  await portal(account).setDetails(none)
  await fixture.pool.query('UPDATE payment_customer SET is_stale = true WHERE account_id = $1', [other.id])
  await updateCustomerEmails(fixture.deps(), running)
  expect(customer).toMatchObject({ name: '', address: '', email: account.email })
  expect(entered).toMatchObject({ name: 'Entered at Stripe' })
})

test('an email address that Stripe rejects does not block purchases with details', async () => {
  const account = await fixture.account()
  await portal(account).setDetails(acme)
  const { payments, ...deps } = fixture.deps()
  if (!payments) throw new Error('Payments are not set up. These tests need a billing fixture with payments.')
  const broken = { ...deps, payments: { ...payments, setEmail: () => Promise.reject(new Error('Invalid email address')) } }
  await fixture.start(account, 2_000, { deps: broken })
  expect(getCheckout().customer).toMatchObject({ name: 'Acme Ltd', address: { city: 'Leeds' } })
})

test('updates the Stripe customer after a change', async () => {
  const account = await fixture.account()
  await fixture.start(account)
  await portal(account).setDetails(acme)
  expect(getCheckout().customer).not.toHaveProperty('name')
  await updateCustomerEmails(fixture.deps(), running)
  expect(getCheckout().customer).toMatchObject({ name: 'Acme Ltd', email: account.email })
  expect((await fixture.pool.query('SELECT is_stale FROM payment_customer WHERE account_id = $1', [account.id])).rows).toEqual([{ is_stale: false }])
})

test('stores the details with automatic top-ups, which have no invoice', async () => {
  const account = await savers.saver({ thresholdCredits: 50 })
  await portal(account).setDetails(acme)
  await savers.spend(account, 1)
  await savers.begin()
  expect((await getBilledTo(account))[0]).toEqual(acme)
  await savers.switchOff()
})

verifies('billing/removed-details', 'closing an account deletes its details, including those of earlier payments and those at Stripe', async () => {
  const account = await fixture.account()
  await portal(account).setDetails(acme)
  await fixture.topUp(account)
  const { customer } = getCheckout()
  fixture.stripe.taxIds.set(String(customer?.id), ['txi_one'])
  await close(account)
  const { id: accountId, email } = account
  const left = await inTransaction(fixture.pool, async (tx) => ({
    details: await tx.billingDetails.count({ where: { accountId } }),
    topUps: (await tx.topUp.findMany({ where: { accountId }, select: { billedTo: true } })).map(({ billedTo }) => billedTo),
  }))
  expect(left).toEqual({ details: 0, topUps: [null] })
  const before = fixture.stripe.requests.length
  await updateCustomerEmails(fixture.deps(), running)
  expect(customer).toMatchObject({ name: '', address: '', email })
  expect(fixture.stripe.taxIds.get(String(customer?.id))).toEqual([])
  const after = fixture.stripe.requests.length
  expect(after).toBeGreaterThan(before)
  await updateCustomerEmails(fixture.deps(), running)
  expect(fixture.stripe.requests).toHaveLength(after)
})

test('closing an account whose customer was deleted at Stripe does not create another customer', async () => {
  const account = await fixture.account()
  await fixture.start(account)
  const customers = fixture.stripe.customers
  customers.delete(String(getCheckout().customer?.id))
  await close(account)
  const before = customers.size
  await updateCustomerEmails(fixture.deps(), running)
  expect(customers.size).toBe(before)
  expect((await fixture.pool.query('SELECT is_stale FROM payment_customer WHERE account_id = $1', [account.id])).rows).toEqual([{ is_stale: false }])
})
