/** Tests forwarding of webhook events to a local server, as a program and as a function, over real HTTP. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ListenProblem, listen } from '#client/listen/listen.ts'
import { SavingsRatesError } from '#client/savings-rates-error.ts'
import { verifyWebhook } from '#client/webhooks.ts'
import { plans, testKeyPerMinute } from '#server/api/contract/access.ts'
import { verifies } from '../requirements/verifies.ts'
import { storeDeliveries } from '../v1/support/stored-deliveries.ts'
import { webhookCalls } from '../v1/support/webhook-calls.ts'
import { ClientFixture, quickly } from './support/client-fixture.ts'

const fixture = new ClientFixture()
const { manager, create } = webhookCalls(fixture)

type Received = { readonly body: string; readonly headers: IncomingHttpHeaders }

const received: Received[] = []
let status = 204
let server: Server
let forward: string

beforeAll(async () => {
  await fixture.open()
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers })
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  forward = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
})

afterAll(async () => {
  server.close()
  await fixture.close()
})

beforeEach(() => {
  received.length = 0
  status = 204
})

const numbers = () => received.map(({ body }) => JSON.parse(body).data.n)

type Running = { readonly child: ChildProcess; readonly output: { out: string; err: string }; readonly ended: Promise<number | null> }

function run(key: string, ...args: string[]): Running {
  const env = { ...process.env, SVC_API_KEY: key, SVC_API_URL: fixture.service.api, SVC_WEBHOOK_SECRET: '', no_proxy: '*' }
  const child = spawn(process.execPath, ['client/src/cli/main.ts', 'listen', '--forward', forward, '--every', '1', ...args], { env, timeout: 60_000 })
  const output = { out: '', err: '' }
  child.stdout.on('data', (text) => {
    output.out += text
  })
  child.stderr.on('data', (text) => {
    output.err += text
  })
  return { child, output, ended: new Promise((resolve) => child.on('close', resolve)) }
}

verifies(
  ['clients/listen', 'clients/listen-stops'],
  async () => {
    const caller = await manager('test')
    const { id } = (await create(caller)).body.data
    await storeDeliveries(fixture, caller, id, Date.now() - 3_600_000, [{ isTest: true }])
    const { child, output, ended } = run(caller.key, '--sample', 'product.added,balance.low')
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(2)
    const [, secret = ''] = /^Signing secret of this session: (whsec_\w{40})$/m.exec(output.err) ?? []
    for (const { body, headers } of received) {
      const event = await verifyWebhook({ body, headers, secret })
      expect(event).toMatchObject({ id: expect.stringMatching(/^evt_test_/), type: headers['x-svc-event'], attempt: 1 })
      await expect(verifyWebhook({ body, headers, secret: 'whsec_other' })).rejects.toMatchObject({ reason: 'wrong_signature' })
    }
    status = 500
    const [delivery] = await storeDeliveries(fixture, caller, id, Date.now(), [{ isTest: true, type: 'product.withdrawn', data: { n: 7 } }, { attempts: 0 }])
    await expect.poll(numbers, { timeout: 20_000 }).toEqual([undefined, undefined, 7])
    expect(received[2]?.headers['x-svc-delivery']).toBe(delivery)
    await expect.poll(() => output.out, { timeout: 10_000 }).toMatch(/ {2}product\.withdrawn {2}evt_\S+ {2}500 {2}\d+ ms\n$/)
    expect(output.out).toMatch(/ {2}product\.added {2}evt_test_\w+ {2}204 {2}\d+ ms\n/)
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(output.err).toMatch(/Stopped\. 2 forwarded, 1 failed\.\n$/)
    expect(received).toHaveLength(3)
    expect((await fixture.logged(caller)).credits).toBe(0)
  },
  60_000,
)

test('forwards earlier events with --last, in order and once each, and reports the URL of a local server that is down', async () => {
  const caller = await manager()
  const { id } = (await create(caller)).body.data
  const from = Date.now() - 7_200_000
  await storeDeliveries(fixture, caller, id, from, [{}, {}, {}])
  const ending = new AbortController()
  const lines: unknown[] = []
  const done = listen(fixture.client(caller), {
    forward: 'http://127.0.0.1:9/hook',
    last: 2,
    signal: ending.signal,
    ...quickly,
    onForward: ({ event, status: answered, attempts, fault }) => {
      lines.push([(event.data as { n: number }).n, answered, attempts, fault])
      if (lines.length === 2) ending.abort()
    },
  })
  expect(await done).toEqual({ forwarded: 0, failed: 2 })
  const fault = expect.stringMatching(/^No response from the server/)
  expect(lines).toEqual([1, 2].map((n) => [n, null, 3, fault]))
})

verifies('clients/listen-survives-outages', async () => {
  const caller = await manager('test')
  const { id } = (await create(caller)).body.data
  let failures = 0
  const flaky: typeof fetch = (url, init) => (failures > 0 && failures-- > 0 ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init))
  const ending = new AbortController()
  const problems: ListenProblem[] = []
  const done = listen(fixture.client(caller, { fetch: flaky }), {
    forward,
    signal: ending.signal,
    ...quickly,
    onReady: () => {
      failures = 7
    },
    onProblem: async (problem) => {
      problems.push(problem)
      // Sent during the outage.
      if (problems.length === 1) await storeDeliveries(fixture, caller, id, Date.now(), [{ isTest: true }])
    },
    onForward: () => ending.abort(),
  })
  expect(await done).toEqual({ forwarded: 1, failed: 0 })
  expect(problems.map(({ waitMs }) => waitMs)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  expect(numbers()).toEqual([0])
  const down = fixture.client(caller, { fetch: flaky })
  const lasting = listen(down, {
    forward,
    ...quickly,
    onReady: () => {
      failures = 1_000
    },
  })
  await expect(lasting).rejects.toMatchObject({ code: 'network_error' })
  failures = 0
  const other = await fixture.getKey(caller.account)
  await expect(listen(fixture.client(other), { forward, ...quickly })).rejects.toThrow(SavingsRatesError)
})

verifies('clients/listen-late-events', async () => {
  const caller = await manager()
  const { id } = (await create(caller)).body.data
  const paused = (await create(caller, { url: 'https://receiver.example.com/paused' })).body.data.id
  const waiting = await storeDeliveries(fixture, caller, paused, Date.now() - 7_200_000, [{ isFailed: true, data: { n: 99 } }])
  await storeDeliveries(
    fixture,
    caller,
    id,
    // A minute apart, so the last one was delivered before now.
    Date.now() - 14_400_000,
    Array.from({ length: 210 }, () => ({})),
  )
  const ending = new AbortController()
  const resume = "UPDATE webhook_delivery SET state = 'delivered', delivered_at = now(), charged_at = now() WHERE public_id = $1"
  const onReady = async () => void (await fixture.sql(resume, waiting))
  const done = listen(fixture.client(caller), { forward, signal: ending.signal, ...quickly, onReady, onForward: () => ending.abort() })
  expect(await done).toEqual({ forwarded: 1, failed: 0 })
  expect(numbers()).toEqual([99])
})

verifies(
  'clients/listen-within-limits',
  async () => {
    const caller = await manager('test', false)
    await create(caller)
    const ending = new AbortController()
    const [calls, waits, problems]: [string[], number[], ListenProblem[]] = [[], [], []]
    const counting: typeof fetch = (url, init) => {
      calls.push(String(url))
      return fetch(url, init)
    }
    // Covers the calls of the first minute, without actually waiting.
    const wait = async (ms: number) => {
      waits.push(ms)
      if (waits.reduce((sum, one) => sum + one, 0) > 60_000) ending.abort()
    }
    const options = { forward, signal: ending.signal, samples: ['all'], wait, onProblem: (problem: ListenProblem) => void problems.push(problem) }
    await listen(fixture.client(caller, { fetch: counting }), options)
    expect(problems).toEqual([])
    expect(calls.length).toBeLessThanOrEqual(testKeyPerMinute)
    const live = await manager()
    await fixture.sql("UPDATE account SET plan = 'hobby' WHERE id = $1", [live.account.id])
    let seconds = 0
    const noted = new AbortController()
    const onReady = ({ everySeconds }: { everySeconds: number }) => {
      seconds = everySeconds
      noted.abort()
    }
    await listen(fixture.client(live), { forward, signal: noted.signal, ...quickly, onReady })
    // The quota is checked after every ten reads.
    expect((86_400 / seconds) * 1.1).toBeLessThanOrEqual(plans.hobby.perDay / 4)
  },
  60_000,
)

verifies('clients/listen-within-limits', 'waits as long as it takes for a limit to reset, and stops when the daily quota is low', async () => {
  const caller = await manager()
  const { id } = (await create(caller)).body.data
  let [limited, isLow] = [0, false]
  const fake: typeof fetch = async (url, init) => {
    const body = JSON.stringify({ error: 'rate_limited', message: 'The daily limit is reached.' })
    if (String(url).includes('/webhook-events') && limited > 0 && limited-- > 0) return new Response(body, { status: 429, headers: { 'Retry-After': '7200' } })
    const response = await fetch(url, init)
    if (!String(url).endsWith('/me') || !isLow) return response
    const { data, meta } = await response.json()
    return new Response(JSON.stringify({ data: { ...data, usage: { ...data.usage, remainingToday: data.rateLimits.perDay / 20 } }, meta }))
  }
  const problems: ListenProblem[] = []
  const done = listen(fixture.client(caller, { fetch: fake }), {
    forward,
    ...quickly,
    onReady: async () => {
      limited = 2
      await storeDeliveries(fixture, caller, id, Date.now(), [{}])
    },
    onProblem: (problem) => void problems.push(problem),
    onForward: () => {
      isLow = true
    },
  })
  expect(await done).toEqual({ forwarded: 1, failed: 0 })
  expect(problems.map(({ waitMs }) => waitMs)).toEqual([7_200_000, 7_200_000, 0])
  expect(problems[2]?.message).toMatch(/^Only \d+ of the account's \d+ requests are left today \(UTC\)\. Stopped listening/)
})

test.each([
  [{ forward: 'localhost:4000' }, 'forward must be a URL'],
  [{ forward: 'http://ada:secret@localhost:4000/hook' }, 'forward must not contain a user name or password'],
  [{ last: 51 }, 'last must be a whole number from 0 to 50'],
  [{ everySeconds: 0 }, 'everySeconds must be'],
  [{ secret: '' }, 'secret must not be empty'],
  [{ samples: ['rate.change'] }, 'There is no event type "rate.change". Types: rate.changed'],
])('listen rejects %j', async (options, message) => {
  const caller = await manager('test')
  await expect(listen(fixture.client(caller), { forward, ...quickly, ...options })).rejects.toThrow(message)
})
