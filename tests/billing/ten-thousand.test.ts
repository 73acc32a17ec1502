import { expect, test } from 'vitest'
import { verdicts } from '#server/metering/batch.ts'
import { addKey, admit, buildRequest, type Payer, repeatRequest, settle } from '../metering/statement.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getRandom } from './support/random.ts'
import { type Charge, getEvent, newId, type StripeEvent } from './support/stripe-objects.ts'

const fixture = new BillingFixture()
const random = getRandom(20_261_121)

/** Number of events. `SVC_EVENTS=30000` sends three times as many. */
const events = Number(process.env['SVC_EVENTS'] ?? 10_000)
const topUpsEach = 12
const accounts = Math.ceil(events / 400)
const senders = 12

type Expected = { readonly payer: Payer; bought: number; charged: number }

/** Returns the subsequent events of a payment, and the credits that remain once all of them are processed. */
function getFate(charge: Charge): { events: StripeEvent[]; creditsLeft: number } {
  const credits = charge.amount / 10
  const kind = random.below(7)
  if (kind === 6) {
    const refunded = fixture.stripe.refund(charge, 10 * (1 + random.below(credits)))
    const reports = [getEvent('charge.refunded', refunded), getEvent('refund.created', fixture.stripe.getRefund(refunded))]
    return { events: [...reports, getEvent('refund.failed', fixture.stripe.failRefund(fixture.stripe.getRefund(refunded)))], creditsLeft: credits }
  }
  if (kind <= 1) return { events: [], creditsLeft: credits }
  if (kind <= 3) {
    const parts = Array.from({ length: 1 + random.below(3) }, () => 1 + random.below(Math.floor(charge.amount / 4)))
    const reports = parts.map((pence) => getEvent('charge.refunded', fixture.stripe.refund(charge, pence)))
    return { events: reports, creditsLeft: credits - Math.floor(charge.amount_refunded / 10) }
  }
  const pence = random.chance(0.5) ? charge.amount : 10 * (1 + random.below(credits))
  const dispute = fixture.stripe.dispute(charge, pence)
  const isWon = random.chance(0.5)
  const closed = getEvent('charge.dispute.closed', { ...dispute, status: isWon ? 'won' : 'lost' })
  return { events: [getEvent('charge.dispute.created', dispute), closed], creditsLeft: isWon ? credits : credits - Math.floor(pence / 10) }
}

/** Returns the events of one purchase in the order in which Stripe would send them. */
async function purchase(payer: Payer, number: number): Promise<{ events: StripeEvent[]; credits: number }> {
  // Amounts must differ within an account, or the purchases would share one checkout.
  const { session } = await fixture.start(payer.account, 500 + 10 * (number * 40 + random.below(40)))
  if (random.chance(0.1)) return { events: [getEvent('checkout.session.expired', session)], credits: 0 }
  const isLate = random.chance(0.3)
  if (isLate && random.chance(0.3)) {
    const unpaid = { ...session, payment_status: 'unpaid', payment_intent: newId('pi') }
    return { events: [getEvent('checkout.session.completed', unpaid), getEvent('checkout.session.async_payment_failed', unpaid)], credits: 0 }
  }
  const { payment, charge } = fixture.stripe.pay(session.id)
  const paid = isLate
    ? [getEvent('checkout.session.completed', { ...session, payment_status: 'unpaid' }), getEvent('checkout.session.async_payment_succeeded', session)]
    : [getEvent('checkout.session.completed', session)]
  const fate = getFate(charge)
  return { events: [...paid, getEvent('payment_intent.succeeded', payment), ...fate.events], credits: fate.creditsLeft }
}

/** Charges a random batch of calls, limited by each account's balance, while events arrive. Reverses some of the charges. */
async function charge(expected: Expected[]): Promise<void> {
  const some = random.shuffled(expected).slice(0, 8)
  const requests = some.flatMap(({ payer }) => repeatRequest(1 + random.below(3), payer, { price: 1 + random.below(5), units: 1 + random.below(5) }))
  const outcomes = await admit(fixture.pool, requests)
  for (const [at, { verdict, credits, balance }] of outcomes.entries()) {
    const one = some.find(({ payer }) => payer.accountId === requests[at]?.accountId)
    if (one) one.charged += credits
    if (verdict === verdicts.granted && credits > 0) expect(balance).toBeGreaterThanOrEqual(0)
    const request = requests[at]
    if (!request || credits === 0 || !random.chance(0.1)) continue
    await settle(fixture.pool, [{ ...request, isVoid: true }])
    if (one) one.charged -= credits
  }
}

async function prepare(): Promise<{ expected: Expected[]; queue: StripeEvent[] }> {
  const expected: Expected[] = []
  const once: StripeEvent[] = []
  for (let n = 0; n < accounts; n++) {
    const payer = await addKey(fixture.pool, await fixture.account())
    const one = { payer, bought: 0, charged: 0 }
    for (let bought = 0; bought < topUpsEach; bought++) {
      const { events: delivered, credits } = await purchase(payer, bought)
      once.push(...delivered)
      one.bought += credits
    }
    expected.push(one)
  }
  const again = Array.from({ length: events - once.length }, () => once[random.below(once.length)]).filter((event) => event !== undefined)
  // Half of the duplicates keep the original's event id; the other half have a new one.
  const copies = again.map((event) => (random.chance(0.5) ? event : { ...event, id: newId('evt') }))
  return { expected, queue: random.shuffled([...once, ...copies]) }
}

test(`keeps every balance exact with ${events} duplicated and shuffled events between charges`, async () => {
  const { expected, queue } = await prepare()
  expect(queue).toHaveLength(events)
  const deps = fixture.deps()
  let isDone = false
  const charges = (async () => {
    while (!isDone) await charge(expected)
  })()
  const sender = async () => {
    for (let event = queue.pop(); event; event = queue.pop()) expect((await fixture.send(event, deps)).status).toBe(200)
  }
  await Promise.all(Array.from({ length: senders }, sender))
  isDone = true
  await charges
  const charged = expected.reduce((sum, one) => sum + one.charged, 0)
  // Calls and events overlapped: credits were spent while others were added, and some accounts fell into debt.
  expect(charged).toBeGreaterThan(events / 10)
  for (const { payer, ...one } of expected) expect(await fixture.balance(payer.account), payer.account.email).toBe(one.bought - one.charged)
  expect(fixture.log.filter(({ level }) => level >= 40)).toEqual([])
  // An account in debt can't make paid calls.
  for (const { payer, ...one } of expected.filter(({ bought, charged: spent }) => bought - spent < 0)) {
    expect((await admit(fixture.pool, [buildRequest(payer)]))[0], `${one.bought}`).toMatchObject({ verdict: verdicts.insufficientCredits, credits: 0 })
  }
}, 600_000)
