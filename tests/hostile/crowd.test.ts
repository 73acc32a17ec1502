/** Tests thousands of connections and floods of invalid requests: memory must stay bounded, and other callers must be served. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { newKey } from '#server/keys/key-secret.ts'
import { flood } from '../support/flood.ts'
import { MemoryMonitor, watchable } from '../support/memory-monitor.ts'
import { type Caller, Fixture } from '../v1/support/fixture.ts'
import { RawConnection, requestText, send } from './support/wire.ts'

const idle = 10_000
const ofOne = 2_500
const fixture = new Fixture('lean')
let caller: Caller
let watch: MemoryMonitor

beforeAll(async () => {
  // X-Forwarded-For is trusted here to simulate many addresses; connections are counted by their real address.
  const limits = { MAX_CONNECTIONS: '11600', MAX_CONNECTIONS_PER_ADDRESS: String(ofOne), TRUST_PROXY: '127.0.0.1,::1' }
  await fixture.open({ ...limits, ...watchable, PAGES_PER_MINUTE: '100000', STRIPE_WEBHOOK_SECRET: 'whsec_of_the_hostile_tests', ROLES: 'gateway' })
  caller = await fixture.live({ credits: 100_000, perMinute: 1_000_000, perDay: 1_000_000 })
  watch = await MemoryMonitor.open(fixture.service.log())
})

afterAll(async () => {
  watch.close()
  await fixture.close()
})

const port = () => Number(new URL(fixture.service.origin).port)
const megabyte = 1_048_576

/** Makes calls one after another. Returns their durations in milliseconds, shortest first. */
async function getTimes(calls: number): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < calls; at++) {
    const from = performance.now()
    expect((await fixture.get('/ping', caller.key)).status).toBe(200)
    times.push(performance.now() - from)
  }
  return times.toSorted((a, b) => a - b)
}

const health = requestText('GET /healthz')
const getLines = (text: string, words: string) => text.split('\n').filter((line) => line.includes(words)).length

test('ten thousand idle connections do not slow down other callers or use much memory', {
  timeout: 60_000,
}, async () => {
  await getTimes(20)
  const alone = await getTimes(50)
  const before = await watch.now()
  const connections: RawConnection[] = []
  for (let from = 0; from < idle; from += 500) {
    const some = Array.from({ length: 500 }, (_, at) => new RawConnection(fixture.service.origin, `127.0.1.${1 + Math.floor((from + at) / ofOne)}`))
    await Promise.all(some.map((one) => one.open()))
    const answered = some.map((one) => new Promise((resolve) => one.socket.once('data', resolve)))
    for (const { socket } of some) socket.write(health)
    await Promise.all(answered)
    connections.push(...some)
  }
  const after = await watch.now()
  const kilobytesEach = (after.rss - before.rss) / 1024 / idle
  expect(kilobytesEach).toBeLessThan(25)
  const times = await getTimes(100)
  const asUsual = (alone[25] ?? 0) * 4 + 100
  expect(times[50]).toBeLessThan(asUsual)
  // New connections from an address at its limit are closed without a response, while other addresses can still connect.
  expect(await send(fixture.service.origin, health, { localAddress: '127.0.1.1' })).toMatchObject({ answers: [], isClosed: true })
  expect((await send(fixture.service.origin, health, { localAddress: '127.0.2.1', answers: 1 })).answers[0]?.status).toBe(200)
  // When nearly all connections are in use, idle ones are closed.
  expect(connections.some(({ socket }) => socket.destroyed)).toBe(false)
  const more = Array.from({ length: 600 }, () => new RawConnection(fixture.service.origin, '127.0.2.2'))
  await Promise.all(more.map((one) => one.open()))
  await Promise.all(connections.map((one) => one.listen().closed()))
  expect((await getTimes(20))[10]).toBeLessThan(asUsual)
  for (const { socket } of [...connections, ...more]) socket.destroy()
  expect(getLines(fixture.service.log(), 'A connection was refused')).toBeGreaterThan(0)
})

test('does not accumulate addresses, keys or paths in memory', { timeout: 90_000 }, async () => {
  // The router stores only the short path. If anything stored more of the paths or keys, memory use would be much higher.
  const [short, long] = ['x'.repeat(850), 'x'.repeat(6_000)]
  const auth = `Authorization: Bearer ${caller.key}`
  const from = (at: number, net: number) => `X-Forwarded-For: ${net}.${at % 250}.${(at >> 8) % 250}.7`
  const unlike = [
    (at: number) => requestText(`GET /v1/${long}${at}`, [auth, `User-Agent: ${long}${at}`]),
    (at: number) => requestText(`GET /v1/rates/${at}${long}`, [`Authorization: Bearer ${newKey('live')}`, from(at, 10)]),
    (at: number) => requestText(`GET /api/v1/${long}${at}`, [`Authorization: Bearer ${at}${long}`, from(at, 11)]),
  ]
  const getRequest = (at: number) =>
    at % 2 === 0 ? requestText(`GET /v1/rates?limit=1&cursor=${short}${at}`, [auth]) : (unlike[(at >> 1) % unlike.length] as (at: number) => string)(at)
  const run = (first: number, requests: number) => flood({ port: port(), requests, connections: 32, getRequest: (at) => getRequest(first + at) })
  // The first round fills bounded caches. The router clears its cache every 5,000 paths, so the cache has the same number of entries before and after the
  // second round.
  await run(0, 6_000)
  const before = await watch.now()
  const statuses = await run(6_000, 10_000)
  const after = await watch.now()
  expect([...statuses.keys()].toSorted((a, b) => a - b)).toEqual([400, 401, 404])
  expect((after.heapUsed - before.heapUsed) / megabyte).toBeLessThan(4)
})

test('writes only a few log lines for a flood of errors', { timeout: 90_000 }, async () => {
  const from = fixture.service.log().length
  const forged = requestText('POST /api/stripe/webhook', ['Content-Length: 2', 'Stripe-Signature: t=1,v1=00'], '{}')
  expect(await flood({ port: port(), requests: 5_000, connections: 16, getRequest: () => forged })).toEqual(new Map([[400, 5_000]]))
  for (let round = 0; round < 20; round++)
    await Promise.all(Array.from({ length: 50 }, () => send(fixture.service.origin, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc', { answers: 1 })))
  const said = fixture.service.log().slice(from)
  expect(getLines(said, 'Rejected a Stripe event')).toBeGreaterThan(0)
  // The limit applies per minute, and a new minute may start during the flood.
  expect(said.split('\n').length).toBeLessThan(150)
})

test('charges nothing for free and rejected calls, and the ledger balances', async () => {
  expect(await fixture.balance(caller.account)).toBe(100_000)
  expect((await verifyLedger(fixture.pool)).differences).toEqual([])
})
