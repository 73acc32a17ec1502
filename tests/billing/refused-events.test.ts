import { describe, expect, test } from 'vitest'
import { receiveEvent } from '#server/billing/receive-stripe-event.ts'
import { startTopUp } from '#server/billing/top-ups.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getPortal } from './support/portal.ts'
import { getEvent, newId, nowSeconds, type StripeEvent, sign } from './support/stripe-objects.ts'

const fixture = new BillingFixture()

const acknowledged = { status: 200, body: { received: true } }

/** Returns a digest of all billing tables, to assert that nothing was changed. */
async function everything(): Promise<unknown> {
  const tables = ['wallet', 'ledger_entry', 'top_up', 'stripe_event', 'stripe_payment', 'stripe_refund', 'stripe_dispute', 'billing_notice']
  const sums = tables.map((table) => `SELECT '${table}' AS name, count(*)::int AS n, md5(string_agg(t::text, ',' ORDER BY t::text)) AS hash FROM ${table} t`)
  return (await fixture.pool.query(sums.join(' UNION ALL '))).rows
}

describe('events that change nothing', () => {
  /** Sends a body and a signature, and asserts that nothing was changed and one line was logged. */
  async function refused(body: string, signature: string | null, changes: Parameters<typeof fixture.deps>[0] = {}) {
    const before = await everything()
    const answer = await receiveEvent(fixture.deps(changes), Buffer.from(body), signature)
    expect(await everything()).toEqual(before)
    expect(fixture.log).toHaveLength(1)
    return { answer, line: fixture.log[0] }
  }

  async function paidEvent(changes: Partial<StripeEvent> = {}): Promise<StripeEvent> {
    const { session } = await fixture.start(await fixture.account())
    const { session: paid } = fixture.stripe.pay(session.id)
    return getEvent('checkout.session.completed', paid, changes)
  }

  test.each([
    ['without a signature', () => null, 'unsigned'],
    ['with an empty signature', () => '', 'unsigned'],
    ['with a malformed signature', () => 'v1=abc', 'forged'],
    ['signed with another secret', (event: StripeEvent) => sign(event, { secret: 'whsec_of_somebody_else' }).signature, 'forged'],
    ['with the signature of a different event', () => sign(getEvent('charge.refunded', {})).signature, 'forged'],
    ['signed more than five minutes ago', (event: StripeEvent) => sign(event, { at: nowSeconds() - 302 }).signature, 'stale'],
    ['with a timestamp in the future', (event: StripeEvent) => sign(event, { at: nowSeconds() + 302 }).signature, 'stale'],
    ['with a second, current timestamp', (event: StripeEvent) => `${sign(event, { at: nowSeconds() - 900 }).signature},t=${nowSeconds()}`, 'forged'],
  ])('rejects an event %s', async (_, getSignature, reason) => {
    const event = await paidEvent()
    const { answer, line } = await refused(JSON.stringify(event), getSignature(event))
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(line).toMatchObject({ level: 40, reason, msg: 'Rejected a Stripe event; nothing was changed.' })
  })

  test('rejects a body changed after signing', async () => {
    const { body, signature } = sign(await paidEvent())
    const { line } = await refused(body.replace('"amount_total":2000', '"amount_total":9000'), signature)
    expect(line).toMatchObject({ reason: 'forged' })
  })

  test.each([['no JSON'], ['[]'], ['{"id":"evt_1"}'], ['{"id":1,"type":"charge.refunded","livemode":false,"created":1,"data":{"object":{}}}']])(
    'rejects a signed body that is not a valid event: %s',
    async (body) => {
      const { answer, line } = await refused(body, sign(body).signature)
      expect(answer.status).toBe(400)
      expect(line).toMatchObject({ reason: 'unreadable' })
    },
  )

  test('rejects a live-mode event with a test key', async () => {
    const { body, signature } = sign(await paidEvent({ livemode: true }))
    const { answer, line } = await refused(body, signature)
    expect(answer.status).toBe(400)
    expect(line).toMatchObject({ reason: 'the event is in live mode, but this service is not' })
  })

  test('rejects a test event in production, with a live key, a test key or no key', async () => {
    for (const stripeKey of ['sk_live_of_the_tests', 'sk_test_of_the_tests', 'rk_test_of_the_tests', null]) {
      fixture.log.length = 0
      const { body, signature } = sign(await paidEvent())
      const { answer, line } = await refused(body, signature, { stripeKey, developmentFeatures: false })
      expect(answer.status).toBe(400)
      expect(line).toMatchObject({ level: 40, reason: 'the event is in test mode, but this service is not' })
    }
  })

  test('starts no top-up with a test key in production', async () => {
    const account = await fixture.account()
    const deps = fixture.deps({ stripeKey: 'sk_test_of_the_tests', developmentFeatures: false })
    await expect(startTopUp(deps, account.id, { key: newId('key'), amountPence: 2_000, savesCard: false })).rejects.toThrow(
      'Payments are not set up on this service.',
    )
    expect(await getPortal(deps, account).billing.overview()).toMatchObject({ mode: null })
  })

  test('acknowledges but does not apply a live event for a purchase started in test mode', async () => {
    const { body, signature } = sign(await paidEvent({ livemode: true }))
    const { answer, line } = await refused(body, signature, { stripeKey: 'sk_live_of_the_tests' })
    // The event is authentic but can never be applied, so Stripe must not retry it.
    expect(answer).toEqual(acknowledged)
    expect(line).toMatchObject({ level: 50, reason: expect.stringMatching(/^top_\w+ was started in test mode$/) })
  })

  test.each([
    ['a different amount', { amount_total: 2_010 }, /is for 2000 pence, but 2010 pence were paid$/],
    ['an amount below a penny', { amount_total: 0.5 }, /has no amount in whole pence$/],
    ['a different currency', { currency: 'usd' }, /is in usd, not in gbp$/],
    ['no payment required', { payment_status: 'no_payment_required' }, /was completed without a payment$/],
    ['a different session id', { id: 'cs_of_somebody_else' }, /has a different checkout session$/],
    ['no PaymentIntent', { payment_intent: null }, /is for 2000 pence/],
  ])('acknowledges but does not apply a checkout with %s', async (_, changes, reason) => {
    const event = await paidEvent()
    const { body, signature } = sign({ ...event, data: { object: { ...event.data.object, ...changes } } })
    const { answer, line } = await refused(body, signature)
    expect(answer).toEqual(acknowledged)
    expect(line).toMatchObject({ level: 50, reason: expect.stringMatching(reason) })
  })

  test('acknowledges but does not apply a second payment for a paid purchase', async () => {
    const { session } = await fixture.topUp(await fixture.account())
    fixture.log.length = 0
    const { body, signature } = sign(getEvent('checkout.session.completed', { ...session, payment_intent: newId('pi') }))
    expect((await refused(body, signature)).line).toMatchObject({ level: 50, reason: expect.stringMatching(/has a different payment$/) })
  })

  test('rejects every event if no signing secret is set', async () => {
    const { body, signature } = sign(await paidEvent())
    const { answer, line } = await refused(body, signature, { stripeKey: null, webhookSecret: null, developmentFeatures: false })
    expect(answer.status).toBe(503)
    expect(line).toMatchObject({ reason: 'STRIPE_WEBHOOK_SECRET is not set' })
  })
})

describe('unrelated events', () => {
  test('acknowledges unhandled event types in test and live mode', async () => {
    const before = await everything()
    expect(await fixture.send(getEvent('customer.created', { id: 'cus_1' }))).toEqual(acknowledged)
    expect(await fixture.send(getEvent('a.type.of.the.future', {}, { livemode: true }))).toEqual(acknowledged)
    expect(await everything()).toEqual(before)
    expect(fixture.log).toEqual([])
  })

  test('acknowledges payments for other products of the Stripe account without crediting anyone', async () => {
    const { charge } = await fixture.topUp(await fixture.account())
    const foreign = { id: newId('ch'), payment_intent: newId('pi'), amount_refunded: 100, metadata: {} }
    const wallets = async () => (await fixture.pool.query('SELECT account_id, balance FROM wallet ORDER BY 1')).rows
    const before = await wallets()
    expect(await fixture.send(getEvent('charge.refunded', { ...charge, ...foreign }))).toEqual(acknowledged)
    const dispute = { id: newId('dp'), amount: 100, currency: 'gbp', status: 'lost', payment_intent: null }
    expect(await fixture.send(getEvent('charge.dispute.created', dispute))).toEqual(acknowledged)
    expect(await wallets()).toEqual(before)
  })
})
