/** Sends ambiguous (smuggling) and unusually expensive requests to a complete service: API, MCP server and portal. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { type Caller, Fixture } from '../v1/support/fixture.ts'
import { adminPaths, ambiguous, chunked, internalHeaders, malformedTargets, oversizedRequests } from './support/messages.ts'
import { requestText, send, type WireAnswer } from './support/wire.ts'

const fixture = new Fixture('lean')
let caller: Caller
let auth = ''

beforeAll(async () => {
  await fixture.open({ ROLES: 'gateway,portal,worker', STRIPE_WEBHOOK_SECRET: 'whsec_of_the_hostile_tests' })
  caller = await fixture.live({ credits: 1_000, perMinute: 100_000, perDay: 100_000 })
  auth = `Authorization: Bearer ${caller.key}`
})

afterAll(() => fixture.close())

const origin = () => fixture.service.origin

/** Returns a call that costs one credit. Tests send it after a request that is rejected. */
const paidCall = () => requestText('GET /v1/rates?limit=1', [auth])

/** Returns the number of the account's processed requests, charged or not, and its balance. */
async function seen(): Promise<{ calls: number; balance: number }> {
  const [row] = await fixture.sql<{ calls: string }>('SELECT count(*) AS calls FROM request_log WHERE account_id = $1', [caller.account.id])
  return { calls: Number(row?.calls), balance: await fixture.balance(caller.account) }
}

function expectRefusal(answer: WireAnswer | undefined, status: number): void {
  const body = JSON.parse(answer?.body ?? '{}') as Record<string, unknown>
  expect([answer?.status, body['error'], answer?.headers.get('connection')]).toEqual([status, 'invalid_request', 'close'])
  expect(Object.keys(body).toSorted()).toEqual(['docs', 'error', 'message', 'requestId'])
  expect(String(body['message'])).toMatch(/^[A-Z].*\.$/)
  expect(answer?.headers.get('x-svc-credits-charged')).toBe('0')
}

describe('ambiguous requests', () => {
  test.each(ambiguous)('rejects %s with one response, and ignores later requests on the connection', async (_name, bytes) => {
    const before = await seen()
    const { answers, isClosed } = await send(origin(), bytes.replace('{auth}', auth) + paidCall().repeat(3))
    expect(answers).toHaveLength(1)
    expectRefusal(answers[0], 400)
    expect(isClosed).toBe(true)
    expect(await seen()).toEqual(before)
  })

  test('serves and charges the valid requests that precede an invalid one', async () => {
    const before = await seen()
    const { answers, isClosed } = await send(origin(), `${paidCall()}${paidCall()}NONSENSE\r\n\r\n${paidCall()}`)
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[200, 200, 400], true])
    expectRefusal(answers[2], 400)
    const { balance } = await seen()
    expect(before.balance - balance).toBe(2)
  })

  test('does not parse a request body as another request', async () => {
    const before = await seen()
    const inside = paidCall()
    const { answers } = await send(
      origin(),
      requestText('GET /v1/ping', [auth, `Content-Length: ${inside.length}`], inside) + requestText('GET /v1/ping', [auth]),
      { answers: 2 },
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await seen()).balance).toBe(before.balance)
  })

  test('ignores headers with underscores and alternatives to X-Forwarded-For', async () => {
    const fenced = await fixture.getKey(caller.account, { addresses: ['203.0.113.7'] })
    const said = [
      'X_Forwarded_For: 203.0.113.7',
      'X-Forwarded-For: 203.0.113.7',
      'X-Forwarded-For: 203.0.113.7',
      'Forwarded: for=203.0.113.7',
      'X-Real-IP: 203.0.113.7',
    ]
    const { answers } = await send(origin(), requestText('GET /v1/ping', [`Authorization: Bearer ${fenced.key}`, ...said]), { answers: 1 })
    expect(answers[0]?.status).toBe(403)
    expect(answers[0]?.body).toContain('ip_not_allowed')
  })
})

describe('URLs', () => {
  test.each(malformedTargets)('does not treat %s as a call', async (path) => {
    const before = await seen()
    const { answers } = await send(origin(), requestText(`GET ${path}`, [auth]), { answers: 1 })
    expect(answers[0]?.status).toBeGreaterThanOrEqual(300)
    expect(answers[0]?.status).toBeLessThan(500)
    expect((await seen()).balance).toBe(before.balance)
  })

  test('uses the path of an absolute-form target', async () => {
    const { answers } = await send(origin(), `GET http://elsewhere.test/v1/ping HTTP/1.1\r\nHost: a\r\n${auth}\r\n\r\n`, { answers: 1 })
    expect(answers[0]?.status).toBe(200)
  })

  test.each(adminPaths)('does not open %s, even with headers that bypass access checks on other servers', async (path) => {
    const headers = [
      'X-SVC-Admin: open',
      'X-Middleware-Subrequest: proxy:proxy:proxy:proxy:proxy',
      'X-Middleware-Rewrite: /admin',
      'X-Matched-Path: /admin',
      'X-Invoke-Path: /admin',
    ]
    const { answers } = await send(origin(), requestText(`GET ${path}`, headers), { answers: 1 })
    expect([301, 307, 308, 400, 404]).toContain(answers[0]?.status)
    expect(answers[0]?.body).not.toContain('Audit log')
  })
})

/** Returns the parts of a response that are the same every time. Nonces and the order of streamed parts vary. */
const lasting = ({ status, headers, body }: WireAnswer) => {
  const shown = body.replaceAll(/<script.*?<\/script>/gs, '').replaceAll(/nonce="[^"]*"/g, '')
  return { status, type: headers.get('content-type'), location: headers.get('location'), length: shown.length, isEvil: /evil|gopher/.test(body) }
}

describe('headers used internally by Next.js and the service', () => {
  test.each(internalHeaders)('ignores the internal header %s when a client sends it', async (...headers) => {
    for (const path of ['/', '/sign-in', '/nothing-here']) {
      const [plain, spoofed] = await Promise.all([[], headers].map((more) => send(origin(), requestText(`GET ${path}`, more), { answers: 1 })))
      const [one, other] = [plain, spoofed].map((result) => result?.answers[0])
      if (!one || !other) throw new Error('No response.')
      expect([path, lasting(other)]).toEqual([path, { ...lasting(one), isEvil: false }])
      expect(other.headers.has('set-cookie')).toBe(one.headers.has('set-cookie'))
    }
  })

  test('ignores the Upgrade header and serves the call', async () => {
    await send(origin(), requestText('GET /sign-in'), { answers: 1 })
    for (const upgrade of [
      ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'],
      ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'],
    ]) {
      const { answers } = await send(origin(), requestText('GET /v1/ping', [auth, ...upgrade]), { answers: 1 })
      expect(answers[0]?.status).toBe(200)
    }
  })

  test('returns no 5xx and logs nothing for unknown server actions', async () => {
    const from = fixture.service.log().length
    const form = (headers: string[]) => requestText('POST /sign-in', ['Content-Length: 2', 'Origin: http://api.example.test', ...headers], '[]')
    for (let turn = 0; turn < 100; turn++) {
      const result = await send(origin(), form([`Next-Action: ${'0'.repeat(38)}${turn}`, 'Content-Type: text/plain;charset=UTF-8']), { answers: 1 })
      expect(result.answers[0]?.status).toBeLessThan(500)
    }
    expect(fixture.service.log().slice(from).split('\n').length).toBeLessThan(20)
  })

  test('logs no error for a malformed multipart body', async () => {
    const from = fixture.service.log().length
    const broken = ['Origin: http://api.example.test', 'Content-Type: multipart/form-data; boundary=x', 'Content-Length: 6']
    for (const headers of [broken, [...broken, `Next-Action: ${'0'.repeat(42)}`]]) {
      const result = await send(origin(), requestText('POST /sign-in', headers, '--x\r\n.'), { answers: 1 })
      expect(result.answers).toHaveLength(1)
    }
    expect(fixture.service.log().slice(from)).not.toContain('"level":50')
  })
})

describe('oversized requests', () => {
  test.each(oversizedRequests)('rejects %s with %i', async (_name, status, bytes) => {
    const before = await seen()
    const { answers, isClosed } = await send(origin(), bytes().replace('{auth}', auth))
    expect(answers).toHaveLength(1)
    expectRefusal(answers[0], status)
    expect([isClosed, await seen()]).toEqual([true, before])
  })

  test('closes the connection if a chunked body is too long', async () => {
    const before = await seen()
    const parts = `ffff\r\n${'x'.repeat(0xff_ff)}\r\n`.repeat(40)
    for (const [line, headers] of [
      ['POST /mcp', [auth]],
      ['POST /api/stripe/webhook', [`Stripe-Signature: t=1,v1=${'0'.repeat(64)}`]],
      ['GET /v1/ping', [auth]],
    ] as const) {
      const { answers, isClosed } = await send(origin(), requestText(line, [...headers, chunked], parts))
      expect([line, isClosed]).toEqual([line, true])
      // A client that is cut off while sending may not receive the response. If it does, it receives exactly one, because the rest of the data isn't parsed as
      // a request.
      for (const answer of answers) expect([413, 200]).toContain(answer.status)
      expect(answers.length).toBeLessThan(2)
    }
    expect((await seen()).balance).toBe(before.balance)
  })

  test('responds to Expect: 100-continue', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const { answers } = await send(
      origin(),
      requestText('POST /mcp', [auth, 'Content-Type: application/json', 'Expect: 100-continue', `Content-Length: ${body.length}`], body),
      { answers: 2 },
    )
    expect(answers.map(({ status }) => status)).toEqual([100, 200])
  })

  test.each(['gzip', 'br', 'deflate', 'gzip, gzip', 'GZIP'])('does not decompress a %s bomb', async (encoding) => {
    const bomb = gzipSync(Buffer.alloc(20 * 1_048_576)).toString('latin1')
    const headers = [auth, 'Content-Type: application/json', `Content-Encoding: ${encoding}`, `Content-Length: ${bomb.length}`]
    for (const path of ['/mcp', '/api/stripe/webhook', '/api/trpc/account.me']) {
      const { answers } = await send(origin(), requestText(`POST ${path}`, headers, bomb), { answers: 1 })
      expect([path, answers[0]?.status]).toEqual([path, 415])
    }
  })

  test('serves pipelined requests up to a limit and ignores the rest', async () => {
    const before = await seen()
    const { answers, isClosed } = await send(origin(), paidCall().repeat(100))
    expect([answers.length, isClosed]).toEqual([65, true])
    expect(new Set(answers.slice(0, 64).map(({ status }) => status))).toEqual(new Set([200]))
    expectRefusal(answers[64], 400)
    expect(before.balance - (await seen()).balance).toBe(64)
  })
})

test('the ledger balances, and the log is short and has no internal errors', async () => {
  expect((await verifyLedger(fixture.pool)).differences).toEqual([])
  const lines = fixture.service
    .log()
    .split('\n')
    .filter((line) => line !== '')
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([])
  expect(lines.map((line) => JSON.parse(line) as { level: number; msg: string }).filter(({ level }) => level >= 50)).toEqual([])
  expect(lines.length).toBeLessThan(300)
})
