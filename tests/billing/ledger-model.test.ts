import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { creditsPerEvent } from '#server/api/contract/webhooks.ts'
import { getAdjustmentTerms } from '#server/billing/adjustment-list.ts'
import { adjustByHand, decideProposal } from '#server/billing/adjustments.ts'
import type { BillingDeps } from '#server/billing/billing-deps.ts'
import { adjustCredits, verifyLedger } from '#server/billing/ledger.ts'
import type { AdmissionRequest } from '#server/metering/batch.ts'
import { resumeHeld } from '#server/webhooks/fan-out.ts'
import { healthRules, recordOutcomes } from '#server/webhooks/queue.sql.ts'
import { addKey, admit, buildRequest, type Payer, settle } from '../metering/statement.ts'
import { deliveredEvent } from '../webhooks/support/delivered-event.ts'
import { BillingFixture, getSettings } from './support/billing-fixture.ts'
import { ModelAccount } from './support/ledger-model.ts'
import { deliverRest, type Play, step, stripeCommands } from './support/ledger-play.ts'
import { getPortal } from './support/portal.ts'
import { newId } from './support/stripe-objects.ts'

const fixture = new BillingFixture()

/** Ids of two administrators, the credits that the first has adjusted without approval, and the pending proposals of both, oldest first. */
type Admins = { readonly one: number; readonly other: number; movedAlone: number; readonly proposed: number[] }

type Real = Play & {
  readonly payer: Payer
  readonly deps: BillingDeps
  readonly admins: Admins
  readonly charged: { readonly request: AdmissionRequest; readonly credits: number }[]
}

const adminActor = (adminId: number) => ({ actor: 'admin', adminId, reason: 'Of the tests.', address: null }) as const

const call = fc.tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 50 })).map(([price, units]) =>
  step<Real>(`call for ${units} rows at ${price} credits each`, async (model, real) => {
    const request = buildRequest(real.payer, { price, units })
    const [outcome] = await admit(fixture.pool, [request])
    expect(outcome?.credits).toBe(model.charge(price, units))
    if (outcome && outcome.credits > 0) real.charged.push({ request, credits: outcome.credits })
  }),
)

const giveBack = fc.nat({ max: 20 }).map((which) =>
  step<Real>(`reverse charge ${which}`, async (model, real) => {
    const [one] = real.charged.length === 0 ? [] : real.charged.splice(which % real.charged.length, 1)
    if (!one) return
    // The charge is reversed twice, as happens after a lost response.
    for (let time = 0; time < 2; time++) await settle(fixture.pool, [{ ...one.request, isVoid: true }])
    model.adjust(one.credits)
  }),
)

const adjust = fc.integer({ min: -100, max: 100 }).map((credits) =>
  step<Real>(`operator adjusts ${credits}`, async (model, real) => {
    const entered = adjustCredits(fixture.pool, real.payer.accountId, credits, 'Of the tests.')
    if (credits === 0) return expect(entered).rejects.toThrow('Credits must be a whole number other than 0.')
    await entered
    model.adjust(credits)
  }),
)

const adminAdjusts = fc.tuple(fc.integer({ min: -400, max: 400 }), fc.constantFrom(1, 2)).map(([credits, times]) =>
  step<Real>(`administrator adjusts ${credits}, submitting the form ${times} times`, async (model, { admins, deps, payer }) => {
    const asked = { key: randomUUID(), credits, note: '' }
    const sent = await Promise.allSettled(Array.from({ length: times }, () => adjustByHand(deps, adminActor(admins.one), payer.accountId, asked)))
    const isTaken = credits !== 0 && (credits > 0 || model.balance + credits >= 0)
    expect(sent.filter(({ status }) => status === 'fulfilled').length).toBe(isTaken ? 1 : 0)
    if (!isTaken) return
    const isAlone = admins.movedAlone + Math.abs(credits) <= getSettings(fixture.stripe).fourEyesCredits
    if (isAlone) model.adjust(credits)
    if (isAlone) admins.movedAlone += Math.abs(credits)
    else admins.proposed.push(credits)
  }),
)

const adminDecides = fc.boolean().map((isApproved) =>
  step<Real>(`second administrator ${isApproved ? 'approves' : 'declines'} the oldest proposal, twice at once`, async (model, { admins, deps, payer }) => {
    const waiting = (await getAdjustmentTerms(deps, payer.accountId, admins.one)).adjustments.filter(({ state }) => state === 'waiting').at(-1)
    const [credits] = admins.proposed
    expect(waiting?.credits).toBe(credits)
    if (!waiting || credits === undefined) return
    const can = !isApproved || credits > 0 || model.balance + credits >= 0
    const sent = await Promise.allSettled([1, 2].map(() => decideProposal(deps, adminActor(admins.other), waiting.id, isApproved)))
    expect(sent.filter(({ status }) => status === 'fulfilled').length).toBe(can ? 1 : 0)
    if (can) admins.proposed.shift()
    if (can && isApproved) model.adjust(credits)
  }),
)

const settings = fc.tuple(fc.integer({ min: -5, max: 5_000 }), fc.array(fc.integer({ min: -1, max: 500 }), { maxLength: 6 })).map(([threshold, thresholds]) =>
  step<Real>(`set alerts at ${thresholds.join()}, automatic top-up at ${threshold}`, async (_model, real) => {
    const { billing } = getPortal(real.deps, real.payer.account)
    // Some of these settings are rejected. None of them moves credits.
    await billing.setAlerts({ thresholds }).catch(() => undefined)
    await billing.setAutoTopUp({ isOn: threshold % 2 === 0, thresholdCredits: threshold, amountPence: 500, ceilingPence: 1_000 }).catch(() => undefined)
  }),
)

const tamper = fc
  .tuple(fc.constantFrom('ledger_entry', 'request_log'), fc.constantFrom('UPDATE %s SET credits = 1', 'DELETE FROM %s', 'TRUNCATE %s'))
  .map(([table, words]) =>
    step<Real>(words.replace('%s', table), async (_model, real) => {
      // The log is protected by row triggers, which fire only if there is a row.
      await admit(fixture.pool, [buildRequest(real.payer, { price: 0 })])
      const refusal = new RegExp(`^${table}\\w* is append-only: correct an entry with another entry$`)
      await expect(fixture.pool.query(words.replace('%s', table))).rejects.toThrow(refusal)
    }),
  )

const event = fc.constantFrom(1, 2).map((times) =>
  step<Real>(`deliver a webhook event, recorded ${times} times`, async (model, real) => {
    const outcome = await deliveredEvent(fixture.pool, real.payer.accountId)
    for (let time = 0; time < times; time++) await recordOutcomes(fixture.pool, null, creditsPerEvent, healthRules, [outcome])
    model.event(creditsPerEvent)
  }),
)

const payOwed = fc.constant(
  step<Real>('charge owed events', async (model) => {
    await resumeHeld(fixture.pool)
    model.payOwed(creditsPerEvent)
  }),
)

const commands = fc.commands([...stripeCommands, call, call, giveBack, adjust, adminAdjusts, adminDecides, event, payOwed, settings, tamper], {
  maxCommands: 40,
})

function getReal(deps: BillingDeps, payer: Payer, [one, other]: readonly [number, number]): Real {
  const start = async (amountPence: number, savesCard: boolean) =>
    (await getPortal(deps, payer.account).billing.startTopUp({ key: newId('key'), amountPence, savesCard })).url
  const ways = {
    stripe: fixture.stripe,
    start,
    send: (event: Parameters<Play['send']>[0]) => fixture.send(event, deps),
    balance: () => fixture.balance(payer.account),
  }
  return { ...ways, deps, payer, admins: { one, other, movedAlone: 0, proposed: [] }, bought: [], held: [], charged: [] }
}

test('keeps ledger and balance equal for any sequence of purchases, refunds, disputes, calls, reversals and adjustments', async () => {
  const deps = fixture.deps()
  const administrators = [(await fixture.account()).id, (await fixture.account()).id] as const
  await fc.assert(
    fc.asyncProperty(commands, async (play) => {
      const payer = await addKey(fixture.pool, await fixture.account())
      const [model, real] = [new ModelAccount(), getReal(deps, payer, administrators)]
      await fc.asyncModelRun(() => ({ model, real }), play)
      await deliverRest(real)
      expect(await fixture.balance(payer.account)).toBe(model.balance)
      const page = await getPortal(deps, payer.account).billing.ledger({ cursor: null, request: null, limit: 100 })
      expect(page.lines[0]?.balanceCredits ?? 0).toBe(model.balance)
    }),
    { numRuns: Number(process.env['SVC_RUNS'] ?? 60), endOnFailure: false },
  )
  expect((await verifyLedger(fixture.pool)).differences).toEqual([])
}, 120_000)
