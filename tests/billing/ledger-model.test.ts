import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BillingRoom } from '../../server/billing/billing-room.ts'
import { adjustCredits, verifyLedger } from '../../server/billing/ledger.ts'
import type { AdmissionRequest } from '../../server/metering/batch.ts'
import { addKey, admit, type Payer, requestOf, settle } from '../metering/statement.ts'
import { BillingStage } from './support/billing-stage.ts'
import { ModelAccount, type ModelTopUp } from './support/ledger-model.ts'
import { portalOf } from './support/portal.ts'
import { type Charge, type Dispute, eventOf, newId, type Session, type StripeEvent } from './support/stripe-objects.ts'

const stage = new BillingStage()

/** An event that has happened at Stripe, and what the model knows once it has been told. */
type Told = { readonly event: StripeEvent; readonly learn: () => void }
type Bought = { readonly model: ModelTopUp; readonly session: Session; charge: Charge | null; readonly disputes: Dispute[] }

type Model = ModelAccount
type Real = {
  readonly room: BillingRoom
  readonly payer: Payer
  readonly bought: Bought[]
  /** Events that Stripe has not delivered yet. */
  readonly held: Told[]
  readonly charged: { readonly request: AdmissionRequest; readonly credits: number }[]
}

type Command = fc.AsyncCommand<Model, Real>

/** A step of the play: it changes both and compares. A step that has nothing to act on is left out. */
function step(name: string, act: (model: Model, real: Real) => Promise<unknown>, can: (model: Readonly<Model>) => boolean = () => true): Command {
  return {
    check: (model) => can(model),
    run: async (model, real) => {
      await act(model, real)
      expect(await stage.balance(real.payer.account), name).toBe(model.balance)
    },
    toString: () => name,
  }
}

const hasBought = (model: Readonly<Model>) => model.topUps.length > 0
const pick = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % Math.max(1, items.length)]

async function deliver(real: Real, { event, learn }: Told): Promise<void> {
  await stage.send(event, real.room)
  learn()
}

/** Sends an event now, twice, or later, by another id or the same. */
async function tell(real: Real, told: Told, how: number): Promise<void> {
  if (how === 0) real.held.push(told)
  else await deliver(real, told)
  if (how === 2) real.held.push({ event: { ...told.event, id: newId('evt') }, learn: told.learn })
}

const how = fc.nat({ max: 2 })
const at = fc.nat({ max: 20 })
const pence = fc.integer({ min: 1, max: 3_000 })

const buy = fc.tuple(fc.integer({ min: 50, max: 300 }), how).map(([tens, when]) =>
  step(`buy for ${tens * 10} pence, told ${when}`, async (model, real) => {
    const { url } = await portalOf(real.room, real.payer.account).billing.startTopUp({ key: newId('key'), amountPence: tens * 10, savesCard: false })
    const session = [...stage.stripe.sessions.values()].find((one) => one.url === url)
    if (!session || real.bought.some((one) => one.session === session)) return
    const topUp: ModelTopUp = { amountPence: tens * 10, isPaid: false, refundedPence: 0, disputes: new Map() }
    model.topUps.push(topUp)
    const { charge } = stage.stripe.pay(session.id)
    real.bought.push({ model: topUp, session, charge, disputes: [] })
    const learn = () => {
      topUp.isPaid = true
    }
    await tell(real, { event: eventOf('checkout.session.completed', session), learn }, when)
  }),
)

const refund = fc.tuple(at, pence, how).map(([which, amount, when]) =>
  step(
    `refund ${amount} pence of top-up ${which}, told ${when}`,
    async (_model, real) => {
      const one = pick(real.bought, which)
      if (!one?.charge || one.charge.amount_refunded + amount > one.charge.amount) return
      const charge = stage.stripe.refund(one.charge, amount)
      const total = charge.amount_refunded
      const learn = () => {
        one.model.refundedPence = Math.max(one.model.refundedPence, total)
      }
      await tell(real, { event: eventOf('charge.refunded', charge), learn }, when)
    },
    hasBought,
  ),
)

const dispute = fc.tuple(at, pence, how).map(([which, amount, when]) =>
  step(
    `dispute ${amount} pence of top-up ${which}, told ${when}`,
    async (_model, real) => {
      const one = pick(real.bought, which)
      if (!one?.charge) return
      const made = stage.stripe.dispute(one.charge, Math.min(amount, one.charge.amount))
      one.disputes.push(made)
      const learn = () => {
        // What was said of its end holds over this.
        if (!one.model.disputes.has(made.id)) one.model.disputes.set(made.id, { pence: made.amount, isTaken: true })
      }
      await tell(real, { event: eventOf('charge.dispute.created', made), learn }, when)
    },
    hasBought,
  ),
)

const decide = fc.tuple(at, at, fc.boolean(), how).map(([which, number, isWon, when]) =>
  step(
    `dispute ${number} of top-up ${which} is ${isWon ? 'won' : 'lost'}, told ${when}`,
    async (_model, real) => {
      const one = pick(real.bought, which)
      const made = one && pick(one.disputes, number)
      if (!one || !made || made.status !== 'needs_response') return
      made.status = isWon ? 'won' : 'lost'
      const learn = () => void one.model.disputes.set(made.id, { pence: made.amount, isTaken: !isWon })
      await tell(real, { event: eventOf('charge.dispute.closed', made), learn }, when)
    },
    hasBought,
  ),
)

const late = at.map((which) =>
  step(`what was held back arrives, number ${which}`, async (_model, real) => {
    const [told] = real.held.length === 0 ? [] : real.held.splice(which % real.held.length, 1)
    if (told) await deliver(real, told)
  }),
)

const call = fc.tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 50 })).map(([price, units]) =>
  step(`a call for ${units} rows at ${price}`, async (model, real) => {
    const request = requestOf(real.payer, { price, units })
    const [outcome] = await admit(stage.pool, [request])
    expect(outcome?.credits).toBe(model.charge(price, units))
    if (outcome && outcome.credits > 0) real.charged.push({ request, credits: outcome.credits })
  }),
)

const giveBack = at.map((which) =>
  step(`a charge is given back, number ${which}`, async (model, real) => {
    const [one] = real.charged.length === 0 ? [] : real.charged.splice(which % real.charged.length, 1)
    if (!one) return
    // Twice, as when nobody knows whether the first time was heard.
    for (let time = 0; time < 2; time++) await settle(stage.pool, [{ ...one.request, isVoid: true }])
    model.adjust(one.credits)
  }),
)

const adjust = fc.integer({ min: -100, max: 100 }).map((credits) =>
  step(`the operator enters ${credits}`, async (model, real) => {
    const entered = adjustCredits(stage.pool, real.payer.accountId, credits, 'Of the tests.')
    if (credits === 0) return expect(entered).rejects.toThrow('Credits must be a whole number other than 0.')
    await entered
    model.adjust(credits)
  }),
)

const settings = fc.tuple(fc.integer({ min: -5, max: 5_000 }), fc.array(fc.integer({ min: -1, max: 500 }), { maxLength: 6 })).map(([threshold, thresholds]) =>
  step(`alerts at ${thresholds.join()}, automatic top-up at ${threshold}`, async (_model, real) => {
    const { billing } = portalOf(real.room, real.payer.account)
    // Some of these are refused. None of them moves a credit.
    await billing.setAlerts({ thresholds }).catch(() => undefined)
    await billing.setAutoTopUp({ isOn: threshold % 2 === 0, thresholdCredits: threshold, amountPence: 500, ceilingPence: 1_000 }).catch(() => undefined)
  }),
)

const tamper = fc
  .constantFrom('UPDATE ledger_entry SET credits = 1', 'DELETE FROM ledger_entry', 'TRUNCATE ledger_entry', 'DELETE FROM request_log')
  .map((sql) =>
    step(sql, async (_model, real) => {
      const { rows } = await stage.pool.query('SELECT FROM ledger_entry WHERE account_id = $1', [real.payer.accountId])
      if (sql.includes('request_log') || rows.length === 0) return
      await expect(stage.pool.query(sql)).rejects.toThrow('ledger_entry is append-only: correct an entry with another entry')
    }),
  )

const commands = fc.commands([buy, buy, refund, dispute, decide, late, late, call, call, giveBack, adjust, settings, tamper], { maxCommands: 40 })

test('no sequence of purchases, refunds, disputes, calls, settlements and corrections makes the ledger and the balance disagree', async () => {
  const room = stage.room()
  await fc.assert(
    fc.asyncProperty(commands, async (play) => {
      const payer = await addKey(stage.pool, await stage.account())
      const real: Real = { room, payer, bought: [], held: [], charged: [] }
      const model = new ModelAccount()
      await fc.asyncModelRun(() => ({ model, real }), play)
      // Whatever Stripe still holds back arrives in the end, in whatever order.
      for (const told of real.held.splice(0).toReversed()) await deliver(real, told)
      expect(await stage.balance(payer.account)).toBe(model.balance)
      const page = await portalOf(room, payer.account).billing.ledger({ cursor: null, limit: 100 })
      expect(page.lines[0]?.balanceCredits ?? 0).toBe(model.balance)
    }),
    { numRuns: Number(process.env['SVC_RUNS'] ?? 60), endOnFailure: false },
  )
  expect((await verifyLedger(stage.pool)).differences).toEqual([])
}, 120_000)
