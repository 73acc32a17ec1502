import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ListenerLimits, usualLimits } from '#server/api/http/listener-limits.ts'
import { createLeanServer } from '#server/api/http/node-http.ts'
import { answerOtherRoutes } from '#server/api/http/other-routes.ts'
import { TrustedProxies } from '#server/api/http/trusted-proxies.ts'
import { verifyLedger } from '#server/billing/ledger.ts'
import { createLog } from '#server/observability/log.ts'
import { type Service, startService } from '#server/runtime/service.ts'
import { makeAccount, makeKey, type TestAccount } from '../support/accounts.ts'
import { ownDatabase } from '../support/own-database.ts'
import { serviceSettings } from '../support/service-settings.ts'
import { parseResponses, RawConnection, requestText } from './support/wire.ts'

/** Shortened timeouts for the listener, so that tests with slow clients finish quickly. */
const limits = {
  ...usualLimits,
  headersMs: 600,
  requestMs: 1_000,
  keepAliveMs: 400,
  stalledMs: 600,
  checkEveryMs: 50,
  lingerMs: 100,
  connections: 2_000,
  connectionsOfOne: null,
}
/** Milliseconds for which Node keeps a connection open after the announced keep-alive time, so as not to cut off a request that is just arriving. */
const keptLongerMs = 1_000
const slackMs = 900

const database = ownDatabase()
let service: Service
let server: Server
let origin = ''
/** Listener with the regular timeouts. */
let usual: Server
let account: TestAccount
let key = ''

async function listen(limits: ListenerLimits): Promise<Server> {
  const { pipeline, router, tools, health } = service
  const listening = createLeanServer({
    pipeline,
    router,
    tools,
    health,
    limits,
    log: createLog('silent'),
    trustProxy: new TrustedProxies(),
    answers: () => true,
    otherRoutes: answerOtherRoutes(service),
    operator: () => null,
    securityHeaders: [],
    // Larger than the socket buffers, so that a client that doesn't read blocks the response.
    fallback: (_request, response) => void response.end(Buffer.alloc(32 * 1_048_576)),
  })
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return listening
}

const getOrigin = (listening: Server) => `http://127.0.0.1:${(listening.address() as AddressInfo).port}`

beforeAll(async () => {
  const payment = { ...serviceSettings.payment, webhookSecret: 'whsec_of_the_tests' }
  service = await startService({ ...serviceSettings, payment, databaseUrl: database.url }, database.pool, createLog('silent'), async () => [])
  server = await listen(limits)
  origin = getOrigin(server)
  usual = await listen({ ...usualLimits, connections: 2_000, connectionsOfOne: null })
  account = await makeAccount(database.pool, { credits: 1_000, perMinute: 100_000, perDay: 100_000 })
  key = (await makeKey(database.pool, account)).key
})

afterAll(async () => {
  for (const one of [server, usual]) {
    one.closeAllConnections()
    await new Promise((resolve) => one.close(resolve))
  }
  await service.close()
})

/** Writes single bytes until the connection closes. */
function dribble(connection: RawConnection, text: string, everyMs: number): RawConnection {
  let at = 0
  const timer = setInterval(() => connection.socket.write(text.charAt(at++) || 'x'), everyMs)
  connection.socket.once('close', () => clearInterval(timer))
  return connection
}

const open = () => new RawConnection(origin).listen()

/** Waits until the connection closes, and returns its only response. */
async function getEnd(connection: RawConnection, withinMs: number): Promise<{ status: number | undefined; error: unknown }> {
  expect(await connection.closed()).toBeLessThan(withinMs)
  const [answer] = parseResponses(connection.text)
  return { status: answer?.status, error: answer && (JSON.parse(answer.body) as { error?: unknown }).error }
}

test('rejects headers and bodies sent byte by byte, and closes the connection', async () => {
  const auth = `Authorization: Bearer ${key}`
  const call = requestText('GET /v1/rates?limit=1', [auth]).slice(0, -4)
  const slow = [
    [dribble(open(), `${call}\r\nX-A: `, 20), limits.headersMs],
    [dribble(open(), 'GET /v1/ping HTTP/1.1\r\nX', 20), limits.headersMs],
    [open(), limits.headersMs],
    [dribble(open(), requestText('POST /mcp', [auth, 'Content-Type: application/json', 'Content-Length: 60000'], '{'), 2), limits.requestMs],
    [dribble(open(), requestText('POST /mcp', [auth, 'Content-Type: application/json', 'Transfer-Encoding: chunked'], 'ffff\r\nabc'), 2), limits.requestMs],
    [
      dribble(open(), requestText('POST /api/stripe/webhook', [`Stripe-Signature: t=1,v1=${'0'.repeat(64)}`, 'Content-Length: 60000'], '{'), 2),
      limits.requestMs,
    ],
  ] as const
  const ends = await Promise.all(slow.map(([connection, ms]) => getEnd(connection, ms + limits.checkEveryMs + limits.lingerMs + slackMs)))
  expect(ends.map(({ status }) => status)).toEqual([408, 408, 408, 408, 408, 408])
  expect(new Set(ends.map(({ error }) => error))).toEqual(new Set(['invalid_request']))
})

test('disconnects clients that do not read the response or read it very slowly', async () => {
  const [never, hardly] = [new RawConnection(origin), new RawConnection(origin)]
  for (const { socket } of [never, hardly]) {
    socket.pause()
    socket.write(requestText('GET /a-large-page'))
  }
  const timer = setInterval(() => hardly.socket.read(1), 50)
  await Promise.all([once(never.socket, 'connect'), once(hardly.socket, 'connect')])
  const connections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
  await expect.poll(connections, { timeout: 5_000, interval: 50 }).toBe(0)
  clearInterval(timer)
  for (const { socket } of [never, hardly]) socket.destroy()
})

test('closes idle keep-alive connections and half-closed ones', async () => {
  const kept = open()
  kept.socket.write(requestText('GET /healthz'))
  const half = open()
  half.socket.end(requestText('GET /healthz'))
  await once(kept.socket, 'data')
  expect(await kept.closed()).toBeLessThan(limits.keepAliveMs + keptLongerMs + slackMs)
  expect(await half.closed()).toBeLessThan(limits.keepAliveMs + keptLongerMs + slackMs)
})

test('three hundred slow clients do not slow down fifty regular ones', async () => {
  const call = async () => {
    const from = performance.now()
    const answer = await fetch(`${getOrigin(usual)}/v1/ping`, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
    await answer.arrayBuffer()
    return performance.now() - from
  }
  const crowd = async () =>
    (await Promise.all(Array.from({ length: 50 }, async () => [await call(), await call(), await call(), await call()]))).flat().toSorted((a, b) => a - b)
  await crowd()
  const alone = await crowd()
  const slow = Array.from({ length: 300 }, (_, at) =>
    dribble(new RawConnection(getOrigin(usual)).listen(), requestText('POST /mcp', ['Content-Length: 60000'], '{'), at % 2 === 0 ? 100 : 50),
  )
  const crowded = await crowd()
  expect(crowded[100]).toBeLessThan((alone[100] ?? 0) * 4 + 100)
  for (const { socket } of slow) socket.destroy()
})

test('charges nothing for free and unfinished calls, and the ledger balances', async () => {
  const { rows } = await database.pool.query('SELECT balance FROM wallet WHERE account_id = $1', [account.id])
  expect(Number(rows[0]?.balance)).toBe(1_000)
  expect((await verifyLedger(database.pool)).differences).toEqual([])
})
