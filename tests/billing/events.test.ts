import { describe, expect, test } from 'vitest'
import { receiveEvent } from '../../server/billing/receive-event.ts'
import { verifies } from '../requirements/verifies.ts'
import { BillingStage } from './support/billing-stage.ts'
import { eventOf, newId, nowSeconds, type StripeEvent, sign } from './support/stripe-objects.ts'

const stage = new BillingStage()

const acknowledged = { status: 200, body: { received: true } }

/** Everything that billing has written, to show that nothing was changed. */
async function everything(): Promise<unknown> {
  const tables = ['wallet', 'ledger_entry', 'top_up', 'stripe_event', 'stripe_payment', 'stripe_dispute', 'billing_notice']
  const sums = tables.map((table) => `SELECT '${table}' AS name, count(*)::int AS n, md5(string_agg(t::text, ',' ORDER BY t::text)) AS hash FROM ${table} t`)
  return (await stage.pool.query(sums.join(' UNION ALL '))).rows
}

const permutations = <Item>(items: readonly Item[]): Item[][] =>
  items.length <= 1 ? [[...items]] : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))

describe('a checkout', () => {
  test('that is paid is credited with the event, once', async () => {
    const account = await stage.account()
    const { topUp, session } = await stage.start(account)
    stage.stripe.pay(session.id)
    const event = eventOf('checkout.session.completed', session)
    for (let time = 0; time < 3; time++) expect(await stage.send(event)).toEqual(acknowledged)
    // The same thing under another id, as Stripe may send it, and what the payment says of itself.
    await stage.send(eventOf('checkout.session.completed', session))
    await stage.send(eventOf('payment_intent.succeeded', stage.stripe.payments.get(session.payment_intent ?? '') ?? {}))
    expect(await stage.entries(account)).toEqual([
      { kind: 'top_up', credits: 200, balance_after: 200, actor: 'account', reason: 'Top-up of £20.00.', reference: topUp },
    ])
    expect(stage.log.map(({ applied }) => applied)).toEqual(['applied', 'duplicate', 'duplicate', 'applied', 'applied'])
  })

  test('whose money comes later is credited when it has come, and its owner is told', async () => {
    const account = await stage.account()
    const { session, topUp } = await stage.start(account)
    const { payment } = stage.stripe.pay(session.id)
    await stage.send(eventOf('checkout.session.completed', { ...session, payment_status: 'unpaid' }))
    expect(await stage.moves(account)).toEqual([])
    await stage.send(eventOf('checkout.session.async_payment_succeeded', session))
    expect(await stage.moves(account)).toEqual([['top_up', 200]])
    expect(await stage.notices(account)).toEqual([{ kind: 'top_up.paid', data: { topUp, credits: 200 } }])
    expect(payment.status).toBe('succeeded')
  })

  test('whose money does not come is not credited, in either order', async () => {
    for (const isLate of [true, false]) {
      const account = await stage.account()
      const { session } = await stage.start(account)
      const completed = eventOf('checkout.session.completed', { ...session, payment_status: 'unpaid' })
      const failed = eventOf('checkout.session.async_payment_failed', session)
      for (const event of isLate ? [completed, failed] : [failed, completed]) await stage.send(event)
      expect(await stage.moves(account)).toEqual([])
      const { rows } = await stage.pool.query('SELECT state, failure FROM top_up WHERE account_id = $1', [account.id])
      expect(rows).toEqual([{ state: 'failed', failure: 'The bank did not pay.' }])
    }
  })

  test('on which a card is declined stays open for another one', async () => {
    const account = await stage.account()
    const { session, topUp } = await stage.start(account)
    const { payment } = stage.stripe.pay(session.id)
    const declined = { ...payment, status: 'requires_payment_method', last_payment_error: { message: 'Your card was declined.' } }
    await stage.send(eventOf('payment_intent.payment_failed', declined))
    const { rows } = await stage.pool.query('SELECT state, failure FROM top_up WHERE public_id = $1', [topUp])
    expect(rows).toEqual([{ state: 'open', failure: 'Your card was declined.' }])
    await stage.send(eventOf('checkout.session.completed', session))
    expect(await stage.moves(account)).toEqual([['top_up', 200]])
  })

  test('that expired is over; one that expired and was paid all the same is paid', async () => {
    const account = await stage.account()
    const { session } = await stage.start(account)
    await stage.send(eventOf('checkout.session.expired', session))
    const { rows } = await stage.pool.query('SELECT state FROM top_up WHERE account_id = $1', [account.id])
    expect(rows).toEqual([{ state: 'expired' }])
    stage.stripe.pay(session.id)
    await stage.send(eventOf('checkout.session.completed', session))
    expect(await stage.balance(account)).toBe(200)
  })

  test('whose page was made but not written down is found by its own reference', async () => {
    const account = await stage.account()
    const { session, topUp } = await stage.start(account)
    await stage.pool.query('UPDATE top_up SET checkout_session_id = NULL, checkout_url = NULL WHERE public_id = $1', [topUp])
    stage.stripe.pay(session.id)
    await stage.send(eventOf('checkout.session.completed', session))
    expect(await stage.balance(account)).toBe(200)
  })
})

describe('refunds and disputes', () => {
  verifies('billing/refunds-are-entries', async () => {
    const account = await stage.account()
    const { charge, topUp } = await stage.topUp(account)
    for (const pence of [500, 300]) await stage.send(eventOf('charge.refunded', stage.stripe.refund(charge, pence)))
    const dispute = stage.stripe.dispute(charge, 1_200)
    await stage.send(eventOf('charge.dispute.created', dispute))
    await stage.send(eventOf('charge.dispute.closed', { ...dispute, status: 'won' }))
    expect(await stage.entries(account)).toEqual([
      { kind: 'top_up', credits: 200, balance_after: 200, actor: 'account', reason: 'Top-up of £20.00.', reference: topUp },
      { kind: 'refund', credits: -50, balance_after: 150, actor: 'stripe', reason: 'Refund of a top-up of £20.00.', reference: topUp },
      { kind: 'refund', credits: -30, balance_after: 120, actor: 'stripe', reason: 'Refund of a top-up of £20.00.', reference: topUp },
      { kind: 'dispute', credits: -120, balance_after: 0, actor: 'stripe', reason: 'Top-up of £20.00 disputed.', reference: topUp },
      { kind: 'dispute', credits: 120, balance_after: 120, actor: 'stripe', reason: 'Dispute of a top-up of £20.00: credits given back.', reference: topUp },
    ])
    expect((await stage.notices(account)).map(({ kind }) => kind)).toEqual(['refund', 'refund', 'dispute.opened', 'dispute.returned'])
  })

  test('a refund told again, told late or overtaken by a later one counts once', async () => {
    const account = await stage.account()
    const { charge } = await stage.topUp(account)
    const [first, second] = [500, 700].map((pence) => eventOf('charge.refunded', stage.stripe.refund(charge, pence)))
    for (const event of [second, first, second, first]) if (event) await stage.send({ ...event, id: newId('evt') })
    expect(await stage.moves(account)).toEqual([
      ['top_up', 200],
      ['refund', -120],
    ])
  })

  test('a credit is taken when all of it was paid back, and a whole refund takes all', async () => {
    const account = await stage.account()
    const { charge } = await stage.topUp(account, 500)
    const balances: number[] = []
    for (const pence of [9, 1, 5, 485]) {
      await stage.send(eventOf('charge.refunded', stage.stripe.refund(charge, pence)))
      balances.push(await stage.balance(account))
    }
    expect(balances).toEqual([50, 49, 49, 0])
  })

  test('a dispute that is lost keeps what it took; an inquiry takes nothing', async () => {
    const account = await stage.account()
    const { charge } = await stage.topUp(account)
    const inquiry = stage.stripe.dispute(charge, 2_000, 'warning_needs_response')
    await stage.send(eventOf('charge.dispute.created', inquiry))
    expect(await stage.balance(account)).toBe(200)
    // The inquiry becomes a dispute of the same id.
    await stage.send(eventOf('charge.dispute.updated', { ...inquiry, status: 'needs_response' }))
    expect(await stage.balance(account)).toBe(0)
    await stage.send(eventOf('charge.dispute.closed', { ...inquiry, status: 'lost' }))
    expect(await stage.balance(account)).toBe(0)
    await stage.send(eventOf('charge.dispute.updated', { ...inquiry, status: 'appeal_under_review' }, { created: nowSeconds() + 1 }))
    await stage.send(eventOf('charge.dispute.closed', { ...inquiry, status: 'won' }, { created: nowSeconds() + 2 }))
    expect(await stage.balance(account)).toBe(200)
  })

  test('a refund and a dispute of the same money take it once', async () => {
    const account = await stage.account()
    const { charge } = await stage.topUp(account)
    await stage.send(eventOf('charge.dispute.created', stage.stripe.dispute(charge, 2_000)))
    await stage.send(eventOf('charge.refunded', stage.stripe.refund(charge, 600)))
    expect(await stage.balance(account)).toBe(0)
    expect((await stage.moves(account)).map(([, credits]) => credits).reduce((sum, credits) => sum + credits)).toBe(0)
  })

  test('every order of payment, refunds and disputes leads to the same balance', async () => {
    for (const order of permutations([0, 1, 2, 3, 4])) {
      const account = await stage.account()
      const { session } = await stage.start(account)
      const { charge } = stage.stripe.pay(session.id)
      const refunds = [200, 300].map((pence) => eventOf('charge.refunded', stage.stripe.refund(charge, pence)))
      const dispute = stage.stripe.dispute(charge, 1_000)
      const events = [eventOf('checkout.session.completed', session), ...refunds, eventOf('charge.dispute.created', dispute)]
      events.push(eventOf('charge.dispute.closed', { ...dispute, status: 'won' }))
      for (const at of order) if (events[at]) await stage.send(events[at])
      expect(await stage.balance(account), `order ${order.join()}`).toBe(150)
    }
  })

  test('a refund and the payment that arrive at the same moment are both counted', async () => {
    const room = stage.room()
    for (let round = 0; round < 25; round++) {
      const account = await stage.account()
      const { session } = await stage.start(account)
      const { charge } = stage.stripe.pay(session.id)
      // Nothing but the payment's id leads from this refund to the purchase, as long as the other event has not told of it.
      const refund = eventOf('charge.refunded', { ...stage.stripe.refund(charge, 500), metadata: {} })
      await Promise.all([stage.send(refund, room), stage.send(eventOf('checkout.session.completed', session), room)])
      expect(await stage.balance(account)).toBe(150)
    }
  })
})

describe('what is refused changes nothing', () => {
  /** Sends bytes and a signature, and shows that nothing was changed and one line was written. */
  async function refused(body: string, signature: string | null, changes: Parameters<typeof stage.room>[0] = {}) {
    const before = await everything()
    const answer = await receiveEvent(stage.room(changes), Buffer.from(body), signature)
    expect(await everything()).toEqual(before)
    expect(stage.log).toHaveLength(1)
    return { answer, line: stage.log[0] }
  }

  async function paidEvent(changes: Partial<StripeEvent> = {}): Promise<StripeEvent> {
    const { session } = await stage.start(await stage.account())
    const { session: paid } = stage.stripe.pay(session.id)
    return eventOf('checkout.session.completed', paid, changes)
  }

  test.each([
    ['without a signature', () => null, 'unsigned'],
    ['with an empty signature', () => '', 'unsigned'],
    ['with a signature that is none', () => 'v1=abc', 'forged'],
    ['signed with another secret', (event: StripeEvent) => sign(event, { secret: 'whsec_of_somebody_else' }).signature, 'forged'],
    ['signed for another event', () => sign(eventOf('charge.refunded', {})).signature, 'forged'],
    ['signed more than five minutes ago', (event: StripeEvent) => sign(event, { at: nowSeconds() - 302 }).signature, 'stale'],
    ['signed for a time ahead', (event: StripeEvent) => sign(event, { at: nowSeconds() + 302 }).signature, 'stale'],
    ['with a second time that would make it fresh', (event: StripeEvent) => `${sign(event, { at: nowSeconds() - 900 }).signature},t=${nowSeconds()}`, 'forged'],
  ])('an event %s', async (_, signatureOf, reason) => {
    const event = await paidEvent()
    const { answer, line } = await refused(JSON.stringify(event), signatureOf(event))
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(line).toMatchObject({ level: 40, reason, msg: 'A Stripe event was refused; nothing was changed.' })
  })

  test('a body that was changed behind its signature', async () => {
    const { body, signature } = sign(await paidEvent())
    const { line } = await refused(body.replace('"amount_total":2000', '"amount_total":9000'), signature)
    expect(line).toMatchObject({ reason: 'forged' })
  })

  test.each([['no JSON'], ['[]'], ['{"id":"evt_1"}'], ['{"id":1,"type":"charge.refunded","livemode":false,"created":1,"data":{"object":{}}}']])(
    'a signed %s',
    async (body) => {
      const { answer, line } = await refused(body, sign(body).signature)
      expect(answer.status).toBe(400)
      expect(line).toMatchObject({ reason: 'unreadable' })
    },
  )

  test('an event of live mode, while the key is of test mode', async () => {
    const { body, signature } = sign(await paidEvent({ livemode: true }))
    const { answer, line } = await refused(body, signature)
    expect(answer.status).toBe(400)
    expect(line).toMatchObject({ reason: 'it is of live mode, this service is not' })
  })

  test('in production a test event never credits: with a live key, and without a key', async () => {
    for (const stripeKey of ['sk_live_of_the_tests', null]) {
      stage.log.length = 0
      const { body, signature } = sign(await paidEvent())
      const { answer, line } = await refused(body, signature, { stripeKey, isProduction: true })
      expect(answer.status).toBe(400)
      expect(line).toMatchObject({ level: 40, reason: 'it is of test mode, this service is not' })
    }
  })

  test('a live event never credits what was begun in test mode', async () => {
    const { body, signature } = sign(await paidEvent({ livemode: true }))
    const { answer, line } = await refused(body, signature, { stripeKey: 'sk_live_of_the_tests' })
    // It is authentic and will not become true, so it is not asked for again.
    expect(answer).toEqual(acknowledged)
    expect(line).toMatchObject({ level: 50, reason: expect.stringMatching(/^top_\w+ was begun in test mode$/) })
  })

  test.each([
    ['another amount', { amount_total: 2_010 }, /asked for 2000 pence, paid were 2010$/],
    ['less than a penny', { amount_total: 0.5 }, /has no amount in whole pence$/],
    ['another currency', { currency: 'usd' }, /is in usd, not in gbp$/],
    ['no payment', { payment_status: 'no_payment_required' }, /was completed without a payment$/],
    ['another session', { id: 'cs_of_somebody_else' }, /has another checkout session$/],
    ['no payment of its own', { payment_intent: null }, /asked for 2000 pence/],
  ])('a checkout that says %s', async (_, changes, reason) => {
    const event = await paidEvent()
    const { body, signature } = sign({ ...event, data: { object: { ...event.data.object, ...changes } } })
    const { answer, line } = await refused(body, signature)
    expect(answer).toEqual(acknowledged)
    expect(line).toMatchObject({ level: 50, reason: expect.stringMatching(reason) })
  })

  test('a second payment for a purchase that is paid', async () => {
    const { session } = await stage.topUp(await stage.account())
    stage.log.length = 0
    const { body, signature } = sign(eventOf('checkout.session.completed', { ...session, payment_intent: newId('pi') }))
    expect((await refused(body, signature)).line).toMatchObject({ level: 50, reason: expect.stringMatching(/has another payment$/) })
  })

  test('any event, while nobody has said what it would be signed with', async () => {
    const { body, signature } = sign(await paidEvent())
    const { answer, line } = await refused(body, signature, { stripeKey: null, webhookSecret: null })
    expect(answer.status).toBe(503)
    expect(line).toMatchObject({ reason: 'STRIPE_WEBHOOK_SECRET is not set' })
  })
})

describe('what is none of ours', () => {
  test('a type that nothing depends on is acknowledged, of whatever mode', async () => {
    const before = await everything()
    expect(await stage.send(eventOf('customer.created', { id: 'cus_1' }))).toEqual(acknowledged)
    expect(await stage.send(eventOf('a.type.of.the.future', {}, { livemode: true }))).toEqual(acknowledged)
    expect(await everything()).toEqual(before)
    expect(stage.log).toEqual([])
  })

  test('payments of something else at the same Stripe account are acknowledged and credit nobody', async () => {
    const { charge } = await stage.topUp(await stage.account())
    const foreign = { id: newId('ch'), payment_intent: newId('pi'), amount_refunded: 100, metadata: {} }
    const wallets = async () => (await stage.pool.query('SELECT account_id, balance FROM wallet ORDER BY 1')).rows
    const before = await wallets()
    expect(await stage.send(eventOf('charge.refunded', { ...charge, ...foreign }))).toEqual(acknowledged)
    const dispute = { id: newId('dp'), amount: 100, currency: 'gbp', status: 'lost', payment_intent: null }
    expect(await stage.send(eventOf('charge.dispute.created', dispute))).toEqual(acknowledged)
    expect(await wallets()).toEqual(before)
  })
})
