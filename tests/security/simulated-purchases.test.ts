/** Tests that production refuses to start on a database with simulated or test-mode purchases until `svc billing reverse-simulated` has reversed them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { applyPaymentChange } from '#server/billing/apply-payment.ts'
import { openAccount, verifyLedger } from '#server/billing/ledger.ts'
import { reverseSimulatedPurchases } from '#server/billing/production-guard.ts'
import { environment, svc } from '../backup/support/svc.ts'
import { ownDatabase } from '../support/own-database.ts'
import { startProcess } from '../support/service-process.ts'

const database = ownDatabase({ max: 6 })
let dataDir = ''
let made = 0

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-simulated-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))
beforeEach(() => reverseSimulatedPurchases(database.pool, { isDryRun: false }))

async function newAccount(): Promise<number> {
  const request = { email: `buyer-${++made}@example.test`, password: null, plan: 'hobby' as const, isAdmin: false, isApproved: true, isVerified: true }
  return (await openAccount(database.pool, request, { kind: 'adjustment', credits: 10 })).id
}

/** Buys 50 credits for £5. */
async function buy(accountId: number, mode: 'live' | 'test' | 'simulated'): Promise<string> {
  const topUp = `top_made_${++made}`
  await database.pool.query(
    `INSERT INTO top_up (public_id, account_id, purchase_key, origin, mode, amount_pence, credits) VALUES ($1, $2, $1, 'checkout', $3, 500, 50)`,
    [topUp, accountId, mode],
  )
  const notifying = { event: { id: `evt_${topUp}`, type: 'checkout.session.completed' }, isLive: mode === 'live', at: new Date() }
  expect(await applyPaymentChange(database.pool, notifying, { topUp, intent: `pi_${topUp}`, outcome: 'paid', amountPence: 500 })).toBe('applied')
  return topUp
}

const getBalance = async (accountId: number) =>
  Number((await database.pool.query<{ balance: string }>('SELECT balance FROM wallet WHERE account_id = $1', [accountId])).rows[0]?.balance)

const start = (env = {}) => startProcess({ databaseUrl: database.url, mount: 'lean', dataDir, env: { ROLES: 'gateway', ...env } })

const command = (...args: string[]) => svc(environment({ url: database.url }), ['--json', 'billing', 'reverse-simulated', ...args])

test.each(['simulated', 'test'] as const)('production does not start with a purchase in %s mode until it is reversed', { timeout: 120_000 }, async (mode) => {
  const account = await newAccount()
  await buy(account, 'live')
  const topUp = await buy(account, mode)
  await database.pool.query("SELECT enter_credits($1, 'adjustment', -100, 'operator', 'Spent.', NULL)", [account])
  const sentence =
    'Simulated purchases in this database: 1, worth 50 credits, which must not be spent in production. Reverse the purchases with: npm run svc -- billing reverse-simulated'
  await expect(start()).rejects.toThrow(sentence)

  const tried = await command('--dry-run')
  expect(JSON.parse(tried.out)).toMatchObject({ dryRun: true, credits: 50, purchases: [{ topUp, mode, credits: 50 }] })
  expect(await getBalance(account)).toBe(10)
  await expect(start()).rejects.toThrow(sentence)

  expect(JSON.parse((await command()).out)).toMatchObject({ dryRun: false, credits: 50, purchases: [{ topUp, mode, credits: 50 }] })
  expect(await getBalance(account)).toBe(-40)
  expect(JSON.parse((await command()).out)).toMatchObject({ credits: 0, purchases: [] })
  expect(await getBalance(account)).toBe(-40)
  const { rows } = await database.pool.query("SELECT credits::int, reference FROM ledger_entry WHERE account_id = $1 AND kind = 'refund'", [account])
  expect(rows).toEqual([{ credits: -50, reference: topUp }])
  expect((await verifyLedger(database.pool)).differences).toEqual([])

  const service = await start()
  onTestFinished(() => service.stop())
  expect((await fetch(`${service.origin}/healthz`)).status).toBe(200)
})

test('concurrent reversals bring the credits of partly refunded or disputed purchases to exactly zero', async () => {
  const account = await newAccount()
  const [first, second] = [await buy(account, 'simulated'), await buy(account, 'test')]
  for (let n = 0; n < 30; n++) await buy(account, 'simulated')
  const notifying = { event: null, isLive: false, at: new Date() }
  await applyPaymentChange(database.pool, notifying, {
    intent: `pi_${first}`,
    refund: { id: `re_${first}`, amountPence: 210, status: 'succeeded', isGone: true, stage: 1 },
  })
  await applyPaymentChange(database.pool, notifying, {
    intent: `pi_${second}`,
    dispute: { id: 'dp_1', amountPence: 500, status: 'lost', isTaken: true, stage: 1 },
  })
  const runs = await Promise.all(Array.from({ length: 4 }, () => reverseSimulatedPurchases(database.pool, { isDryRun: false })))
  expect(runs.every((run) => run.length <= 32)).toBe(true)
  expect(await getBalance(account)).toBe(10)
  expect((await verifyLedger(database.pool)).differences).toEqual([])
  expect(await reverseSimulatedPurchases(database.pool, { isDryRun: true })).toEqual([])
})

test('keeps purchases paid with real money', async () => {
  const account = await newAccount()
  await buy(account, 'live')
  expect(await reverseSimulatedPurchases(database.pool, { isDryRun: false })).toEqual([])
  expect(await getBalance(account)).toBe(60)
})
