/** Tests the billing pages without a browser, with a test Stripe server on this machine that sends its events over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PortalFixture } from '../portal/support/portal-fixture.ts'
import { getData, type Page, type Visitor } from '../portal/support/visitor.ts'
import { verifies } from '../requirements/verifies.ts'
import { PortalPurchases } from './support/portal-purchases.ts'
import { getEvent, webhookSecret } from './support/stripe-objects.ts'
import { StripeServer, testKey } from './support/stripe-server.ts'

const fixture = new PortalFixture()
let stripe: StripeServer

beforeAll(async () => {
  stripe = await StripeServer.open()
  const payments = { NODE_ENV: '', STRIPE_SECRET_KEY: testKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: stripe.base }
  await fixture.open({ ...payments, VAT_PERCENT: '20', STRIPE_TAX_RATE: 'txr_vat20' })
})
afterAll(async () => {
  await fixture.close()
  expect(stripe.faults).toEqual([])
  await stripe.close()
})
const purchases = new PortalPurchases(fixture, () => stripe)
const billing = (visitor: Visitor): Promise<Page> => visitor.open('/portal/billing')
const alerts = (visitor: Visitor): Promise<Page> => visitor.open('/portal/billing/alerts')

describe('topping up', () => {
  test('shows the price, credits and new balance of each amount before payment', async () => {
    const member = await fixture.member({ credits: 13 })
    const twenty = await purchases.topUpPage(member)
    expect(twenty.text).toContain('Credits added 200 New balance 213 Excluding VAT £16.67 VAT at 20% £3.33 Total £20')
    expect(twenty.text).toContain('£20 200 credits · about 20 pages of 10 rates')
    expect(twenty.text).toContain('£5 to £5,000')
    expect(twenty.text).toContain("This is a one-off payment. It won't renew.")
    for (const [pounds, words] of [
      ['5', 'Credits added 50 New balance 63 '],
      ['50', 'Credits added 500 New balance 513 '],
      ['100', 'Credits added 1,000 New balance 1,013 '],
      ['12.30', 'Credits added 123 New balance 136 '],
    ] as const) {
      const page = await purchases.topUpPage(member, pounds)
      expect(page.text).toContain(words)
      expect(page.text).toContain(`Pay £${pounds}`)
    }
    expect(purchases.getSessions(member)).toEqual([])
  })

  test.each([
    ['5000.10', 'Amount must be £5,000 or less.'],
    ['5.05', 'Amount must be in steps of 10p, the price of one credit.'],
    ['12,50', 'Enter an amount such as 20 or 12.50.'],
    ['%3Cb%3E', 'Enter an amount such as 20 or 12.50.'],
  ])('rejects £%s with an error on the page', async (amount, fault) => {
    const page = await purchases.topUpPage(await fixture.member(), amount)
    expect(page.text).toContain(`Error: ${fault}`)
    expect(page.text).not.toContain('Pay £')
    expect(page.html).toMatch(/<button[^>]*aria-disabled="true"[^>]*>Pay</)
    expect(page.html).toContain(`value="${decodeURIComponent(amount).replace('<', '&lt;').replace('>', '&gt;')}"`)
  })

  test('creates one checkout and adds the credits once, even if the form and the payment event are repeated', async () => {
    const member = await fixture.member({ credits: 13 })
    const page = await purchases.topUpPage(member)
    const places = await Promise.all(Array.from({ length: 6 }, () => member.visitor.submitForm(page, 'Pay £20')))
    const session = purchases.getLastSession(member)
    expect(places.map(purchases.ledTo(session)), fixture.notices()).toEqual(places.map(() => session.url))
    expect(purchases.getSessions(member)).toHaveLength(1)
    const back = `/portal/billing/return?topUp=${session.client_reference_id}`
    expect((await member.visitor.open(`${back}&cancelled=1`)).text).toContain('You were not charged.')
    expect((await member.visitor.open(back)).text).toContain('Payment received. Adding 200 credits.')
    const paid = getEvent('checkout.session.completed', stripe.pay(session.id).session)
    for (let time = 0; time < 3; time++) expect(await purchases.send(paid)).toBe(200)
    expect((await member.visitor.open(back)).text).toContain('200 credits added. New balance: 213.')
    // Submitting the old page again buys nothing, and the cancel URL now reports that the payment succeeded.
    expect((await member.visitor.submitForm(page, 'Pay £20')).text).toContain('200 credits added.')
    expect((await member.visitor.open(`${back}&cancelled=1`)).text).toContain('200 credits added.')
    expect(await fixture.balance(member.id)).toBe(213)
    expect(purchases.getSessions(member)).toHaveLength(1)
  })

  test('explains a pending bank payment on the page, and reports the outcome by email', async () => {
    const member = await fixture.member()
    await member.visitor.submitForm(await purchases.topUpPage(member), 'Pay £20')
    const { session } = stripe.pay(purchases.getLastSession(member).id)
    await purchases.send(getEvent('checkout.session.completed', { ...session, payment_status: 'unpaid' }))
    expect((await member.visitor.open(`/portal/billing/return?topUp=${session.client_reference_id}`)).text).toContain(
      "We're still waiting for your payment to be confirmed.",
    )
    expect((await billing(member.visitor)).text).toContain(
      "We're still waiting for your payment of £20 to be confirmed. Don't pay again: we'll email you once it is.",
    )
    await purchases.send(getEvent('checkout.session.async_payment_succeeded', session))
    const mail = await fixture.mailbox.next(member.email)
    expect(mail.subject).toBe('200 credits added')
    expect((await billing(member.visitor)).text).toContain('Payment succeeded: 200 credits added.')
  })

  test('reports a late payment by email, as announced on the page', async () => {
    const member = await fixture.member()
    await member.visitor.submitForm(await purchases.topUpPage(member), 'Pay £20')
    const { session } = stripe.pay(purchases.getLastSession(member).id)
    await purchases.send(getEvent('checkout.session.completed', session, { created: Math.floor(Date.now() / 1_000) - 40 }))
    expect((await fixture.mailbox.next(member.email)).subject).toBe('200 credits added')
  })

  test('preselects the checkbox for saving the card if the link requests it', async () => {
    const { visitor } = await fixture.member()
    const box = /<input[^>]*name="savesCard"[^>]*>/
    for (const [query, isChecked] of [
      ['', false],
      ['?card=save', true],
    ] as const) {
      const { html } = await visitor.open(`/portal/billing/top-up${query}`)
      expect(/\bchecked\b/.test(box.exec(html)?.[0] ?? ''), query).toBe(isChecked)
      expect(box.exec(html)).not.toBeNull()
    }
  })

  test('requires a confirmed email', async () => {
    const [visitor, email] = [fixture.visitor(), fixture.newEmail()]
    await fixture.signUp(visitor, email)
    await fixture.signIn(visitor, email)
    const page = await visitor.open('/portal/billing/top-up')
    expect(page.text).toContain('Confirm your email before topping up.')
    expect(page.text).not.toContain('Pay £')
  })
})

describe('the billing page', () => {
  test('shows a statement whose lines add up, ending with the balance', async () => {
    const member = await fixture.member({ credits: 30 })
    await purchases.buy(member, 5)
    const page = await billing(member.visitor)
    const lines = /Balance \d.{1,40} UTC Top-up Top-up of £5 \+50 80 \d.{1,40} UTC Adjustment Opening credits from the operator\. \+30 30 Brought forward 0/
    expect(page.text).toMatch(lines)
    const statement = await member.visitor.open('/portal/billing/statement')
    expect(statement.text).toMatch(lines)
    expect(page.text).toContain('Balance: 80 credits · £8')
    const [, receipt = ''] = /href="(\/portal\/billing\/top-ups\/top_\w+)"/.exec(page.html) ?? []
    const paper = await member.visitor.open(receipt)
    expect(paper.text).toContain('Top-up of £5 Paid')
    expect(paper.html).toMatch(/href="https:\/\/receipt\.stripe\.test\/ch_/)
    expect(paper.html).toMatch(/href="https:\/\/invoice\.stripe\.test\/cs_\w+\.pdf"/)
    expect(await (await fixture.member()).visitor.open(receipt)).toMatchObject({ status: 404, text: expect.stringContaining('Page not found') })
    expect(paper.text).toContain('Billed to No billing details when you paid')
    const atStripe = await member.visitor.submitForm(await member.visitor.open('/portal/billing/receipts'), 'Manage billing in Stripe')
    expect(atStripe.result).toMatch(/^https:\/\/billing\.stripe\.test\/cus_/)
  })

  test('links a charge to its request, and a request to its charge', async () => {
    const member = await fixture.member({ credits: 60 })
    const created = await member.visitor.call('keys.create', 'mutation', {
      mode: 'live',
      name: 'A',
      scopes: ['rates:read'],
      addresses: '',
      cap: '',
      expires: '',
    })
    const requests: string[] = []
    for (let call = 0; call < 30; call++) {
      const answer = await fetch(`${fixture.origin}/v1/rates?limit=1`, { headers: { authorization: `Bearer ${getData(created).key}` } })
      requests.push(answer.headers.get('x-svc-request-id') ?? '')
    }
    const newest = await member.visitor.open('/portal/billing/statement')
    expect(newest.html).toContain(`href="/portal/requests/${requests.at(-1)}"`)
    expect(newest.html).not.toContain(requests[0])
    const older = await member.visitor.open(/href="(\/portal\/billing\/statement\?before=[^"#]+)/.exec(newest.html)?.[1] ?? '')
    expect(older.html).toContain(`id="${requests[0]}"`)
    expect(older.text).toContain('Carried forward 55')
    expect((await member.visitor.open(`/portal/requests/${requests[3]}`)).html).toContain(
      `href="/portal/billing/statement?request=${requests[3]}#${requests[3]}"`,
    )
    const back = await member.visitor.open(`/portal/billing?request=${requests[3]}`)
    expect(back.html).toContain(`id="${requests[3]}"`)
    expect(back.text).toContain('Carried forward 56')
  })

  test('shows empty-state messages to an account without credits, transactions or a saved card', async () => {
    const member = await fixture.member({ credits: 0 })
    expect((await billing(member.visitor)).text).toContain('Your balance is 0. Live calls return 402 until you top up. Test calls still work.')
    const notes = {
      '': ['No transactions yet.', 'No notifications in the last 90 days.', 'Automatic top-ups need a saved card.'],
      '/statement': ['No transactions yet.', 'No statements yet.'],
      '/receipts': ['No payments yet.', 'Company or name Not entered', 'VAT number Not entered', 'An invoice shows these details, the date, the credits'],
      '/alerts': ['Automatic top-ups need a saved card.'],
    }
    for (const [page, expected] of Object.entries(notes)) {
      const { text } = await member.visitor.open(`/portal/billing${page}`)
      for (const note of expected) expect(text, page).toContain(note)
    }
  })

  test('saves alert thresholds, and rejects an invalid value', async () => {
    const { visitor } = await fixture.member()
    const page = await alerts(visitor)
    expect(page.html).toContain('value="50 10 0"')
    const wrong = await visitor.submitForm(page, 'Save alerts', { thresholds: '20, many' })
    expect(wrong.text).toContain('There is a problem Enter whole numbers of credits from 0 to 1,000,000 separated by spaces, for example: 1000 50.')
    const saved = await visitor.submitForm(page, 'Save alerts', { thresholds: '1,000, 50' })
    expect(saved.status).toBe(200)
    expect((await alerts(visitor)).html).toContain('value="1,000 50"')
  })

  test('turns on automatic top-ups with the saved card', async () => {
    const member = await fixture.member({ credits: 0 })
    await purchases.buy(member, 5, { savesCard: 'yes' })
    await expect.poll(async () => (await billing(member.visitor)).text, { timeout: 15_000 }).toContain('Visa ending 4242')
    const page = await alerts(member.visitor)
    const typed = { isOn: 'yes', thresholdCredits: '60', amountPence: '10', ceilingPence: '15' }
    const wrong = await member.visitor.submitForm(page, 'Save automatic top-ups', { ...typed, amountPence: 'ten' })
    expect(wrong.text).toContain('There is a problem Enter an amount such as 20 or 12.50.')
    expect((await member.visitor.submitForm(page, 'Save automatic top-ups', typed)).status).toBe(200)
    await expect.poll(() => fixture.balance(member.id), { timeout: 15_000 }).toBe(150)
    const after = await billing(member.visitor)
    expect(after.text).toContain('£10 of £15 used this month.')
    expect(after.text).toContain('Automatic top-up of £10')
    expect((await fixture.mailbox.next(member.email)).subject).toBe('Automatic top-up: 100 credits added')
    expect((await member.visitor.submitForm(page, 'Remove card')).status).toBe(200)
    expect((await alerts(member.visitor)).text).toContain('Automatic top-ups need a saved card.')
  })
})

verifies('billing/debt-cannot-spend', 'a debt after a refund blocks live calls until a top-up, and the API and the portal give the reason', async () => {
  const member = await fixture.member({ credits: 0 })
  const made = await member.visitor.call('keys.create', 'mutation', { mode: 'live', name: 'A', scopes: ['rates:read'], addresses: '', cap: '', expires: '' })
  const call = async (limit: number) => {
    const answer = await fetch(`${fixture.origin}/v1/rates?limit=${limit}`, { headers: { authorization: `Bearer ${getData(made).key}` } })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const charge = await purchases.buy(member, 20)
  expect((await call(35)).status).toBe(200)
  await purchases.send(getEvent('charge.refunded', stripe.refund(charge, 2_000)))
  expect(await fixture.balance(member.id)).toBe(-35)
  const refused = await call(1)
  expect(refused).toMatchObject({
    status: 402,
    body: { error: 'insufficient_credits', reason: 'debt', balance: -35, topUp: `${fixture.origin}/portal/billing/top-up` },
  })
  expect(refused.body['message']).toContain('after a refund or dispute')
  const banner = 'A £20 refund left your balance at −35 credits. Top up to use live keys.'
  expect((await billing(member.visitor)).text).toContain(banner)
  expect((await purchases.topUpPage(member, '5')).text).toContain('Credits added 50 New balance 15 ')
  await purchases.buy(member, 5)
  expect(await fixture.balance(member.id)).toBe(15)
  expect((await call(1)).status).toBe(200)
  expect((await billing(member.visitor)).text).not.toContain(banner)
})
