/** Tests the limits on queued requests and on requests with unknown outcomes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { Admission } from '#server/metering/admission.ts'
import type { Outcome } from '#server/metering/batch.ts'
import { createLog } from '#server/observability/log.ts'
import { startTcpProxy, type TcpProxy } from '../chaos/tcp-proxy.ts'
import { buildRequest, makePayer, meteringDatabase, type Payer, readCounters, serviceVersion } from './statement.ts'

const db = meteringDatabase()
let proxy: TcpProxy
let admission: Admission
let version = 0

beforeAll(async () => {
  proxy = await startTcpProxy(db.url)
  admission = new Admission(proxy.url, createLog('silent'))
  await admission.open()
  version = await serviceVersion(db.pool)
})
afterAll(async () => {
  await admission.close()
  await proxy[Symbol.asyncDispose]()
})

type TimedOutcome = { outcome: Outcome | null; ms: number }

async function ask(payer: Payer): Promise<TimedOutcome> {
  const started = performance.now()
  const outcome = await admission.admit({ ...buildRequest(payer), serviceVersion: version })
  return { outcome, ms: performance.now() - started }
}

const patience = { timeout: 10_000, interval: 20 }

async function untilDecided(payer: Payer): Promise<Outcome> {
  return vi.waitFor(async () => {
    const { outcome } = await ask(payer)
    if (outcome === null) throw new Error('The request timed out.')
    return outcome
  }, patience)
}

const untilBalance = (payer: Payer, balance: number) => vi.waitFor(async () => expect(await readCounters(db.pool, payer)).toMatchObject({ balance }), patience)

const isAnswered = (asked: Promise<unknown>) => Promise.race([asked.then(() => true), new Promise<false>((resolve) => setImmediate(() => resolve(false)))])

const askOften = (payer: Payer, times: number) => Array.from({ length: times }, () => ask(payer))

test('while PostgreSQL does not respond, queues requests up to the limit and fails the rest immediately', async () => {
  const payer = await makePayer(db.pool, { credits: 100_000, perMinute: 100_000 })
  proxy.hold('everything')
  const asked = askOften(payer, 2_048 + 40)
  const answered = await Promise.all(asked.map(isAnswered))
  expect(answered.filter(Boolean)).toHaveLength(40)
  expect(answered.indexOf(true)).toBe(2_048)
  // By now three batches of 256 requests have been sent, so the queue has space for exactly that many more.
  const more = askOften(payer, 3 * 256 + 7)
  expect((await Promise.all(more.map(isAnswered))).filter(Boolean)).toHaveLength(7)
  const answers = await Promise.all([...asked, ...more])
  expect(answers.map(({ outcome }) => outcome)).toEqual(answers.map(() => null))
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(4_000)
  proxy.hold('nothing')
  // The batches in flight complete only now, which is too late: all their charges are reversed.
  const { credits } = await untilDecided(payer)
  await untilBalance(payer, 100_000 - credits)
  expect((await verifyLedger(db.pool)).differences).toEqual([])
}, 30_000)

test('limits requests with unknown outcomes, and eventually reconciles all of them', async () => {
  const payer = await makePayer(db.pool, { credits: 100_000, perMinute: 100_000 })
  expect((await ask(payer)).outcome).toMatchObject({ credits: 1 })
  // The server executes every statement, but its results never arrive.
  proxy.holdAfter('SELECT')
  const asked: Promise<TimedOutcome>[] = []
  for (let round = 0; round < 14; round++) {
    asked.push(...askOften(payer, 1_024))
    await sleep(450)
    proxy.cut()
  }
  const refused = await Promise.all(askOften(payer, 20))
  expect(refused.map(({ outcome }) => outcome)).toEqual(refused.map(() => null))
  expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(500)
  proxy.holdAfter(null)
  proxy.cut()
  const answers = await Promise.all(asked)
  expect(answers.filter(({ ms }) => ms > 4_000)).toEqual([])
  const credits = 1 + answers.reduce((sum, { outcome }) => sum + (outcome?.credits ?? 0), 0)
  await untilBalance(payer, 100_000 - credits)
  expect(await readCounters(db.pool, payer)).toMatchObject({ monthSpent: credits })
  expect((await verifyLedger(db.pool)).differences).toEqual([])
  expect(await untilDecided(payer)).toMatchObject({ verdict: 0, credits: 1 })
}, 60_000)
