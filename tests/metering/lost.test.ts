import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { startTcpProxy, type TcpProxy } from '../chaos/tcp-proxy.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { type ApiAnswer, call } from '../support/world.ts'
import { countersOf, type LogRow, logOf, makePayer, meteringDatabase, type Payer } from './statement.ts'

/** One process whose wire to PostgreSQL is cut or held at the moments that hurt. */
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

const idOf = (answer: ApiAnswer) => String(answer.headers.get('x-svc-request-id')).slice(4)

/** A payer whose key the process knows, with a market page that it has built, so that a call needs the admission statement and nothing else. */
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

const paidRows = async (payer: Payer): Promise<LogRow[]> => (await logOf(db.pool, payer)).filter((row) => row.credits > 0)
const untilPaid = (payer: Payer) => vi.waitFor(async () => expect(await paidRows(payer)).toHaveLength(1), { timeout: 2_000, interval: 10 })

async function expectExact(): Promise<void> {
  expect((await verifyLedger(db.pool)).differences).toEqual([])
}

test('the answer to a charge is lost with its connection: the caller still gets what was paid for', async () => {
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
  expect(await paidRows(payer)).toMatchObject([{ id: idOf(answer), credits: 3 }])
  await expectExact()
})

test('the answer to a charge is lost and stays away: the caller is told of a failure, and the charge is given back', async () => {
  const payer = await knownPayer()
  proxy.hold('answers')
  const { answer, ms } = await timed(call(service.api, '/rates?limit=3', payer.key, { headers: { 'idempotency-key': 'lost' } }))
  expect([answer.status, answer.body.error]).toEqual([500, 'internal_error'])
  expect(ms).toBeLessThan(3_000)
  expect(await paidRows(payer)).toMatchObject([{ id: idOf(answer), credits: 3, balance: 7 }])
  proxy.hold('nothing')
  await vi.waitFor(async () => expect(await countersOf(db.pool, payer)).toMatchObject({ balance: 10, monthSpent: 0 }), { timeout: 3_000, interval: 20 })
  // The same order again is a new one: it buys, once.
  await untilServed(payer)
  const again = () => call(service.api, '/rates?limit=3', payer.key, { headers: { 'idempotency-key': 'lost' } })
  expect([(await again()).body.meta.creditsCharged, (await again()).body.meta.creditsCharged]).toEqual([3, 0])
  await expectExact()
})

test('a statement that never arrived is not charged later, and its caller does not wait for it', async () => {
  const payer = await knownPayer()
  proxy.hold('everything')
  const calling = timed(call(service.api, '/rates?limit=3', payer.key))
  await sleep(200)
  proxy.hold('nothing')
  proxy.cut()
  const { answer, ms } = await calling
  expect([answer.status, answer.body.error]).toEqual([500, 'internal_error'])
  expect(ms).toBeLessThan(3_000)
  expect((await logOf(db.pool, payer)).filter(({ id }) => id === idOf(answer))).toMatchObject([{ status: 500, error: 17, credits: 0 }])
  expect(await countersOf(db.pool, payer)).toMatchObject({ balance: 10 })
  await untilServed(payer)
  await expectExact()
})

test('many calls, cut again and again: whatever each was told is what stands in the books', async () => {
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
      const told = await answer
      expect([200, 402, 500]).toContain(told.status)
      const row = (await logOf(db.pool, payer)).find(({ id }) => id === idOf(told))
      if (told.status === 200) expect(row).toMatchObject({ status: 200, credits: told.body.meta.creditsCharged, balance: told.body.meta.creditsBalance })
      else expect(row?.credits ?? 0).toBe(0)
    }
  }
  await expectExact()
}, 60_000)

test('a new connection that falls silent before its first statement is given up, and the process recovers', async () => {
  const payer = await knownPayer()
  proxy.holdAfter('plan_cache_mode')
  proxy.cut()
  // Every connection of the admission path now hangs between its handshake and its first answer; only new ones will be well.
  await sleep(500)
  proxy.holdAfter(null)
  const started = performance.now()
  await vi.waitFor(async () => expect((await call(service.api, '/rates?limit=1', payer.key)).status).toBe(200), { timeout: 12_000, interval: 100 })
  expect(performance.now() - started).toBeLessThan(8_000)
}, 30_000)

test('a transaction whose connection is cut between two statements fails, and ends no process', async () => {
  const pool = new Pool({ connectionString: proxy.url, max: 1 })
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

test('a readiness check that is cut off midway is answered, and ends nothing', async () => {
  proxy.holdAfter('endpoint_override')
  const checking = fetch(`${service.origin}/readyz`)
  await sleep(300)
  proxy.holdAfter(null)
  proxy.cut()
  expect([200, 503]).toContain((await checking).status)
  expect(service.child.exitCode).toBeNull()
  await vi.waitFor(async () => expect((await fetch(`${service.origin}/readyz`)).status).toBe(200), { timeout: 5_000, interval: 50 })
})
