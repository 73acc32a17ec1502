/** Tests each row of the specification's webhook delivery table, with a real receiver and a fake clock. */
import { expect, test } from 'vitest'
import { deliveryTimeoutSeconds } from '#server/api/contract/webhooks.ts'
import { getDelivery } from '#server/webhooks/deliveries.ts'
import { resumeWebhook } from '#server/webhooks/manage-endpoints.ts'
import { redeliver } from '#server/webhooks/redeliver.ts'
import { verifies } from '../requirements/verifies.ts'
import { type Endpoint, minuteMs, WebhookFixture } from './support/webhook-fixture.ts'

const fixture = new WebhookFixture()
const waits = [1, 5, 30, 120, 720]

const again = (endpoint: Endpoint, delivery: string) => redeliver(fixture.deps(), fixture.owner(endpoint.account), endpoint.id, { kind: 'one', id: delivery })

verifies(
  ['webhooks/first-2xx-delivers', 'webhooks/charged-on-first-2xx', 'webhooks/retries-not-charged-again', 'webhooks/delivery-id-over-retries'],
  'marks an event as delivered on the first 2xx and charges 5 credits once',
  async () => {
    const account = await fixture.account({ credits: 100 })
    const endpoint = await fixture.endpoint(account)
    fixture.receiver.next.push(500, 404)
    fixture.receiver.usual = 204
    const event = await fixture.one()
    expect(await fixture.after(0)).toBe(1)
    expect(await fixture.balance(account)).toBe(100)
    await fixture.after(1 * minuteMs)
    expect(await fixture.after(5 * minuteMs)).toBe(1)
    expect(await fixture.delivery(endpoint)).toMatchObject({ state: 'delivered', attempts: 3, chargedCredits: 5, dueAt: null, lastStatus: 204 })
    const { id } = await fixture.delivery(endpoint)
    expect(await fixture.charges(account)).toEqual([[-5, id]])
    expect(await fixture.balance(account)).toBe(95)
    expect(fixture.receiver.got.map(({ headers, body }) => [body.id, body.attempt, headers['x-svc-delivery']])).toEqual([1, 2, 3].map((n) => [event.id, n, id]))
    expect(await fixture.after(1440 * minuteMs)).toBe(0)
  },
)

verifies(['webhooks/non-2xx-retries', 'webhooks/redirects-fail'], 'retries anything but a 2xx after a minute', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  const elsewhere = (status: number) => ({ status, location: fixture.receiver.url('/elsewhere') })
  const answers = [
    ...[300, 301, 302, 303, 307, 308].map(elsewhere),
    ...[199, 304, 400, 401, 404, 409, 418, 429, 500, 502, 503, 599].map((status) => ({ status })),
  ]
  for (const { status, ...headers } of answers.filter((answer) => answer.status >= 200)) {
    fixture.receiver.next.push((response) => response.writeHead(status, headers).end())
    await fixture.one()
    expect(await fixture.after(0), `${status}`).toBe(1)
    expect(await fixture.delivery(endpoint), `${status}`).toMatchObject({ state: 'waiting', attempts: 1, chargedCredits: 0, lastStatus: status })
    expect((await fixture.delivery(endpoint)).dueAt?.getTime(), `${status}`).toBe(fixture.nowMs + minuteMs)
    // Deliver the retry before the next case.
    await fixture.after(minuteMs)
  }
  expect(fixture.receiver.at('/elsewhere')).toEqual([])
})

verifies(['webhooks/retry-delays', 'webhooks/dead-after-last-retry', 'webhooks/manual-redelivery', 'webhooks/event-id-in-body'], async () => {
  const account = await fixture.account({ credits: 100 })
  const endpoint = await fixture.endpoint(account)
  fixture.receiver.usual = 500
  const event = await fixture.one()
  expect(await fixture.after(0)).toBe(1)
  for (const minutes of waits) {
    expect((await fixture.delivery(endpoint)).state).toBe('waiting')
    expect(await fixture.after(minutes * minuteMs - 1), `before ${minutes} minutes`).toBe(0)
    expect(await fixture.after(1), `after ${minutes} minutes`).toBe(1)
  }
  const dead = await fixture.delivery(endpoint)
  expect(dead).toMatchObject({ state: 'dead', attempts: 6, dueAt: null, chargedCredits: 0 })
  expect(await fixture.after(10 * 1440 * minuteMs)).toBe(0)
  expect(await fixture.balance(account)).toBe(100)
  expect(fixture.receiver.got.map(({ body }) => body.attempt)).toEqual([1, 2, 3, 4, 5, 6])
  fixture.receiver.usual = 200
  await again(endpoint, dead.id)
  expect(await fixture.after(0)).toBe(1)
  expect(fixture.receiver.got.at(-1)).toMatchObject({ body: { id: event.id, attempt: 1 }, headers: { 'x-svc-delivery': dead.id } })
  expect(await fixture.delivery(endpoint)).toMatchObject({ state: 'delivered', chargedCredits: 5 })
  // A second redelivery is sent, but not charged again.
  await again(endpoint, dead.id)
  expect(await fixture.after(0)).toBe(1)
  expect(await fixture.charges(account)).toEqual([[-5, dead.id]])
  const tries = async () => (await getDelivery(fixture.deps(), account.id, dead.id)).tries
  expect((await tries()).map(({ round, attempt, isDelivered }) => [round, attempt, isDelivered])).toEqual([
    [3, 1, true],
    [2, 1, true],
    ...[6, 5, 4, 3, 2, 1].map((attempt) => [1, attempt, false]),
  ])
  // Further ones delete older rounds, but not the attempt that was charged.
  for (const rounds of ['4 3 2', '5 4 3 2', '6 5 4 2']) {
    await again(endpoint, dead.id)
    expect(await fixture.after(0)).toBe(1)
    expect((await tries()).map(({ round }) => round).join(' ')).toBe(rounds)
  }
})

verifies(
  'webhooks/timeout-10-seconds',
  async () => {
    const account = await fixture.account()
    const ways = ['/silent', '/slow-headers', '/slow-body', '/unresolved']
    fixture.receiver.usual = (response, { path }) => {
      if (path === '/slow-headers') response.writeProcessing()
      if (path === '/slow-body') response.writeHead(200).write('.')
      // Data that arrives slowly doesn't extend the timeout.
      const drip = setInterval(() => (path === '/slow-body' ? response.write('.') : path === '/slow-headers' && response.writeProcessing()), 500)
      response.on('close', () => clearInterval(drip))
    }
    const endpoints: Endpoint[] = []
    for (const path of ways) {
      endpoints.push(
        await fixture.endpoint(account, { url: path === '/unresolved' ? fixture.receiver.url(path, 'slow.hooks.co') : fixture.receiver.url(path) }),
      )
    }
    await fixture.one()
    const resolve = () => new Promise<string[]>(() => undefined)
    const from = performance.now()
    // This is the production timeout; the fixture's timeout is longer.
    await fixture.drain({ reach: { resolve, refuses: () => null }, timeoutMs: deliveryTimeoutSeconds * 1_000 })
    const took = performance.now() - from
    // The attempts ran in parallel, so no endpoint waited for another.
    expect(took).toBeGreaterThan(9_990)
    expect(took).toBeLessThan(12_000)
    for (const [at, endpoint] of endpoints.entries()) {
      const delivery = await fixture.delivery(endpoint)
      expect(delivery, ways[at]).toMatchObject({ state: 'waiting', attempts: 1, chargedCredits: 0 })
      expect(delivery.dueAt?.getTime(), ways[at]).toBe(fixture.nowMs + minuteMs)
      const [attempt] = (await getDelivery(fixture.deps(), account.id, delivery.id)).tries
      expect(attempt?.totalMs, ways[at]).toBeGreaterThanOrEqual(9_990)
      expect(attempt?.totalMs, ways[at]).toBeLessThan(11_000)
      expect(attempt?.fault, ways[at]).toContain('10 seconds')
    }
    expect(fixture.receiver.got.length).toBe(3)
  },
  30_000,
)

test('accepts a slow response within ten seconds', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  fixture.receiver.usual = (response) => setTimeout(() => response.writeHead(200).end('late'), 300)
  await fixture.one()
  await fixture.drain()
  const [attempt] = (await getDelivery(fixture.deps(), endpoint.account.id, (await fixture.delivery(endpoint)).id)).tries
  expect(attempt).toMatchObject({ isDelivered: true, status: 200, fault: null, body: 'late' })
  expect(attempt?.firstByteMs).toBeGreaterThanOrEqual(295)
})

test('reports the reason if a connection breaks or is refused, or if a response is truncated', async () => {
  const account = await fixture.account()
  const broken = await fixture.endpoint(account, { url: fixture.receiver.url('/broken') })
  const half = await fixture.endpoint(account, { url: fixture.receiver.url('/half') })
  const nobody = await fixture.endpoint(account, { url: 'http://127.0.0.1:9/nobody' })
  const upgrade = await fixture.endpoint(account, { url: fixture.receiver.url('/upgrade') })
  fixture.receiver.usual = (response, { path }) => {
    if (path === '/half') response.writeHead(200, { 'content-length': '100' }).write('half')
    if (path === '/upgrade') response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n')
    else setTimeout(() => response.destroy(), 20)
  }
  await fixture.one()
  await fixture.drain()
  const faults = await Promise.all(
    [broken, half, nobody, upgrade].map(async (one) => (await getDelivery(fixture.deps(), account.id, (await fixture.delivery(one)).id)).tries),
  )
  expect(faults.map(([attempt]) => attempt?.isDelivered)).toEqual([false, false, false, false])
  expect(faults.map(([attempt]) => attempt?.fault)).toEqual([
    expect.stringMatching(/socket hang up|ECONNRESET/),
    'The response was cut off.',
    expect.stringContaining('ECONNREFUSED'),
    'The receiver tried to switch protocols.',
  ])
})

type DateForm = (at: Date) => string

/** Functions for the three HTTP date formats: the current one, RFC 850 and asctime. */
const dateForms: DateForm[] = [
  (at) => at.toUTCString(),
  (at) => {
    const [, day, month, year = '', time] = at.toUTCString().split(' ')
    return `${at.toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' })}, ${day}-${month}-${year.slice(2)} ${time} GMT`
  },
  (at) => {
    const [weekday = '', day, month, year, time] = at.toUTCString().split(' ')
    return `${weekday.replace(',', '')} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`
  },
]

test.each([429, 503])('honours Retry-After with status %i, within the limits of the retry schedule', async (status) => {
  const endpoint = await fixture.endpoint(await fixture.account())
  // Header value and expected delay in minutes, which is at least the scheduled delay and at most the longest one in the schedule.
  const cases: [string | DateForm, number][] = [
    ['600', 10],
    ['30', 1],
    ['0', 1],
    ['-5', 1],
    ['soon', 1],
    ['1e3', 1],
    ['99999999', 720],
    ['9999999999', 720],
    ['9'.repeat(400), 720],
    ...dateForms.map((form): [DateForm, number] => [form, 60]),
    ['Mon, 01 Jan 2001 00:00:00 GMT', 1],
  ]
  for (const [asked, minutes] of cases) {
    const value = typeof asked === 'string' ? asked : asked(new Date(fixture.nowMs + 60 * minuteMs))
    fixture.receiver.next.push((response) => response.writeHead(status, { 'retry-after': value }).end())
    await fixture.one()
    await fixture.after(0)
    const { dueAt, attempts } = await fixture.delivery(endpoint)
    expect([value, (dueAt?.getTime() ?? 0) - fixture.nowMs, attempts]).toEqual([value, minutes * minuteMs, 1])
    await fixture.after(minutes * minuteMs)
    expect((await fixture.delivery(endpoint)).state).toBe('delivered')
  }
  // Retry-After doesn't add attempts: there are six in total.
  fixture.receiver.usual = (response) => response.writeHead(status, { 'retry-after': '7200' }).end()
  await fixture.one()
  await fixture.after(0)
  for (const minutes of waits) expect(await fixture.after(Math.max(minutes, 120) * minuteMs)).toBe(1)
  expect(await fixture.delivery(endpoint)).toMatchObject({ state: 'dead', attempts: 6 })
})

test('ignores Retry-After with other statuses', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  fixture.receiver.next.push((response) => response.writeHead(500, { 'retry-after': '600' }).end())
  await fixture.one()
  await fixture.after(0)
  expect((await fixture.delivery(endpoint)).dueAt?.getTime()).toBe(fixture.nowMs + minuteMs)
})

test('disables the endpoint on 410 and emails its owner', async () => {
  const account = await fixture.account()
  // The query may contain secrets and must not appear in the email.
  const endpoint = await fixture.endpoint(account, { url: `http://127.0.0.1:${fixture.receiver.port}?token=secret` })
  fixture.receiver.usual = 410
  await fixture.emit({}, {})
  expect(await fixture.after(0)).toBe(1)
  expect(await fixture.state(endpoint)).toMatchObject({ state: 'disabled', stateReason: 'gone', waiting: 1 })
  expect((await fixture.deliveries(endpoint)).map(({ state }) => state)).toEqual(['waiting', 'dead'])
  expect(await fixture.notices(account)).toEqual(['gone'])
  await fixture.pool.query('UPDATE webhook_endpoint SET url = $2 WHERE public_id = $1', [endpoint.id, 'https://hooks.example.com?token=secret'])
  await fixture.pool.query("SELECT email_webhook_notice(id, 'gone', now()) FROM webhook_endpoint WHERE public_id = $1", [endpoint.id])
  const { rows: mails } = await fixture.pool.query("SELECT data ->> 'host' AS host FROM email WHERE recipient = $1 ORDER BY id", [account.email])
  expect(mails).toEqual([{ host: `127.0.0.1:${fixture.receiver.port}` }, { host: 'hooks.example.com' }])
  await fixture.pool.query('UPDATE webhook_endpoint SET url = $2 WHERE public_id = $1', [endpoint.id, fixture.receiver.url()])
  expect(await fixture.after(1440 * minuteMs)).toBe(0)
  // New events aren't queued for a disabled endpoint. Waiting events are sent once its owner resumes it.
  await fixture.one()
  fixture.receiver.usual = 200
  await resumeWebhook(fixture.deps(), fixture.owner(account), endpoint.id)
  expect(await fixture.after(0)).toBe(1)
  expect(await fixture.state(endpoint)).toMatchObject({ state: 'active', stateReason: null, waiting: 0 })
})
