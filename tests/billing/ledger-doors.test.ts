import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeLimits } from '../../server/accounts/accounts.ts'
import { verifyLedger } from '../../server/billing/ledger.ts'
import { portalRouter } from '../../server/trpc/root.ts'
import { type Member, PortalStage } from '../portal/support/portal-stage.ts'
import { dataOf } from '../portal/support/visitor.ts'
import { runCli } from '../published/support/run-cli.ts'
import { call as callApi } from '../support/world.ts'
import { ModelAccount } from './support/ledger-model.ts'
import { deliverRest, type Play, step, stripeCommands } from './support/ledger-play.ts'
import { newId, sign, webhookSecret } from './support/stripe-objects.ts'
import { StripeServer, testKey } from './support/stripe-server.ts'

/** The same play as with the model of the ledger, through the doors of a running service: pages' procedures, API, command line and Stripe's endpoint. */
const stage = new PortalStage()
let stripe: StripeServer

beforeAll(async () => {
  stripe = await StripeServer.open()
  await stage.open({ STRIPE_SECRET_KEY: testKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: stripe.base })
})
afterAll(async () => {
  await stage.close()
  expect(stripe.faults).toEqual([])
  await stripe.close()
})

type Real = Play & { readonly member: Member; readonly key: string }

/** Every procedure there is, but the one that needs nothing to end the session that all others need. */
const procedures = Object.entries(portalRouter._def.procedures)
  .map(([name, procedure]) => ({ name, kind: (procedure as unknown as { _def: { type: 'query' | 'mutation' } })._def.type }))
  .filter(({ name }) => name !== 'session.endAll')

const odd = fc.oneof(
  fc.integer({ min: -10, max: 5_000 }),
  fc.constantFrom('', 'x', '2026-11', 'csv', 'json', 'live', 'top_x', '20'),
  fc.boolean(),
  fc.constant(null),
)

/** Something for every name that an input may have: what a procedure does not know is left out by it. */
const names = [
  'id',
  'key',
  'cursor',
  'limit',
  'request',
  'month',
  'format',
  'isOn',
  'thresholdCredits',
  'ceilingPence',
  'name',
  'mode',
  'email',
  'from',
  'to',
  'before',
]
const input = fc
  .record({ ...Object.fromEntries(names.map((name) => [name, odd])), amountPence: fc.integer({ min: 0, max: 100_000 }), thresholds: fc.array(fc.nat(99)) })
  .chain((all) => fc.subarray(Object.keys(all)).map((kept) => Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name)))))

const procedure = fc.tuple(fc.constantFrom(...procedures), input).map(([{ name, kind }, given]) =>
  step<Real>(`${name} with ${JSON.stringify(given)}`, async (_model, { member }) => {
    const { status } = await member.visitor.call(name, kind, given)
    expect(status, `${name} ${JSON.stringify(given)}`).toBeLessThan(500)
  }),
)

const api = (real: Real, path: string, headers: Record<string, string> = {}) => callApi(`${stage.origin}/v1`, path, real.key, { headers })

/** Calls of the API, each with what it costs at most: credits a unit, and units. */
const priced = fc
  .oneof(
    fc.integer({ min: 1, max: 50 }).map((limit) => ({ path: `/rates?limit=${limit}`, price: 1, units: limit })),
    fc.constant({ path: '/simulate?rate=4.00&amount=1000&months=12', price: 2, units: 1 }),
  )
  .map(({ path, price, units }) =>
    step<Real>(`GET ${path}`, async (model, real) => {
      const answer = await api(real, path)
      expect(answer.status === 200 ? answer.body.meta.creditsCharged : 0).toBe(model.charge(price, Math.min(units, answer.body.data?.length ?? units)))
      expect([200, 402]).toContain(answer.status)
    }),
  )

const unpriced = fc.constantFrom('/ping', '/me', '/rates?limit=0', '/rates?tpye=x', '/rates/none', '/market/averages', '/nowhere').map((path) =>
  step<Real>(`GET ${path}, free`, async (_model, real) => {
    expect([200, 400, 403, 404]).toContain((await api(real, path)).status)
  }),
)

const retried = fc.integer({ min: 1, max: 5 }).map((limit) =>
  step<Real>(`GET /rates?limit=${limit} twice with one Idempotency-Key`, async (model, real) => {
    const headers = { 'idempotency-key': newId('idem') }
    const [first, second] = [await api(real, `/rates?limit=${limit}`, headers), await api(real, `/rates?limit=${limit}`, headers)]
    expect(first.status === 200 ? first.body.meta.creditsCharged : 0).toBe(model.charge(1, limit))
    expect(second.status === 200 ? second.body.meta.creditsCharged : 0).toBe(0)
  }),
)

const svc = (...args: string[]) => runCli(String(stage.pool.options.connectionString), ...args)

const command = fc.oneof(
  fc.integer({ min: 1, max: 80 }).map((credits) =>
    step<Real>(`svc credits grant --credits ${credits}`, async (model, { member }) => {
      await svc('credits', 'grant', '--account', member.email, '--credits', String(credits), '--reason', 'Of the tests.')
      model.adjust(credits)
    }),
  ),
  fc.constantFrom('0', '-5', '1.5', 'x').map((credits) =>
    step<Real>(`svc credits grant --credits ${credits}`, async (_model, { member }) => {
      await expect(svc('credits', 'grant', '--account', member.email, `--credits=${credits}`, '--reason', 'Of the tests.')).rejects.toThrow()
    }),
  ),
  fc
    .constantFrom('business', 'enterprise')
    .map((plan) =>
      step<Real>(`svc account plan --plan ${plan}`, async (_model, { member }) => svc('account', 'plan', '--account', member.email, '--plan', plan)),
    ),
  fc.constant(step<Real>('svc ledger verify', async () => expect(JSON.parse(await svc('ledger', 'verify', '--json'))).toMatchObject({ ok: true }))),
)

async function realOf(): Promise<Real> {
  const member = await stage.member({ credits: 0 })
  await changeLimits(stage.pool, member.email, { perMinute: 100_000, perDay: 100_000 })
  const { visitor } = member
  const made = await visitor.call('keys.create', 'mutation', { mode: 'live', name: 'A', scopes: ['rates:read'], addresses: '', cap: '', expires: '' })
  const start = async (amountPence: number) =>
    dataOf(await visitor.call('billing.startTopUp', 'mutation', { key: newId('key'), amountPence, savesCard: false }))?.url ?? null
  const send: Play['send'] = async (event) => {
    const { body, signature } = sign(event)
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    expect((await fetch(`${stage.origin}/api/stripe/webhook`, { method: 'POST', headers, body })).status).toBe(200)
  }
  return { stripe, start, send, balance: () => stage.balance(member.id), bought: [], held: [], member, key: dataOf(made).key }
}

const commands = fc.commands([...stripeCommands, priced, priced, retried, unpriced, procedure, procedure, procedure, command], { maxCommands: 60, size: 'max' })

test('no sequence of procedures, calls, commands and events makes the ledger and the balance disagree', async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (play) => {
      const [model, real] = [new ModelAccount(), await realOf()]
      await fc.asyncModelRun(() => ({ model, real }), play)
      await deliverRest(real)
      expect(await real.balance()).toBe(model.balance)
      const page = await real.member.visitor.call('billing.ledger', 'query', { cursor: null, request: null, limit: 1 })
      expect(dataOf(page).lines[0]?.balanceCredits ?? 0).toBe(model.balance)
    }),
    { numRuns: Number(process.env['SVC_RUNS'] ?? 4), endOnFailure: true },
  )
  expect((await verifyLedger(stage.pool)).differences).toEqual([])
}, 180_000)
