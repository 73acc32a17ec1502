import fc from 'fast-check'
import { expect } from 'vitest'
import { beginAutoTopUps } from '#server/billing/auto-top-up.ts'
import type { BillingDeps } from '#server/billing/billing-deps.ts'
import { readSavedCards } from '#server/billing/saved-cards.ts'
import { portalRouter } from '#server/trpc/root.ts'
import type { Member, PortalFixture } from '../../portal/support/portal-fixture.ts'
import { mutationCases } from '../../portal/support/valid-mutations.ts'
import { call as callApi } from '../../support/accounts.ts'
import type { ModelAccount, ModelAuto } from './ledger-model.ts'
import { deliverOrHold, how, type Play, step } from './ledger-play.ts'
import { getEvent, newId } from './stripe-objects.ts'

/** Account on a running service, with everything that steps need to act on it. Steps that run worker jobs use `deps`. */
export type EntryPoints = Play & { readonly fixture: PortalFixture; readonly deps: BillingDeps; readonly member: Member; readonly key: string }

/** Mutations excluded from the steps, because they end the session or account that later steps need. */
export const excludedMutations: Readonly<Record<string, string>> = {
  'security.closeAccount': 'It closes the account.',
  'session.endAll': 'It ends the session.',
  'team.accept': 'It shows another account.',
  'team.leave': 'It ends the access to the account.',
  'team.transfer': 'It ends the ownership of the account.',
}

const procedures = Object.entries(portalRouter._def.procedures).map(([name, procedure]) => ({
  name,
  kind: (procedure as unknown as { _def: { type: 'query' | 'mutation' } })._def.type,
}))

/** Functions that apply a mutation to the model, by procedure. They return false if the service must reject the call. */
const modelUpdates: Readonly<Record<string, (model: ModelAccount, input: object | undefined) => boolean>> = {
  'billing.setCap': (model, input) => {
    model.cap = (input as { capCredits: number | null }).capCredits
    return true
  },
  'billing.setAutoTopUp': (model, input) => model.setAutoTopUp(input as ModelAuto),
  'billing.removeCard': (model) => {
    model.removeCard()
    return true
  },
}

/** Steps that call the mutations of this account, with the inputs that pages send. */
export const mutations = procedures
  .filter(({ name, kind }) => kind === 'mutation' && !(name in excludedMutations))
  .map(({ name }) =>
    (mutationCases[name] ?? expect.unreachable(`No valid input is defined for ${name}.`)).map((way) =>
      step<EntryPoints>(
        `${name} with valid input`,
        async (model, real) => {
          const input = await way(real)
          const { status, body } = await real.member.visitor.call(name, 'mutation', input)
          const isTaken = modelUpdates[name]?.(model, input) ?? true
          expect(status, `${name} ${JSON.stringify(input)} ${JSON.stringify(body)}`).toBe(isTaken ? 200 : 400)
        },
        ({ isBlocked }) => !isBlocked,
      ),
    ),
  )

const odd = fc.oneof(
  fc.integer({ min: -10, max: 5_000 }),
  fc.constantFrom('', 'x', '2026-11', 'csv', 'json', 'live', 'top_x', '20'),
  fc.boolean(),
  fc.constant(null),
)

/** Names of the inputs that are given arbitrary values. Procedures ignore names that they don't know. */
const names = ['id', 'key', 'cursor', 'limit', 'request', 'month', 'format', 'capCredits', 'name', 'mode', 'email', 'from', 'to', 'before']
/** Arbitrary cursor in the format of the ledger's cursors. */
const cursor = fc
  .tuple(fc.stringMatching(/^\d{1,21}$/), fc.stringMatching(/^-?\d{1,21}$/), fc.stringMatching(/^[0-9a-f-]{0,36}$/))
  .map((parts) => parts.join('_'))
const input = fc
  .record({
    ...Object.fromEntries(names.map((name) => [name, odd])),
    cursor: fc.oneof(odd, cursor),
    amountPence: fc.integer({ min: 0, max: 100_000 }),
    thresholds: fc.array(fc.nat(99)),
  })
  .chain((all) => fc.subarray(Object.keys(all)).map((kept) => Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name)))))

/**
 * Step that calls any procedure with arbitrary input. The call may be rejected, but must not cause a server error or move credits. Excludes the procedures in
 * `modelUpdates`.
 */
export const anything = fc
  .tuple(fc.constantFrom(...procedures.filter(({ name }) => !(name in excludedMutations) && !(name in modelUpdates))), input)
  .map(([{ name, kind }, given]) =>
    step<EntryPoints>(`${name} with ${JSON.stringify(given)}`, async (_model, { member }) => {
      const { status } = await member.visitor.call(name, kind, given)
      expect(status, `${name} ${JSON.stringify(given)}`).toBeLessThan(500)
    }),
  )

const api = ({ fixture, key }: EntryPoints, path: string, headers: Record<string, string> = {}) => callApi(`${fixture.origin}/v1`, path, key, { headers })

/** API calls with their maximum cost, as credits per unit and number of units. */
const priced = fc
  .oneof(
    fc.integer({ min: 1, max: 50 }).map((limit) => ({ path: `/rates?limit=${limit}`, price: 1, units: limit })),
    fc.constant({ path: '/simulate?rate=4.00&amount=1000&months=12', price: 2, units: 1 }),
  )
  .map(({ path, price, units }) =>
    step<EntryPoints>(`GET ${path}`, async (model, real) => {
      const answer = await api(real, path)
      expect(answer.status === 200 ? answer.body.meta.creditsCharged : 0).toBe(model.charge(price, Math.min(units, answer.body.data?.length ?? units)))
      expect(model.isBlocked ? [403] : [200, 402]).toContain(answer.status)
    }),
  )

const unpriced = fc.constantFrom('/ping', '/me', '/rates?limit=0', '/rates?tpye=x', '/rates/none', '/market/averages', '/nowhere').map((path) =>
  step<EntryPoints>(`GET ${path}, free`, async (_model, real) => {
    expect([200, 400, 403, 404]).toContain((await api(real, path)).status)
  }),
)

const retried = fc.integer({ min: 1, max: 5 }).map((limit) =>
  step<EntryPoints>(`GET /rates?limit=${limit} twice with one Idempotency-Key`, async (model, real) => {
    const headers = { 'idempotency-key': newId('idem') }
    const [first, second] = [await api(real, `/rates?limit=${limit}`, headers), await api(real, `/rates?limit=${limit}`, headers)]
    expect(first.status === 200 ? first.body.meta.creditsCharged : 0).toBe(model.charge(1, limit))
    expect(second.status === 200 ? second.body.meta.creditsCharged : 0).toBe(0)
  }),
)

export const calls = [priced, priced, retried, unpriced]

const running = new AbortController().signal

/** Step that runs the worker jobs that read new cards from Stripe and charge saved ones. */
export const turn = fc.tuple(how, fc.boolean()).map(([when, isLater]) =>
  step<EntryPoints>(`run the worker jobs${isLater ? ' a minute later' : ''}`, async (model, real) => {
    const rest = (until: string) =>
      real.fixture.sql(`UPDATE auto_top_up SET not_before = '${until}' WHERE account_id = $1 AND not_before > now()`, [real.member.id])
    if (isLater) {
      await rest('2000-01-01')
      model.waitAMinute()
    }
    await readSavedCards(real.deps, running)
    model.readCards()
    await beginAutoTopUps(real.deps, running)
    // Extends the pause after an automatic top-up, so that only steps with `isLater` end it, no matter how much real time has passed.
    await rest('2999-01-01')
    const topUp = model.startAutoTopUp()
    const payments = [...real.stripe.payments.values()].filter(({ metadata }) => metadata['account'] === real.member.publicId)
    const payment = payments.at(-1)
    const charge = real.stripe.charges.get(payment?.latest_charge ?? '')
    if (!topUp || !payment || !charge) return
    real.bought.push({ model: topUp, session: null, charge, refunds: [], disputes: [] })
    await deliverOrHold(real, { event: getEvent('payment_intent.succeeded', payment), updateModel: () => undefined }, when)
  }),
)
