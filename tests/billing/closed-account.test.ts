import { expect, test } from 'vitest'
import { deliverNotices, type Notice } from '#server/billing/billing-notices.ts'
import { closeCheckouts } from '#server/billing/close-checkouts.ts'
import { closeBilling, readSavedCards } from '#server/billing/saved-cards.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { closeAccount } from '#server/self-service/close-account.ts'
import type { TestAccount } from '../support/accounts.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getPortal } from './support/portal.ts'
import { Savers } from './support/savers.ts'
import { getEvent } from './support/stripe-objects.ts'

const fixture = new BillingFixture()
const savers = new Savers(fixture)
const running = new AbortController().signal

/** Closes the account as its owner would on the settings page after confirming the password. */
async function close(account: TestAccount): Promise<void> {
  const { pool, log, settings } = fixture.deps()
  const providers = { google: null, oidc: null }
  const deps = { pool, log, secret: settings.secret, publicUrl: settings.publicUrl, providers, showsOutbox: false }
  const { id: accountId, email, publicId } = account
  const member = { accountId, publicId, email, name: '', role: 'owner' }
  await closeAccount(deps, { address: null, agent: '' }, { accountId, publicId, email, member } as Parameters<typeof closeAccount>[2], email)
}

async function takeNotices(): Promise<Notice[]> {
  const notices: Notice[] = []
  await deliverNotices(fixture.deps(), async (_client, notice) => void notices.push(notice), running)
  return notices
}

const getStates = async ({ id }: TestAccount) =>
  (await fixture.pool.query<{ state: string }>('SELECT state FROM top_up WHERE account_id = $1 ORDER BY id', [id])).rows.map(({ state }) => state)

test('closing an account turns automatic top-ups off and deletes the card, even if the card details have not been loaded yet', async () => {
  const account = await savers.saver()
  await fixture.topUp(account, 600, { savesCard: true })
  await close(account)
  await readSavedCards(fixture.deps(), running)
  await savers.begin()
  expect(savers.getCharges(account)).toEqual([])
  const overview = await getPortal(fixture.deps(), account).billing.overview()
  expect(overview).toMatchObject({ card: null, autoTopUp: { isOn: false, offReason: 'The account was closed.' } })
  const { rows } = await fixture.pool.query('SELECT payment_method_id, card_brand, card_last4, card_expires FROM payment_customer WHERE account_id = $1', [
    account.id,
  ])
  expect(rows).toEqual([{ payment_method_id: null, card_brand: null, card_last4: null, card_expires: null }])
})

test('expires the open checkouts of a closed account, and no others', async () => {
  const [account, other] = [await fixture.account(), await fixture.account()]
  const { session } = await fixture.start(account, 500)
  const { session: kept } = await fixture.start(other, 500)
  // Simulates a process that died before saving the checkout's id and URL.
  const lost = await fixture.start(account, 600)
  await fixture.pool.query("UPDATE top_up SET checkout_session_id = NULL, checkout_url = NULL, created_at = now() - interval '1 hour' WHERE public_id = $1", [
    lost.topUp,
  ])
  await close(account)
  await closeCheckouts(fixture.deps(), running)
  expect([session.status, kept.status]).toEqual(['expired', 'open'])
  expect(() => fixture.stripe.pay(session.id)).toThrow('is closed')
  expect([await getStates(account), await getStates(other)]).toEqual([['expired', 'expired'], ['open']])
})

test('credits a payment whose event arrives after the account is closed, and notifies only the administrators', async () => {
  const admin = await fixture.account()
  await fixture.pool.query("UPDATE account SET role = 'admin' WHERE id = $1", [admin.id])
  const account = await fixture.account()
  const { session, topUp } = await fixture.start(account, 2_000)
  const { charge, payment } = fixture.stripe.pay(session.id)
  await close(account)
  await closeCheckouts(fixture.deps(), running)
  // The checkout had just been paid, so Stripe refused to expire it.
  expect(fixture.stripe.faults.splice(0)).toEqual([expect.stringContaining('This Checkout Session is complete')])
  await takeNotices()
  const event = getEvent('checkout.session.completed', session)
  for (let time = 0; time < 2; time++) await fixture.send(event)
  expect(await fixture.moves(account)).toEqual([['top_up', 200]])
  expect(await takeNotices()).toMatchObject([
    {
      notice: 'top_up.closed',
      recipients: [admin.email],
      facts: { account: account.publicId, topUp, payment: payment.id, amountPence: 2_000 },
    },
  ])
  await fixture.send(getEvent('charge.refunded', fixture.stripe.refund(charge, 2_000)))
  expect(await takeNotices()).toMatchObject(['balance.low', 'refund'].map((notice) => ({ notice, account: account.publicId, recipients: [] })))
})

test('credits a payment whose event arrives while the account is being closed, and notifies the administrators', async () => {
  const account = await fixture.account()
  const { session, topUp } = await fixture.start(account, 500)
  fixture.stripe.pay(session.id)
  const [sending] = await inTransaction(fixture.pool, async (client) => {
    await closeBilling(client, account.id)
    const sent = fixture.send(getEvent('checkout.session.completed', session))
    await client.query('UPDATE account SET closed_at = now() WHERE id = $1', [account.id])
    return [sent]
  })
  expect(await sending).toMatchObject({ status: 200 })
  expect(await fixture.moves(account)).toEqual([['top_up', 50]])
  expect(await takeNotices()).toMatchObject([{ notice: 'top_up.closed', facts: { topUp } }])
})
