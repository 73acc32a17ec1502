/** Tests unauthenticated requests outside /v1 that the gateway answers itself. The limit is 10 pages a minute; X-Forwarded-For sets the client address. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { usualLimits } from '#server/api/http/listener-limits.ts'
import { NetworkLimit } from '#server/api/http/network-limit.ts'
import { createLeanServer, type LeanParts } from '#server/api/http/node-http.ts'
import { answerOtherRoutes } from '#server/api/http/other-routes.ts'
import { TrustedProxies } from '#server/api/http/trusted-proxies.ts'
import { createLog } from '#server/observability/log.ts'
import { openHealth } from '#server/runtime/readiness.ts'
import { type Service, startService } from '#server/runtime/service.ts'
import { sign } from '../billing/support/stripe-objects.ts'
import { parseResponses, RawConnection, requestText, send } from '../hostile/support/wire.ts'
import { ownDatabase } from '../support/own-database.ts'
import { serviceSettings } from '../support/service-settings.ts'

const database = ownDatabase({ max: 2 })
const secret = 'whsec_of_the_tests'
const log = createLog('silent')
const servers: Server[] = []
let service: Service
let origin = ''
let network = 0

async function listen(own: Pick<LeanParts, 'otherRoutes'>): Promise<string> {
  const limit = new NetworkLimit(10)
  const server = createLeanServer({
    ...service,
    trustProxy: new TrustedProxies(['127.0.0.1']),
    log,
    limits: { ...usualLimits, connections: 500, connectionsOfOne: null },
    answers: () => true,
    admits: (request, response, address) => limit.admitDirect(request, response, address),
    operator: () => null,
    securityHeaders: [],
    fallback: (_request, response) => void response.writeHead(200).end('a page'),
    ...own,
  })
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  const payment = { ...serviceSettings.payment, webhookSecret: secret }
  service = await startService({ ...serviceSettings, payment, databaseUrl: database.url }, database.pool, log, async () => [])
  origin = await listen({ otherRoutes: answerOtherRoutes(service) })
})

beforeEach(() => {
  network++
})

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await service.close()
})

/** Returns the header for an address in the network of the current test. */
const from = (other = 0) => `X-Forwarded-For: 203.0.${network}.${other}`
const wellFormed = `Stripe-Signature: t=1,v1=${'0'.repeat(64)}`
const event = (headers: readonly string[], body = '') => requestText('POST /api/stripe/webhook', headers, body)
const getStatus = async (bytes: string, at = origin) => (await send(at, bytes, { answers: 1 })).answers[0]?.status

describe('Stripe events', () => {
  test.each([
    ['no signature', []],
    ['an empty signature', ['Stripe-Signature: ']],
    ['no time', [`Stripe-Signature: v1=${'0'.repeat(64)}`]],
    ['no v1', [`Stripe-Signature: t=1,v0=${'0'.repeat(64)}`]],
    ['a short v1', ['Stripe-Signature: t=1,v1=00']],
    ['a very long signature', [`${wellFormed},v1=${'0'.repeat(3_000)}`]],
  ])('rejects an event with %s before its body arrives', async (_, headers) => {
    expect(await getStatus(event([from(), ...headers, 'Content-Length: 1000'], 'x'))).toBe(400)
  })

  test('rejects events before their body arrives if no signing secret is set', async () => {
    const refuseUnread = () => ({ status: 503, body: { error: 'not_configured' } })
    const at = await listen({ otherRoutes: answerOtherRoutes({ ...service, stripe: { ...service.stripe, refuseUnread } }) })
    expect(await getStatus(event([from(), wellFormed, 'Content-Length: 1000'], 'x'), at)).toBe(503)
  })

  test('accepts an event with a valid signature, even if it is sent in chunks', async () => {
    const { body, signature } = sign({ id: 'evt_1', type: 'a.type', livemode: false, created: 1, data: { object: {} } } as never, { secret })
    const headers = [from(), `Stripe-Signature: ${signature},v0=${'0'.repeat(64)}`]
    expect(await getStatus(event([...headers, `Content-Length: ${body.length}`], body))).toBe(200)
    expect(await getStatus(event([...headers, 'Transfer-Encoding: chunked'], `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`))).toBe(200)
  })

  test('limits events to 256 KiB', async () => {
    expect(await getStatus(event([from(), wellFormed, 'Content-Length: 262145'], 'x'))).toBe(413)
    const chunk = `10000\r\n${'x'.repeat(0x1_00_00)}\r\n`
    const { answers, isClosed } = await send(origin, event([from(), wellFormed, 'Transfer-Encoding: chunked'], `${chunk.repeat(4)}1\r\nx\r\n`))
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[413], true])
    expect(await getStatus(event([from(), wellFormed, 'Content-Length: 262144'], 'x'.repeat(262_144)))).toBe(400)
  })

  test('rejects events with an incomplete body to make room for new ones', async () => {
    const unfinished = Array.from({ length: 64 }, () => new RawConnection(origin).listen())
    for (const [at, { socket }] of unfinished.entries()) {
      socket.write(event([from(at >> 4), wellFormed, 'Content-Length: 1000'], 'x'))
      await once(socket, 'connect')
    }
    expect(await getStatus(event([from(9), wellFormed, 'Content-Length: 1'], 'x'))).toBe(400)
    await vi.waitFor(() => expect(unfinished.flatMap(({ text }) => parseResponses(text)).map(({ status }) => status)).toEqual([408]))
    for (const { socket } of unfinished) socket.destroy()
  })

  test("counts events towards the limit of the sender's network", async () => {
    const statuses = []
    for (let turn = 0; turn < 51; turn++) statuses.push(await getStatus(event([from(), wellFormed, 'Content-Length: 1'], 'x')))
    expect([statuses.indexOf(429), statuses.length]).toEqual([50, 51])
    expect(await getStatus(event([from(1), wellFormed, 'Content-Length: 1'], 'x'))).toBe(400)
  })
})

test.each(['/api/developer/openapi.json', '/api/developer/postman.json?x', '/api/developer/postman-environment.json', '/.well-known/security.txt'])(
  "counts requests for %s towards the page limit of the client's network",
  async (path) => {
    const statuses = []
    for (let turn = 0; turn < 11; turn++) statuses.push(await getStatus(requestText(`HEAD ${path}`, [from(), 'Connection: close'])))
    expect([statuses.indexOf(429), statuses.length]).toEqual([10, 11])
    expect(await getStatus(requestText(`HEAD ${path}`, [from(1), 'Connection: close']))).not.toBe(429)
  },
)

test('does not limit readiness requests, but runs the checks at most once a second', async () => {
  const isWritable = vi.fn(async () => true)
  const queries = vi.fn(async () => ({}))
  const market = { dataset: () => ({ productCount: 1 }) }
  const health = openHealth({
    pool: { query: queries } as never,
    shared: { refresh: async () => undefined, current: { market } } as never,
    isWritable,
    pendingMigrations: async () => [],
    log,
  })
  const ask = async () => (await health.ready()).status
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    expect(new Set(await Promise.all(Array.from({ length: 100 }, ask)))).toEqual(new Set([200]))
    expect([queries.mock.calls.length, isWritable.mock.calls.length]).toEqual([1, 1])
    isWritable.mockResolvedValue(false)
    vi.advanceTimersByTime(999)
    expect([await ask(), queries.mock.calls.length]).toEqual([200, 1])
    vi.advanceTimersByTime(1)
    expect([await ask(), queries.mock.calls.length]).toEqual([503, 2])
  } finally {
    vi.useRealTimers()
  }
  const statuses = await Promise.all(Array.from({ length: 50 }, () => getStatus(requestText('GET /readyz', [from()]))))
  expect(statuses).not.toContain(429)
})
