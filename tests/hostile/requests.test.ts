import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { type Caller, Stage } from '../v1/support/stage.ts'
import { adminPaths, ambiguous, chunked, otherWays, tooMuch, trusted } from './support/messages.ts'
import { requestText, send, type WireAnswer } from './support/wire.ts'

/** Requests that are meant to be read in two ways, or to cost more than they bring, against a whole service: the API, its tools and the portal. */
const stage = new Stage('lean')
let caller: Caller
let auth = ''

beforeAll(async () => {
  await stage.open({ ROLES: 'gateway,portal,worker', STRIPE_WEBHOOK_SECRET: 'whsec_of_the_hostile_tests' })
  caller = await stage.live({ credits: 1_000, perMinute: 100_000, perDay: 100_000 })
  auth = `Authorization: Bearer ${caller.key}`
})

afterAll(() => stage.close())

const origin = () => stage.service.origin

/** A call that costs a credit, to be put behind something that is refused. */
const paidCall = () => requestText('GET /v1/rates?limit=1', [auth])

/** Requests of the account that were looked at, be they charged or not. */
async function seen(): Promise<{ calls: number; balance: number }> {
  const [row] = await stage.sql<{ calls: string }>('SELECT count(*) AS calls FROM request_log WHERE account_id = $1', [caller.account.id])
  return { calls: Number(row?.calls), balance: await stage.balance(caller.account) }
}

function expectRefusal(answer: WireAnswer | undefined, status: number): void {
  const body = JSON.parse(answer?.body ?? '{}') as Record<string, unknown>
  expect([answer?.status, body['error'], answer?.headers.get('connection')]).toEqual([status, 'invalid_request', 'close'])
  expect(Object.keys(body).toSorted()).toEqual(['docs', 'error', 'message', 'requestId'])
  expect(String(body['message'])).toMatch(/^[A-Z].*\.$/)
  expect(answer?.headers.get('x-svc-credits-charged')).toBe('0')
}

describe('what can be read in two ways', () => {
  test.each(ambiguous)('%s: one refusal, and nothing behind it is looked at', async (_name, bytes) => {
    const before = await seen()
    const { answers, isClosed } = await send(origin(), bytes.replace('{auth}', auth) + paidCall().repeat(3))
    expect(answers).toHaveLength(1)
    expectRefusal(answers[0], 400)
    expect(isClosed).toBe(true)
    expect(await seen()).toEqual(before)
  })

  test('what came before it is answered first, and is what was paid for', async () => {
    const before = await seen()
    const { answers, isClosed } = await send(origin(), `${paidCall()}${paidCall()}NONSENSE\r\n\r\n${paidCall()}`)
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[200, 200, 400], true])
    expectRefusal(answers[2], 400)
    const { balance } = await seen()
    expect(before.balance - balance).toBe(2)
  })

  test('a body that is a request is a body', async () => {
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

  test('headers with underscores, and others of X-Forwarded-For, say nothing', async () => {
    const fenced = await stage.keyOf(caller.account, { addresses: ['203.0.113.7'] })
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

describe('addresses', () => {
  test.each(otherWays)('%s is no call', async (path) => {
    const before = await seen()
    const { answers } = await send(origin(), requestText(`GET ${path}`, [auth]), { answers: 1 })
    expect(answers[0]?.status).toBeGreaterThanOrEqual(300)
    expect(answers[0]?.status).toBeLessThan(500)
    expect((await seen()).balance).toBe(before.balance)
  })

  test('with scheme and host it is the path that counts', async () => {
    const { answers } = await send(origin(), `GET http://elsewhere.test/v1/ping HTTP/1.1\r\nHost: a\r\n${auth}\r\n\r\n`, { answers: 1 })
    expect(answers[0]?.status).toBe(200)
  })

  test.each(adminPaths)('%s with all that opens doors elsewhere leads nowhere', async (path) => {
    const doors = [
      'X-SVC-Desk: open',
      'X-Middleware-Subrequest: proxy:proxy:proxy:proxy:proxy',
      'X-Middleware-Rewrite: /desk',
      'X-Matched-Path: /desk',
      'X-Invoke-Path: /desk',
    ]
    const { answers } = await send(origin(), requestText(`GET ${path}`, doors), { answers: 1 })
    expect([301, 307, 308, 400, 404]).toContain(answers[0]?.status)
    expect(answers[0]?.body).not.toContain('Audit log')
  })
})

/** Without what differs from answer to answer: nonces, and the order of the parts that scripts bring. */
const lasting = ({ status, headers, body }: WireAnswer) => {
  const shown = body.replaceAll(/<script.*?<\/script>/gs, '').replaceAll(/nonce="[^"]*"/g, '')
  return { status, type: headers.get('content-type'), location: headers.get('location'), length: shown.length, isEvil: /evil|gopher/.test(body) }
}

describe('headers that Next and we trust among ourselves', () => {
  test.each(trusted)('%s: the page is the same', async (...headers) => {
    for (const path of ['/', '/sign-in', '/nothing-here']) {
      const [plain, dressed] = await Promise.all([[], headers].map((more) => send(origin(), requestText(`GET ${path}`, more), { answers: 1 })))
      const [one, other] = [plain, dressed].map((heard) => heard?.answers[0])
      if (!one || !other) throw new Error('There is no answer.')
      expect([path, lasting(other)]).toEqual([path, { ...lasting(one), isEvil: false }])
      expect(other.headers.has('set-cookie')).toBe(one.headers.has('set-cookie'))
    }
  })

  test('an upgrade is not offered: the call is answered as if it were not asked for', async () => {
    await send(origin(), requestText('GET /sign-in'), { answers: 1 })
    for (const upgrade of [
      ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'],
      ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'],
    ]) {
      const { answers } = await send(origin(), requestText('GET /v1/ping', [auth, ...upgrade]), { answers: 1 })
      expect(answers[0]?.status).toBe(200)
    }
  })

  test('actions that are none are no errors of ours, and no lines of the log', async () => {
    const from = stage.service.log().length
    const form = (headers: string[]) => requestText('POST /sign-in', ['Content-Length: 2', 'Origin: http://api.example.test', ...headers], '[]')
    for (let turn = 0; turn < 100; turn++) {
      const heard = await send(origin(), form([`Next-Action: ${'0'.repeat(38)}${turn}`, 'Content-Type: text/plain;charset=UTF-8']), { answers: 1 })
      expect(heard.answers[0]?.status).toBeLessThan(500)
    }
    expect(stage.service.log().slice(from).split('\n').length).toBeLessThan(20)
  })

  test('a broken multipart body is no error of ours', async () => {
    const from = stage.service.log().length
    const broken = ['Origin: http://api.example.test', 'Content-Type: multipart/form-data; boundary=x', 'Content-Length: 6']
    for (const headers of [broken, [...broken, `Next-Action: ${'0'.repeat(42)}`]]) {
      const heard = await send(origin(), requestText('POST /sign-in', headers, '--x\r\n.'), { answers: 1 })
      expect(heard.answers).toHaveLength(1)
    }
    expect(stage.service.log().slice(from)).not.toContain('"level":50')
  })
})

describe('too much of everything', () => {
  test.each(tooMuch)('%s: %i', async (_name, status, bytes) => {
    const before = await seen()
    const { answers, isClosed } = await send(origin(), bytes().replace('{auth}', auth))
    expect(answers).toHaveLength(1)
    expectRefusal(answers[0], status)
    expect([isClosed, await seen()]).toEqual([true, before])
  })

  test('a body that is longer than it may be without saying so: an end is put to it', async () => {
    const before = await seen()
    const parts = `ffff\r\n${'x'.repeat(0xff_ff)}\r\n`.repeat(40)
    for (const [line, headers] of [
      ['POST /mcp', [auth]],
      ['POST /api/stripe/webhook', [`Stripe-Signature: t=1,v1=${'0'.repeat(64)}`]],
      ['GET /v1/ping', [auth]],
    ] as const) {
      const { answers, isClosed } = await send(origin(), requestText(line, [...headers, chunked], parts))
      expect([line, isClosed]).toEqual([line, true])
      // Who is cut off while sending may not see the answer; who does sees one, and not another for what came behind.
      for (const answer of answers) expect([413, 200]).toContain(answer.status)
      expect(answers.length).toBeLessThan(2)
    }
    expect((await seen()).balance).toBe(before.balance)
  })

  test('what expects to be asked for its body is asked', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const { answers } = await send(
      origin(),
      requestText('POST /mcp', [auth, 'Content-Type: application/json', 'Expect: 100-continue', `Content-Length: ${body.length}`], body),
      { answers: 2 },
    )
    expect(answers.map(({ status }) => status)).toEqual([100, 200])
  })

  test.each(['gzip', 'br', 'deflate', 'gzip, gzip', 'GZIP'])('a bomb in %s is not unpacked', async (encoding) => {
    const bomb = gzipSync(Buffer.alloc(20 * 1_048_576)).toString('latin1')
    const headers = [auth, 'Content-Type: application/json', `Content-Encoding: ${encoding}`, `Content-Length: ${bomb.length}`]
    for (const path of ['/mcp', '/api/stripe/webhook', '/api/trpc/account.me']) {
      const { answers } = await send(origin(), requestText(`POST ${path}`, headers, bomb), { answers: 1 })
      expect([path, answers[0]?.status]).toEqual([path, 415])
    }
  })

  test('more at once on one connection than may be: those are answered, the rest is not looked at', async () => {
    const before = await seen()
    const { answers, isClosed } = await send(origin(), paidCall().repeat(100))
    expect([answers.length, isClosed]).toEqual([65, true])
    expect(new Set(answers.slice(0, 64).map(({ status }) => status))).toEqual(new Set([200]))
    expectRefusal(answers[64], 400)
    expect(before.balance - (await seen()).balance).toBe(64)
  })
})

test('afterwards the books balance, and the log is short and has no error of ours', async () => {
  expect((await verifyLedger(stage.pool)).differences).toEqual([])
  const lines = stage.service
    .log()
    .split('\n')
    .filter((line) => line !== '')
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([])
  expect(lines.map((line) => JSON.parse(line) as { level: number; msg: string }).filter(({ level }) => level >= 50)).toEqual([])
  expect(lines.length).toBeLessThan(300)
})
