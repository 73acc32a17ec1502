import { describe, expect, test, vi } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getEvent, newId, nowSeconds } from './support/stripe-objects.ts'

// Some tests apply hundreds of events, each in a transaction.
vi.setConfig({ testTimeout: 120_000 })

const fixture = new BillingFixture()

const acknowledged = { status: 200, body: { received: true } }

const permutations = <Item>(items: readonly Item[]): Item[][] =>
  items.length <= 1 ? [[...items]] : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))

describe('checkouts', () => {
  test('credits a paid checkout once', async () => {
    const account = await fixture.account()
    const { topUp, session } = await fixture.start(account)
    fixture.stripe.pay(session.id)
    const event = getEvent('checkout.session.completed', session)
    for (let time = 0; time < 3; time++) expect(await fixture.send(event)).toEqual(acknowledged)
    // Sends the same event under another id, as Stripe may do, and then the event for the payment itself.
    await fixture.send(getEvent('checkout.session.completed', session))
    await fixture.send(getEvent('payment_intent.succeeded', fixture.stripe.payments.get(session.payment_intent ?? '') ?? {}))
    expect(await fixture.entries(account)).toEqual([
      { kind: 'top_up', credits: 200, balance_after: 200, actor: 'account', reason: 'Top-up of £20.00.', reference: topUp },
    ])
    expect(fixture.log.map(({ applied }) => applied)).toEqual(['applied', 'duplicate', 'duplicate', 'applied', 'applied'])
  })

  test('credits a delayed payment when it arrives, and notifies the owner', async () => {
    const account = await fixture.account()
    const { session, topUp } = await fixture.start(account)
    const { payment } = fixture.stripe.pay(session.id)
    await fixture.send(getEvent('checkout.session.completed', { ...session, payment_status: 'unpaid' }))
    expect(await fixture.moves(account)).toEqual([])
    await fixture.send(getEvent('checkout.session.async_payment_succeeded', session))
    expect(await fixture.moves(account)).toEqual([['top_up', 200]])
    expect(await fixture.notices(account)).toEqual([{ kind: 'top_up.paid', data: { topUp, credits: 200 } }])
    expect(payment.status).toBe('succeeded')
  })

  test('does not credit a delayed payment that fails, whatever the order of its events', async () => {
    for (const isLate of [true, false]) {
      const account = await fixture.account()
      const { session } = await fixture.start(account)
      const completed = getEvent('checkout.session.completed', { ...session, payment_status: 'unpaid' })
      const failed = getEvent('checkout.session.async_payment_failed', session)
      for (const event of isLate ? [completed, failed] : [failed, completed]) await fixture.send(event)
      expect(await fixture.moves(account)).toEqual([])
      const { rows } = await fixture.pool.query('SELECT state, failure FROM top_up WHERE account_id = $1', [account.id])
      expect(rows).toEqual([{ state: 'failed', failure: 'The bank did not complete the payment.' }])
    }
  })

  test('keeps a checkout open after a card is declined, so that another can be tried', async () => {
    const account = await fixture.account()
    const { session, topUp } = await fixture.start(account)
    const { payment } = fixture.stripe.pay(session.id)
    const declined = { ...payment, status: 'requires_payment_method', last_payment_error: { message: 'Your card was declined.' } }
    await fixture.send(getEvent('payment_intent.payment_failed', declined))
    const { rows } = await fixture.pool.query('SELECT state, failure FROM top_up WHERE public_id = $1', [topUp])
    expect(rows).toEqual([{ state: 'open', failure: 'Your card was declined.' }])
    await fixture.send(getEvent('checkout.session.completed', session))
    expect(await fixture.moves(account)).toEqual([['top_up', 200]])
  })

  test('closes an expired checkout, and credits it if it was paid after all', async () => {
    const account = await fixture.account()
    const { session } = await fixture.start(account)
    await fixture.send(getEvent('checkout.session.expired', session))
    const { rows } = await fixture.pool.query('SELECT state FROM top_up WHERE account_id = $1', [account.id])
    expect(rows).toEqual([{ state: 'expired' }])
    fixture.stripe.pay(session.id)
    await fixture.send(getEvent('checkout.session.completed', session))
    expect(await fixture.balance(account)).toBe(200)
  })

  test('finds a checkout by its reference if Stripe created it but its URL was not saved', async () => {
    const account = await fixture.account()
    const { session, topUp } = await fixture.start(account)
    await fixture.pool.query('UPDATE top_up SET checkout_session_id = NULL, checkout_url = NULL WHERE public_id = $1', [topUp])
    fixture.stripe.pay(session.id)
    await fixture.send(getEvent('checkout.session.completed', session))
    expect(await fixture.balance(account)).toBe(200)
  })
})

describe('refunds and disputes', () => {
  verifies('billing/refunds-are-entries', async () => {
    const account = await fixture.account()
    const { charge, topUp } = await fixture.topUp(account)
    for (const pence of [500, 300]) await fixture.send(getEvent('charge.refunded', fixture.stripe.refund(charge, pence)))
    const dispute = fixture.stripe.dispute(charge, 1_200)
    await fixture.send(getEvent('charge.dispute.created', dispute))
    await fixture.send(getEvent('charge.dispute.closed', { ...dispute, status: 'won' }))
    expect(await fixture.entries(account)).toEqual([
      { kind: 'top_up', credits: 200, balance_after: 200, actor: 'account', reason: 'Top-up of £20.00.', reference: topUp },
      { kind: 'refund', credits: -50, balance_after: 150, actor: 'stripe', reason: 'Refund of £20.00 top-up.', reference: topUp },
      { kind: 'refund', credits: -30, balance_after: 120, actor: 'stripe', reason: 'Refund of £20.00 top-up.', reference: topUp },
      { kind: 'dispute', credits: -120, balance_after: 0, actor: 'stripe', reason: 'Top-up of £20.00 disputed.', reference: topUp },
      {
        kind: 'dispute',
        credits: 120,
        balance_after: 120,
        actor: 'stripe',
        reason: 'Dispute over £20.00 top-up resolved: credits returned.',
        reference: topUp,
      },
    ])
    expect((await fixture.notices(account)).map(({ kind }) => kind)).toEqual(['refund', 'refund', 'balance.low', 'dispute.opened', 'dispute.returned'])
  })

  test('applies a refund once, even if its events are repeated, late or out of order', async () => {
    const account = await fixture.account()
    const { charge } = await fixture.topUp(account)
    const [first, second] = [500, 700].map((pence) => getEvent('charge.refunded', fixture.stripe.refund(charge, pence)))
    for (const event of [second, first, second, first]) if (event) await fixture.send({ ...event, id: newId('evt') })
    expect(await fixture.moves(account)).toEqual([
      ['top_up', 200],
      ['refund', -120],
    ])
  })

  test('restores the credits of a failed refund once, and notifies the owner', async () => {
    const account = await fixture.account()
    const { charge, topUp } = await fixture.topUp(account)
    const kept = fixture.stripe.refund(charge, 300)
    await fixture.send(getEvent('charge.refunded', kept))
    await fixture.send(getEvent('refund.created', fixture.stripe.getRefund(kept)))
    await fixture.send(getEvent('charge.refunded', fixture.stripe.refund(charge, 500)))
    const failed = fixture.stripe.failRefund(fixture.stripe.getRefund(charge))
    for (const type of ['refund.failed', 'refund.updated', 'refund.failed']) await fixture.send(getEvent(type, failed))
    expect(await fixture.balance(account)).toBe(170)
    expect((await fixture.entries(account)).slice(-2)).toEqual([
      { kind: 'refund', credits: -50, balance_after: 120, actor: 'stripe', reason: 'Refund of £20.00 top-up.', reference: topUp },
      {
        kind: 'refund',
        credits: 50,
        balance_after: 170,
        actor: 'stripe',
        reason: 'Refund of £20.00 top-up failed: credits returned.',
        reference: topUp,
      },
    ])
    expect((await fixture.notices(account)).at(-1)).toEqual({ kind: 'refund.failed', data: { topUp, credits: 50 } })
    // The refund is made again, to another card.
    await fixture.send(getEvent('charge.refunded', fixture.stripe.refund(charge, 800)))
    await fixture.send(getEvent('refund.created', fixture.stripe.getRefund(charge)))
    expect(await fixture.balance(account)).toBe(90)
  })

  test('reaches the same balance whatever the order of a payment and two refunds, one of which fails', async () => {
    for (const order of permutations([0, 1, 2, 3])) {
      const account = await fixture.account()
      const { session } = await fixture.start(account)
      const { charge } = fixture.stripe.pay(session.id)
      const failed = fixture.stripe.failRefund(fixture.stripe.getRefund(fixture.stripe.refund(charge, 500)))
      const events = [getEvent('checkout.session.completed', session), getEvent('refund.failed', failed)]
      events.push(getEvent('charge.refunded', fixture.stripe.refund(charge, 700)), getEvent('refund.created', fixture.stripe.getRefund(charge)))
      for (const at of order) if (events[at]) await fixture.send(events[at])
      expect(await fixture.balance(account), `order ${order.join()}`).toBe(130)
    }
  })

  test('rounds deducted credits down on partial refunds, and deducts all of them on a full refund', async () => {
    const account = await fixture.account()
    const { charge } = await fixture.topUp(account, 500)
    const balances: number[] = []
    for (const pence of [9, 1, 5, 485]) {
      await fixture.send(getEvent('charge.refunded', fixture.stripe.refund(charge, pence)))
      balances.push(await fixture.balance(account))
    }
    expect(balances).toEqual([50, 49, 49, 0])
  })

  test('keeps the deduction after a lost dispute, and deducts nothing for an inquiry', async () => {
    const account = await fixture.account()
    const { charge } = await fixture.topUp(account)
    const inquiry = fixture.stripe.dispute(charge, 2_000, 'warning_needs_response')
    await fixture.send(getEvent('charge.dispute.created', inquiry))
    expect(await fixture.balance(account)).toBe(200)
    // The inquiry becomes a dispute with the same id.
    await fixture.send(getEvent('charge.dispute.updated', { ...inquiry, status: 'needs_response' }))
    expect(await fixture.balance(account)).toBe(0)
    await fixture.send(getEvent('charge.dispute.closed', { ...inquiry, status: 'lost' }))
    expect(await fixture.balance(account)).toBe(0)
    await fixture.send(getEvent('charge.dispute.updated', { ...inquiry, status: 'appeal_under_review' }, { created: nowSeconds() + 1 }))
    await fixture.send(getEvent('charge.dispute.closed', { ...inquiry, status: 'won' }, { created: nowSeconds() + 2 }))
    expect(await fixture.balance(account)).toBe(200)
  })

  test('deducts money that is both refunded and disputed only once', async () => {
    const account = await fixture.account()
    const { charge } = await fixture.topUp(account)
    await fixture.send(getEvent('charge.dispute.created', fixture.stripe.dispute(charge, 2_000)))
    await fixture.send(getEvent('charge.refunded', fixture.stripe.refund(charge, 600)))
    expect(await fixture.balance(account)).toBe(0)
    expect((await fixture.moves(account)).map(([, credits]) => credits).reduce((sum, credits) => sum + credits)).toBe(0)
  })

  test('reaches the same balance whatever the order of payment, refunds and disputes', async () => {
    for (const order of permutations([0, 1, 2, 3, 4])) {
      const account = await fixture.account()
      const { session } = await fixture.start(account)
      const { charge } = fixture.stripe.pay(session.id)
      const refunds = [200, 300].map((pence) => getEvent('charge.refunded', fixture.stripe.refund(charge, pence)))
      const dispute = fixture.stripe.dispute(charge, 1_000)
      const events = [getEvent('checkout.session.completed', session), ...refunds, getEvent('charge.dispute.created', dispute)]
      events.push(getEvent('charge.dispute.closed', { ...dispute, status: 'won' }))
      for (const at of order) if (events[at]) await fixture.send(events[at])
      expect(await fixture.balance(account), `order ${order.join()}`).toBe(150)
    }
  })

  test('applies a refund whose event arrives at the same time as the payment event', async () => {
    const deps = fixture.deps()
    for (let round = 0; round < 25; round++) {
      const account = await fixture.account()
      const { session } = await fixture.start(account)
      const { charge } = fixture.stripe.pay(session.id)
      // Until the other event is processed, only the payment id links this refund to the purchase.
      const refund = getEvent('charge.refunded', { ...fixture.stripe.refund(charge, 500), metadata: {} })
      await Promise.all([fixture.send(refund, deps), fixture.send(getEvent('checkout.session.completed', session), deps)])
      expect(await fixture.balance(account)).toBe(150)
    }
  })
})
