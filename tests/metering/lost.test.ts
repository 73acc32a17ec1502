/** Tests a process while its connection to PostgreSQL is cut or stalled at critical moments. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { startTcpProxy, type TcpProxy } from '../chaos/tcp-proxy.ts'
import { type ApiAnswer, call } from '../support/accounts.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { openTestPool } from '../support/test-pool.ts'
import { type LogRow, makePayer, meteringDatabase, type Payer, readCounters, readLog } from './statement.ts'

const db = meteringDatabase()
let proxy: TcpProxy
let service: ServiceProcess

beforeAll(async () => {
  proxy = await startTcpProxy(db.url)
  service = await startProcess({ databaseUrl: proxy.url, mount: 'lean', dataDir: 'unused', env: { ROLES: 'gateway' } })
})
afterAll(async () => {
  await service?.stop()
  await proxy?.[Symbol.asyncDispose]()
})
beforeEach(() => {
  proxy.hold('nothing')
  proxy.holdAfter(null)
})

const getRequestId = (answer: ApiAnswer) => String(answer.headers.get('x-svc-request-id')).slice(4)

/**
 * Creates a payer and makes a successful call with the payer's key, so that the process has cached the key and later calls need only the admission statement.
 */
async function knownPayer(): Promise<Payer> {
  const payer = await makePayer(db.pool, { credits: 10 })
  await untilServed(payer)
  return payer
}

async function untilServed(payer: Payer): Promise<void> {
  await vi.waitFor(async () => expect((await call(service.api, '/ping', payer.key)).status).toBe(200), { timeout: 10_000, interval: 50 })
}

async function timed(answer: Promise<ApiAnswer>): Promise<{ answer: ApiAnswer; ms: number }> {
  const started = performance.now()
  return { answer: await answer, ms: performance.now() - started }
}

const paidRows = async (payer: Payer): Promise<LogRow[]> => (await readLog(db.pool, payer)).filter((row) => row.credits > 0)
const untilPaid = (payer: Payer) => vi.waitFor(async () => expect(await paidRows(payer)).toHaveLength(1), { timeout: 2_000, interval: 10 })

async function expectExact(): Promise<void> {
  expect((await verifyLedger(db.pool)).differences).toEqual([])
}

test('returns the paid response if the connection breaks after the charge but before its result arrives', async () => {
  const payer = await knownPayer()
  proxy.hold('answers')
  const calling = timed(call(service.api, '/rates?limit=3', payer.key))
  await untilPaid(payer)
  proxy.hold('nothing')
  proxy.cut()
  const { answer, ms } = await calling
  expect(answer.status).toBe(200)
  expect(answer.body.meta).toMatchObject({ creditsCharged: 3, creditsBalance: 7 })
  expect(answer.body.data).toHaveLength(3)
  expect(Number(answer.headers.get('x-ratelimit-limit'))).toBeGreaterThan(0)
  expect(ms).toBeLessThan(3_000)
  expect(await paidRows(payer)).toMatchObject([{ id: getRequestId(answer), credits: 3 }])
  await expectExact()
})

test('fails the call and reverses the charge if the result of the charge never arrives', async () => {
  const payer = await knownPayer()
  proxy.hold('answers')
  const { answer, ms } = await timed(call(service.api, '/rates?limit=3', payer.key, { headers: { 'idempotency-key': 'lost' } }))
  expect([answer.status, answer.body.error]).toEqual([500, 'internal_error'])
  expect(ms).toBeLessThan(3_000)
  expect(await paidRows(payer)).toMatchObject([{ id: getRequestId(answer), credits: 3, balance: 7 }])
  proxy.hold('nothing')
  await vi.waitFor(async () => expect(await readCounters(db.pool, payer)).toMatchObject({ balance: 10, monthSpent: 0 }), { timeout: 3_000, interval: 20 })
  // A retry with the same Idempotency-Key is a new purchase and is charged once.
  await untilServed(payer)
  const again = () => call(service.api, '/rates?limit=3', payer.key, { headers: { 'idempotency-key': 'lost' } })
  expect([(await again()).body.meta.creditsCharged, (await again()).body.meta.creditsCharged]).toEqual([3, 0])
  await expectExact()
})

test('promptly fails a call whose statement never reached PostgreSQL, and never charges it', async () => {
  const payer = await knownPayer()
  proxy.hold('everything')
  const calling = timed(call(service.api, '/rates?limit=3', payer.key))
  await sleep(200)
  proxy.hold('nothing')
  proxy.cut()
  const { answer, ms } = await calling
  expect([answer.status, answer.body.error]).toEqual([500, 'internal_error'])
  expect(ms).toBeLessThan(3_000)
  expect((await readLog(db.pool, payer)).filter(({ id }) => id === getRequestId(answer))).toMatchObject([{ status: 500, error: 17, credits: 0 }])
  expect(await readCounters(db.pool, payer)).toMatchObject({ balance: 10 })
  await untilServed(payer)
  await expectExact()
})

test('keeps every response consistent with the ledger while connections are dropped repeatedly', async () => {
  const payers = await Promise.all(Array.from({ length: 5 }, () => knownPayer()))
  for (let round = 0; round < 12; round++) {
    proxy.hold(round % 2 === 0 ? 'answers' : 'nothing')
    const calls = payers.flatMap((payer) =>
      [payer, payer].map((one) => ({ payer: one, answer: call(service.api, `/rates?limit=${1 + (round % 3)}`, one.key) })),
    )
    await sleep(round * 4)
    proxy.hold('nothing')
    proxy.cut()
    for (const { payer, answer } of calls) {
      const response = await answer
      expect([200, 402, 500]).toContain(response.status)
      const row = (await readLog(db.pool, payer)).find(({ id }) => id === getRequestId(response))
      if (response.status === 200)
        expect(row).toMatchObject({ status: 200, credits: response.body.meta.creditsCharged, balance: response.body.meta.creditsBalance })
      else expect(row?.credits ?? 0).toBe(0)
    }
  }
  await expectExact()
}, 60_000)

test('gives up on a connection that stops responding before its first statement, and recovers', async () => {
  const payer = await knownPayer()
  proxy.holdAfter('plan_cache_mode')
  proxy.cut()
  // All current admission connections stall between the handshake and the first result. Only new connections work.
  await sleep(500)
  proxy.holdAfter(null)
  const started = performance.now()
  await vi.waitFor(async () => expect((await call(service.api, '/rates?limit=1', payer.key)).status).toBe(200), { timeout: 12_000, interval: 100 })
  expect(performance.now() - started).toBeLessThan(8_000)
}, 30_000)

test('fails a transaction whose connection is dropped between two statements, without crashing the process', async () => {
  const pool = openTestPool({ connectionString: proxy.url, max: 1 })
  const work = inTransaction(pool, async (client) => {
    await client.query('SELECT 1')
    proxy.cut()
    await sleep(100)
    await client.query('SELECT 2')
  })
  await expect(work).rejects.toThrow()
  expect((await pool.query('SELECT 3 AS three')).rows).toEqual([{ three: 3 }])
  await pool.end()
})

test('responds to a readiness check whose database connection is dropped, without crashing', async () => {
  proxy.holdAfter('endpoint_override')
  const checking = fetch(`${service.origin}/readyz`)
  await sleep(300)
  proxy.holdAfter(null)
  proxy.cut()
  expect([200, 503]).toContain((await checking).status)
  expect(service.child.exitCode).toBeNull()
  await vi.waitFor(async () => expect((await fetch(`${service.origin}/readyz`)).status).toBe(200), { timeout: 5_000, interval: 50 })
})
