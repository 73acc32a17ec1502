import fc from 'fast-check'
import { expect } from 'vitest'
import { runCli } from '../../published/support/run-cli.ts'
import { call } from '../../support/accounts.ts'
import type { EntryPoints } from './entry-point-steps.ts'
import { step } from './ledger-play.ts'
import { newId } from './stripe-objects.ts'

const svc = ({ fixture }: EntryPoints, ...args: string[]) => runCli(String(fixture.pool.options.connectionString), ...args)

const grant = fc.integer({ min: 1, max: 80 }).map((credits) =>
  step<EntryPoints>(`svc credits grant --credits ${credits}`, async (model, real) => {
    await svc(real, 'credits', 'grant', '--account', real.member.email, '--credits', String(credits), '--reason', 'Of the tests.')
    model.adjust(credits)
  }),
)

const noGrant = fc.constantFrom('0', '-5', '1.5', 'x').map((credits) =>
  step<EntryPoints>(`svc credits grant --credits ${credits}`, async (_model, real) => {
    await expect(svc(real, 'credits', 'grant', '--account', real.member.email, `--credits=${credits}`, '--reason', 'Of the tests.')).rejects.toThrow()
  }),
)

const plan = fc
  .constantFrom('business', 'enterprise')
  .map((name) =>
    step<EntryPoints>(`svc account plan --plan ${name}`, async (_model, real) => svc(real, 'account', 'plan', '--account', real.member.email, '--plan', name)),
  )

const block = fc.constant(
  step<EntryPoints>('svc account block', async (model, real) => {
    const isRefused = model.isBlocked
    await svc(real, 'account', 'block', '--account', real.member.email, '--reason', 'Of the tests.')
    model.isBlocked = true
    expect(isRefused || (await call(`${real.fixture.origin}/v1`, '/ping', real.key)).status).not.toBe(200)
  }),
)

const unblock = fc.constant(
  step<EntryPoints>(
    'svc account unblock',
    async (model, real) => {
      await svc(real, 'account', 'unblock', '--account', real.member.email)
      model.isBlocked = false
    },
    ({ isBlocked }) => isBlocked,
  ),
)

const limits = fc.record({ perDay: fc.integer({ min: 50_000, max: 90_000 }), cap: fc.option(fc.integer({ min: 0, max: 400 })) }).map(({ perDay, cap }) =>
  step<EntryPoints>(`svc account limits --per-day ${perDay} --spend-cap ${cap ?? 'none'}`, async (model, real) => {
    await svc(real, 'account', 'limits', '--account', real.member.email, '--per-day', String(perDay), '--spend-cap', String(cap ?? 'none'))
    model.cap = cap
  }),
)

const capped = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 12 })).map(([cap, limit]) =>
  step<EntryPoints>(`svc key create --spend-cap ${cap}, and a call for ${limit} rows with it`, async (model, real) => {
    const args = ['--account', real.member.email, '--mode', 'live', '--spend-cap', String(cap), '--json']
    const { key } = JSON.parse(await svc(real, 'key', 'create', ...args)) as { key: string }
    const answer = await call(`${real.fixture.origin}/v1`, `/rates?limit=${limit}`, key)
    expect(answer.status === 200 ? answer.body.meta.creditsCharged : 0).toBe(model.charge(1, limit, cap))
  }),
)

const another = fc.integer({ min: 0, max: 500 }).map((credits) =>
  step<EntryPoints>(`svc account create --credits ${credits}`, async (_model, real) => {
    const args = ['--email', `${newId('other')}@example.test`, '--password', 'four green apples fell', '--credits', String(credits), '--approve', '--json']
    expect(JSON.parse(await svc(real, 'account', 'create', ...args))).toMatchObject({ balanceCredits: credits })
  }),
)

const verify = fc.constant(
  step<EntryPoints>('svc ledger verify', async (_model, real) => expect(JSON.parse(await svc(real, 'ledger', 'verify', '--json'))).toMatchObject({ ok: true })),
)

/** Steps that run `svc` commands. Each one starts a process, so they are chosen less often than the other steps. */
export const commandLine = fc.oneof(grant, noGrant, plan, block, limits, capped, another, verify)

export { unblock }
