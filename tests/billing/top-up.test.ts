import { describe, expect, test } from 'vitest'
import { blockAccount } from '#server/accounts/accounts.ts'
import { smallestTopUpPence, topUpPresetsPence } from '#server/api/contract/price-kinds.ts'
import { startTopUp } from '#server/billing/top-ups.ts'
import { verifies } from '../requirements/verifies.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getEvent, newId } from './support/stripe-objects.ts'
import { exclusiveRate } from './support/stripe-server.ts'

const fixture = new BillingFixture()

const purchase = (amountPence: number, key = newId('key'), savesCard = false) => ({ key, amountPence, savesCard })

const requestsTo = (call: string) => fixture.stripe.requests.filter((request) => request.call === call)

describe('amounts', () => {
  verifies('billing/credit-price', async () => {
    const account = await fixture.account()
    const { topUp } = await startTopUp(fixture.deps(), account.id, purchase(1_230))
    expect(topUp).toMatchObject({ credits: 123, grossPence: 1_230, netPence: 1_230, vatPence: 0, vatPercent: null, state: 'open' })
    await fixture.topUp(account, 10_000)
    expect(await fixture.balance(account)).toBe(1_000)
  })

  verifies('billing/minimum-top-up', async () => {
    const account = await fixture.account()
    expect(smallestTopUpPence).toBe(500)
    for (const pence of [0, 490, 499]) {
      await expect(startTopUp(fixture.deps(), account.id, purchase(pence))).rejects.toMatchObject({ faults: { amountPence: 'Amount must be £5 or more.' } })
    }
    await fixture.topUp(account, 500)
    expect(await fixture.moves(account)).toEqual([['top_up', 50]])
  })

  test.each([
    [505, 'Amount must be in steps of 10p, the price of one credit.'],
    [1_001, 'Amount must be in steps of 10p, the price of one credit.'],
    [500.5, 'Enter an amount such as 20 or 12.50.'],
    [Number.NaN, 'Enter an amount such as 20 or 12.50.'],
    [-500, 'Enter an amount such as 20 or 12.50.'],
    [500_010, 'Amount must be £5,000 or less.'],
  ])('rejects a top-up of %d pence', async (pence, amount) => {
    const account = await fixture.account()
    await expect(startTopUp(fixture.deps(), account.id, purchase(pence))).rejects.toMatchObject({ name: 'FieldsError', faults: { amountPence: amount } })
  })

  verifies('billing/presets', async () => {
    expect(topUpPresetsPence).toEqual([500, 2_000, 5_000, 10_000])
    const account = await fixture.account()
    for (const pence of topUpPresetsPence) await fixture.topUp(account, pence)
    expect((await fixture.moves(account)).map(([, credits]) => credits)).toEqual([50, 200, 500, 1_000])
  })

  test.each([
    [2_000, 2_000, 333],
    [500, 2_000, 83],
    [1_000, 1_750, 149],
    [510, 500, 24],
  ])('includes VAT: %d pence at %d basis points contain %d pence of VAT', async (amountPence, basisPoints, vatPence) => {
    const account = await fixture.account()
    const deps = fixture.deps({ vat: { basisPoints, stripeTaxRate: 'txr_vat' } })
    const { topUp } = await startTopUp(deps, account.id, purchase(amountPence))
    expect(topUp).toMatchObject({ grossPence: amountPence, vatPence, netPence: amountPence - vatPence, vatPercent: basisPoints / 100 })
  })
})

describe('requests to Stripe', () => {
  test('puts the top-up id on every Stripe object and requests the exact amount', async () => {
    const account = await fixture.account()
    const { topUp, session } = await fixture.start(account, 2_000)
    const form = requestsTo('POST /v1/checkout/sessions').at(-1)?.form
    expect(form).toMatchObject({
      mode: 'payment',
      client_reference_id: topUp,
      customer: session.customer,
      line_items: [{ quantity: '1', price_data: { currency: 'gbp', unit_amount: '2000', product_data: { name: '200 service credits' } } }],
      metadata: { top_up: topUp, account: account.publicId },
      payment_intent_data: { metadata: { top_up: topUp } },
      invoice_creation: { enabled: 'true' },
      adaptive_pricing: { enabled: 'false' },
      allow_promotion_codes: 'false',
      billing_address_collection: 'auto',
      tax_id_collection: { enabled: 'false' },
      success_url: `https://api.example.test/portal/billing/return?topUp=${topUp}`,
      cancel_url: `https://api.example.test/portal/billing/return?topUp=${topUp}&cancelled=1`,
    })
    expect(form?.['line_items']).not.toMatchObject([{ tax_rates: expect.anything() }])
    expect(form?.['payment_intent_data']).not.toHaveProperty('setup_future_usage')
  })

  test('with VAT, collects the billing address and adds the tax rate to the checkout', async () => {
    const account = await fixture.account()
    const deps = fixture.deps({ vat: { basisPoints: 2_000, stripeTaxRate: 'txr_vat20' } })
    await startTopUp(deps, account.id, purchase(2_000, newId('key'), true))
    expect(requestsTo('POST /v1/checkout/sessions').at(-1)?.form).toMatchObject({
      line_items: [{ tax_rates: ['txr_vat20'] }],
      billing_address_collection: 'required',
      tax_id_collection: { enabled: 'true' },
      payment_intent_data: { setup_future_usage: 'off_session' },
    })
  })

  test('opens no checkout with an exclusive tax rate, which would change the agreed price', async () => {
    const account = await fixture.account()
    const deps = fixture.deps({ vat: { basisPoints: 2_000, stripeTaxRate: exclusiveRate } })
    await expect(startTopUp(deps, account.id, purchase(2_000))).rejects.toThrow(
      /2400 pence for checkout cs_\w+ instead of 2000\. The tax rate in STRIPE_TAX_RATE/,
    )
  })

  test('uses one customer per account, however many top-ups it starts', async () => {
    const account = await fixture.account()
    const before = requestsTo('POST /v1/customers').length
    const [one, two] = [await fixture.start(account, 500), await fixture.start(account, 600)]
    expect(requestsTo('POST /v1/customers')).toHaveLength(before + 1)
    expect(one.session.customer).toBe(two.session.customer)
    expect(requestsTo('POST /v1/customers').at(-1)?.form).toEqual({ email: account.email, metadata: { account: account.publicId } })
  })
})

describe('one checkout per purchase', () => {
  test('opens one checkout for twelve concurrent submissions', async () => {
    const account = await fixture.account()
    const [deps, key] = [fixture.deps(), newId('key')]
    const started = await Promise.all(Array.from({ length: 12 }, () => startTopUp(deps, account.id, purchase(2_000, key))))
    expect(new Set(started.map(({ url }) => url)).size).toBe(1)
    expect(new Set(started.map(({ topUp }) => topUp.id)).size).toBe(1)
  })

  test('returns the open checkout after a page reload, even though the reload creates a new key', async () => {
    const account = await fixture.account()
    const [one, two] = [await startTopUp(fixture.deps(), account.id, purchase(2_000)), await startTopUp(fixture.deps(), account.id, purchase(2_000))]
    expect(two).toEqual(one)
    const other = await startTopUp(fixture.deps(), account.id, purchase(5_000))
    expect(other.url).not.toBe(one.url)
  })

  test('opens one checkout for twelve concurrent tabs with separate keys', async () => {
    const account = await fixture.account()
    const deps = fixture.deps()
    const started = await Promise.all(Array.from({ length: 12 }, () => startTopUp(deps, account.id, purchase(2_000))))
    expect(new Set(started.map(({ url }) => url)).size).toBe(1)
  })

  test('redirects a paid purchase to its confirmation page, and opens a new checkout for the next purchase', async () => {
    const account = await fixture.account()
    const key = newId('key')
    const first = await startTopUp(fixture.deps(), account.id, purchase(2_000, key))
    const session = [...fixture.stripe.sessions.values()].at(-1)
    await fixture.send(getEvent('checkout.session.completed', fixture.stripe.pay(session?.id ?? '').session))
    const again = await startTopUp(fixture.deps(), account.id, purchase(2_000, key))
    expect(again).toMatchObject({ url: `https://api.example.test/portal/billing/return?topUp=${first.topUp.id}`, topUp: { id: first.topUp.id, state: 'paid' } })
    const next = await startTopUp(fixture.deps(), account.id, purchase(2_000))
    expect(next.topUp.id).not.toBe(first.topUp.id)
    expect(await fixture.balance(account)).toBe(200)
  })

  test('rejects a reused key with a different amount', async () => {
    const account = await fixture.account()
    const key = newId('key')
    await startTopUp(fixture.deps(), account.id, purchase(2_000, key))
    await expect(startTopUp(fixture.deps(), account.id, purchase(5_000, key))).rejects.toThrow(
      'You already started this purchase with a different amount or card choice. Reload the page to start again.',
    )
  })

  test('retries a request whose response was lost, without creating anything twice', async () => {
    const account = await fixture.account()
    const before = fixture.stripe.sessions.size
    fixture.stripe.loses = 1
    const { url } = await startTopUp(fixture.deps(), account.id, purchase(2_000))
    expect(fixture.stripe.sessions.size).toBe(before + 1)
    expect([...fixture.stripe.sessions.values()].at(-1)?.url).toBe(url)
    expect([...fixture.stripe.customers.values()].filter(({ email }) => email === account.email)).toHaveLength(1)
  })

  test('replaces a checkout that expired without an event, and credits it if it was paid after all', async () => {
    const account = await fixture.account()
    const first = await fixture.start(account)
    await fixture.pool.query("UPDATE top_up SET expires_at = now() - interval '1 minute' WHERE public_id = $1", [first.topUp])
    const second = await fixture.start(account)
    expect(second.topUp).not.toBe(first.topUp)
    await fixture.send(getEvent('checkout.session.completed', fixture.stripe.pay(first.session.id).session))
    expect(await fixture.moves(account)).toEqual([['top_up', 200]])
  })

  test('allows at most 20 open checkouts per account', async () => {
    const account = await fixture.account()
    for (let at = 0; at < 20; at++) await fixture.start(account, 500 + at * 10)
    await expect(startTopUp(fixture.deps(), account.id, purchase(2_000))).rejects.toThrow('You have too many unfinished payments.')
  })
})

describe('buyers', () => {
  verifies('billing/top-up-needs-verified-email', async () => {
    const account = await fixture.account()
    await fixture.pool.query('UPDATE account SET email_verified_at = NULL WHERE id = $1', [account.id])
    const refused = startTopUp(fixture.deps(), account.id, purchase(2_000))
    await expect(refused).rejects.toMatchObject({ refusal: { code: 'email_not_verified', message: 'Confirm your email before topping up.' } })
  })

  test('rejects blocked and closed accounts, and accepts accounts in review', async () => {
    const [blocked, closed, waiting] = [await fixture.account(), await fixture.account(), await fixture.account({ approved: false })]
    await blockAccount(fixture.pool, blocked.email, null)
    await expect(startTopUp(fixture.deps(), blocked.id, purchase(2_000))).rejects.toMatchObject({ refusal: { code: 'account_blocked' } })
    await fixture.pool.query('UPDATE account SET closed_at = now() WHERE id = $1', [closed.id])
    await expect(startTopUp(fixture.deps(), closed.id, purchase(2_000))).rejects.toThrow('This account is closed.')
    await fixture.topUp(waiting)
    expect(await fixture.balance(waiting)).toBe(200)
  })

  test.each([
    ['a Stripe key', { stripeKey: null, developmentFeatures: false }, 'STRIPE_SECRET_KEY'],
    ['the webhook secret', { stripeKey: 'sk_live_of_the_tests', webhookSecret: null, developmentFeatures: false }, 'STRIPE_WEBHOOK_SECRET'],
  ])('rejects purchases in production without %s, and logs the missing setting', async (_, changes, name) => {
    const account = await fixture.account()
    await expect(startTopUp(fixture.deps(changes), account.id, purchase(2_000))).rejects.toThrow('Payments are not set up on this service.')
    expect(fixture.log).toMatchObject([{ level: 50, msg: expect.stringContaining(name) }])
  })
})
