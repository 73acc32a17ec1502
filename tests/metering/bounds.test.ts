import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { Admission } from '#server/metering/admission.ts'
import type { Outcome } from '#server/metering/outcome.ts'
import { createLog } from '#server/observability/log.ts'
import { startTcpProxy, type TcpProxy } from '../chaos/tcp-proxy.ts'
import { countersOf, makePayer, meteringDatabase, type Payer, requestOf, serviceVersion } from './statement.ts'

/** What is waiting, and what is lost, must not pile up. */
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

type Told = { outcome: Outcome | null; ms: number }

async function ask(payer: Payer): Promise<Told> {
  const started = performance.now()
  const outcome = await admission.admit({ ...requestOf(payer), serviceVersion: version })
  return { outcome, ms: performance.now() - started }
}

const patience = { timeout: 10_000, interval: 20 }

async function untilDecided(payer: Payer): Promise<Outcome> {
  return vi.waitFor(async () => {
    const { outcome } = await ask(payer)
    if (outcome === null) throw new Error('The request was not decided in time.')
    return outcome
  }, patience)
}

const untilBalance = (payer: Payer, balance: number) => vi.waitFor(async () => expect(await countersOf(db.pool, payer)).toMatchObject({ balance }), patience)

const isAnswered = (asked: Promise<unknown>) => Promise.race([asked.then(() => true), new Promise<false>((resolve) => setImmediate(() => resolve(false)))])

const askOften = (payer: Payer, times: number) => Array.from({ length: times }, () => ask(payer))

test('as many requests as are allowed wait for a silent server; the next one is told at once', async () => {
  const payer = await makePayer(db.pool, { credits: 100_000, perMinute: 100_000 })
  proxy.hold('everything')
  const asked = askOften(payer, 2_048 + 40)
  const answered = await Promise.all(asked.map(isAnswered))
  expect(answered.filter(Boolean)).toHaveLength(40)
  expect(answered.indexOf(true)).toBe(2_048)
  // Three batches are on their way by now and have made room for as many, and for not one more.
  const more = askOften(payer, 3 * 256 + 7)
  expect((await Promise.all(more.map(isAnswered))).filter(Boolean)).toHaveLength(7)
  const told = await Promise.all([...asked, ...more])
  expect(told.map(({ outcome }) => outcome)).toEqual(told.map(() => null))
  expect(Math.max(...told.map(({ ms }) => ms))).toBeLessThan(4_000)
  proxy.hold('nothing')
  // What was on its way is decided now, too late, and all of it is given back.
  const { credits } = await untilDecided(payer)
  await untilBalance(payer, 100_000 - credits)
  expect((await verifyLedger(db.pool)).differences).toEqual([])
}, 30_000)

test('requests whose outcome is not known are bounded like those that wait, and all are settled in the end', async () => {
  const payer = await makePayer(db.pool, { credits: 100_000, perMinute: 100_000 })
  expect((await ask(payer)).outcome).toMatchObject({ credits: 1 })
  // Every statement is heard by the server, but its answer never arrives.
  proxy.holdAfter('SELECT')
  const asked: Promise<Told>[] = []
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
  const told = await Promise.all(asked)
  expect(told.filter(({ ms }) => ms > 4_000)).toEqual([])
  const credits = 1 + told.reduce((sum, { outcome }) => sum + (outcome?.credits ?? 0), 0)
  await untilBalance(payer, 100_000 - credits)
  expect(await countersOf(db.pool, payer)).toMatchObject({ monthSpent: credits })
  expect((await verifyLedger(db.pool)).differences).toEqual([])
  expect(await untilDecided(payer)).toMatchObject({ verdict: 0, credits: 1 })
}, 60_000)
