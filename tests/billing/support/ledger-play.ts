import fc from 'fast-check'
import { expect } from 'vitest'
import { getRefundedPence, type ModelAccount, type ModelTopUp, newTopUp } from './ledger-model.ts'
import { type Charge, type Dispute, getEvent, newId, type Refund, type Session, type StripeEvent } from './stripe-objects.ts'
import type { StripeServer } from './stripe-server.ts'

/** Event created at Stripe, and a function that updates the model when the event is delivered. */
export type PendingEvent = { readonly event: StripeEvent; readonly updateModel: () => void }

/** Purchase. `session` is null for a charge of a saved card, which has no checkout. */
type Bought = {
  readonly model: ModelTopUp
  readonly session: Session | null
  readonly charge: Charge
  readonly refunds: Refund[]
  readonly disputes: Dispute[]
}

/** One account while commands run against it: functions to access it, its purchases, and the events that have not been delivered yet. */
export type Play = {
  readonly stripe: StripeServer
  /** Starts a top-up. Returns the URL of its checkout, or null if rejected. */
  readonly start: (amountPence: number, savesCard: boolean) => Promise<string | null>
  readonly send: (event: StripeEvent) => Promise<unknown>
  readonly balance: () => Promise<number>
  readonly bought: Bought[]
  readonly held: PendingEvent[]
}

export type PlayCommand<Real extends Play> = fc.AsyncCommand<ModelAccount, Real>

/** Creates a command that changes both the model and the service, then compares them. A command that has nothing to act on is skipped. */
export function step<Real extends Play>(
  name: string,
  act: (model: ModelAccount, real: Real) => Promise<unknown>,
  can: (model: Readonly<ModelAccount>) => boolean = () => true,
): PlayCommand<Real> {
  return {
    check: (model) => can(model),
    run: async (model, real) => {
      await act(model, real)
      model.applyChanges()
      expect(await real.balance(), name).toBe(model.balance)
    },
    toString: () => name,
  }
}

const hasBought = (model: Readonly<ModelAccount>) => model.topUps.length > 0
const pick = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % Math.max(1, items.length)]

async function deliver(real: Play, { event, updateModel }: PendingEvent): Promise<void> {
  await real.send(event)
  updateModel()
}

/** Delivers an event now or holds it for later. `how` is 0 for later, 1 for now, and 2 for now and again later under another id. */
export async function deliverOrHold(real: Play, pending: PendingEvent, how: number): Promise<void> {
  if (how === 0) real.held.push(pending)
  else await deliver(real, pending)
  if (how === 2) real.held.push({ event: { ...pending.event, id: newId('evt') }, updateModel: pending.updateModel })
}

/** Delivers all remaining events, newest first, and asserts that the model's refunds match Stripe's. */
export async function deliverRest(real: Play): Promise<void> {
  for (const pending of real.held.splice(0).toReversed()) await deliver(real, pending)
  for (const { model, charge } of real.bought) expect(getRefundedPence(model)).toBe(charge.amount_refunded)
}

export const how = fc.nat({ max: 2 })
const at = fc.nat({ max: 20 })
const pence = fc.integer({ min: 1, max: 3_000 })

const buy = fc.tuple(fc.integer({ min: 50, max: 300 }), fc.boolean(), how).map(([tens, savesCard, when]) =>
  step<Play>(`buy for ${tens * 10} pence, ${savesCard ? 'saving' : 'without saving'} the card, delivery ${when}`, async (model, real) => {
    const url = await real.start(tens * 10, savesCard)
    const session = [...real.stripe.sessions.values()].find((one) => one.url === url)
    if (!session || real.bought.some((one) => one.session === session)) return
    const topUp = newTopUp(tens * 10, savesCard)
    model.topUps.push(topUp)
    const { charge } = real.stripe.pay(session.id)
    real.bought.push({ model: topUp, session, charge, refunds: [], disputes: [] })
    const updateModel = () => {
      topUp.isPaid = true
    }
    await deliverOrHold(real, { event: getEvent('checkout.session.completed', session), updateModel }, when)
  }),
)

const refund = fc.tuple(at, pence, how, how).map(([which, amount, when, whenItself]) =>
  step<Play>(
    `refund ${amount} pence of top-up ${which}, delivery ${when} and ${whenItself}`,
    async (_model, real) => {
      const one = pick(real.bought, which)
      if (!one || one.charge.amount_refunded + amount > one.charge.amount) return
      const charge = real.stripe.refund(one.charge, amount)
      const total = charge.amount_refunded
      const updateModel = () => {
        one.model.refundedPence = Math.max(one.model.refundedPence, total)
      }
      await deliverOrHold(real, { event: getEvent('charge.refunded', charge), updateModel }, when)
      const made = real.stripe.getRefund(charge)
      one.refunds.push(made)
      const updateFromRefund = () => {
        // If the refund's final state was already delivered, it takes precedence.
        if (!one.model.refunds.has(made.id)) one.model.refunds.set(made.id, { pence: amount, isGone: true })
      }
      await deliverOrHold(real, { event: getEvent('refund.created', made), updateModel: updateFromRefund }, whenItself)
    },
    hasBought,
  ),
)

const failRefund = fc.tuple(at, at, fc.constantFrom('failed', 'canceled'), how).map(([which, number, status, when]) =>
  step<Play>(
    `refund ${number} of top-up ${which} ${status}, delivery ${when}`,
    async (_model, real) => {
      const one = pick(real.bought, which)
      const made = one && pick(one.refunds, number)
      if (!one || !made || made.status !== 'succeeded') return
      real.stripe.failRefund(made, status)
      const updateModel = () => void one.model.refunds.set(made.id, { pence: made.amount, isGone: false })
      await deliverOrHold(real, { event: getEvent(status === 'failed' ? 'refund.failed' : 'refund.updated', made), updateModel }, when)
    },
    hasBought,
  ),
)

const dispute = fc.tuple(at, pence, how).map(([which, amount, when]) =>
  step<Play>(
    `dispute ${amount} pence of top-up ${which}, delivery ${when}`,
    async (_model, real) => {
      const one = pick(real.bought, which)
      if (!one) return
      const made = real.stripe.dispute(one.charge, Math.min(amount, one.charge.amount))
      one.disputes.push(made)
      const updateModel = () => {
        // If the dispute's final state was already delivered, it takes precedence.
        if (!one.model.disputes.has(made.id)) one.model.disputes.set(made.id, { pence: made.amount, isTaken: true })
      }
      await deliverOrHold(real, { event: getEvent('charge.dispute.created', made), updateModel }, when)
    },
    hasBought,
  ),
)

const decide = fc.tuple(at, at, fc.boolean(), how).map(([which, number, isWon, when]) =>
  step<Play>(
    `dispute ${number} of top-up ${which} is ${isWon ? 'won' : 'lost'}, delivery ${when}`,
    async (_model, real) => {
      const one = pick(real.bought, which)
      const made = one && pick(one.disputes, number)
      if (!one || !made || made.status !== 'needs_response') return
      made.status = isWon ? 'won' : 'lost'
      const updateModel = () => void one.model.disputes.set(made.id, { pence: made.amount, isTaken: !isWon })
      await deliverOrHold(real, { event: getEvent('charge.dispute.closed', made), updateModel }, when)
    },
    hasBought,
  ),
)

const late = at.map((which) =>
  step<Play>(`deliver held event ${which}`, async (_model, real) => {
    const [pending] = real.held.length === 0 ? [] : real.held.splice(which % real.held.length, 1)
    if (pending) await deliver(real, pending)
  }),
)

/** Commands for payments, refunds and disputes, which Stripe reports in events. */
export const stripeCommands = [buy, buy, refund, failRefund, dispute, decide, late, late] as const
