import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { expect, test, vi } from 'vitest'
import { getDelivery } from '#server/webhooks/deliveries.ts'
import { rotateSecret, updateWebhook } from '#server/webhooks/manage-endpoints.ts'
import { sign } from '#server/webhooks/signature.ts'
import { verifyWebhook, WebhookError, type WebhookFault } from '../../client/src/webhooks.ts'
import { verifies } from '../requirements/verifies.ts'
import type { ReceivedDelivery } from './support/receiver.ts'
import { type Endpoint, minuteMs, WebhookFixture } from './support/webhook-fixture.ts'

const fixture = new WebhookFixture()
const { webhooks: stripe } = new Stripe('sk_test_of_the_tests')

const getSignature = ({ headers }: ReceivedDelivery): string => String(headers['x-svc-signature'])

/** Verifies a delivery with Stripe's SDK, at the fixture's time. */
function isGenuine(raw: string | Buffer, header: string, secret: string, atMs = fixture.nowMs): boolean {
  try {
    stripe.constructEvent(raw, header, secret, 300, undefined, atMs)
    return true
  } catch {
    return false
  }
}

async function delivered(endpoint: Endpoint): Promise<ReceivedDelivery> {
  await fixture.one({ data: '{"name":"Zoë’s £4.50 Saver"}' })
  await fixture.drain()
  expect((await fixture.delivery(endpoint)).state).toBe('delivered')
  return fixture.receiver.got.at(-1) ?? expect.unreachable('Nothing was received.')
}

verifies(['events/signature-header', 'events/signature-value'], async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  const got = await delivered(endpoint)
  const time = Math.floor(fixture.nowMs / 1_000)
  const hex = createHmac('sha256', endpoint.secret).update(`${time}.${got.raw}`).digest('hex')
  expect(getSignature(got)).toBe(`t=${time},v1=${hex}`)
  expect(isGenuine(got.raw, getSignature(got), endpoint.secret)).toBe(true)
})

test("Stripe's verifier rejects modified and expired deliveries", async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  const got = await delivered(endpoint)
  const [header, bytes] = [getSignature(got), Buffer.from(got.raw)]
  expect(isGenuine(bytes, header, endpoint.secret)).toBe(true)
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(isGenuine(changed, header, endpoint.secret), `byte ${at}`).toBe(false)
  }
  for (const wrong of [got.raw.slice(1), got.raw.slice(0, -1), `${got.raw}\n`, JSON.stringify(got.body, null, 2), '']) {
    expect(isGenuine(wrong, header, endpoint.secret)).toBe(false)
  }
  for (let at = 0; at < header.length; at++) {
    const changed = `${header.slice(0, at)}${header[at] === '0' ? '1' : '0'}${header.slice(at + 1)}`
    expect(isGenuine(got.raw, changed, endpoint.secret), `character ${at} of the header`).toBe(false)
  }
  for (const secret of [endpoint.secret.slice(1), `${endpoint.secret}x`, endpoint.secret.toUpperCase(), 'whsec_', 'x']) {
    expect(isGenuine(got.raw, header, secret)).toBe(false)
  }
  expect(isGenuine(got.raw, header, endpoint.secret, fixture.nowMs + 300_000)).toBe(true)
  expect(isGenuine(got.raw, header, endpoint.secret, fixture.nowMs + 301_000)).toBe(false)
  // A later timestamp, even in the future, no longer matches the signature.
  for (const seconds of [1, 301, 100_000]) {
    const later = header.replace(/t=(\d+)/, (_, time) => `t=${Number(time) + seconds}`)
    expect(isGenuine(got.raw, later, endpoint.secret), `${seconds} s later`).toBe(false)
  }
})

/** Returns the TypeScript client's reason for rejecting a delivery, or null. */
async function getReason(delivery: Parameters<typeof verifyWebhook>[0]): Promise<WebhookFault | null> {
  const error = await verifyWebhook({ now: fixture.now, ...delivery }).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error !== null && !(error instanceof WebhookError)) throw error
  return error?.reason ?? null
}

test('the TypeScript client accepts deliveries signed with either of two secrets and gives a reason for rejecting others', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  const { raw, headers } = await delivered(endpoint)
  const { secret } = endpoint
  const own = { body: raw, headers, secret }
  expect(await verifyWebhook({ ...own, now: fixture.now })).toEqual(JSON.parse(raw))
  const forms = [Buffer.from(raw), new TextEncoder().encode(raw).buffer as ArrayBuffer]
  for (const body of forms) expect(await getReason({ ...own, body })).toBe(null)
  for (const given of [new Headers({ 'X-SVC-Signature': getSignature({ headers } as ReceivedDelivery) }), getSignature({ headers } as ReceivedDelivery)]) {
    expect(await getReason({ ...own, headers: given })).toBe(null)
  }
  expect(await getReason({ ...own, secret: ['whsec_another', secret] })).toBe(null)
  for (const one of ['whsec_another', `${secret}x`, ['whsec_a', 'whsec_b']]) expect(await getReason({ ...own, secret: one })).toBe('wrong_signature')
  for (const body of [`${raw}\n`, raw.slice(1), '']) expect(await getReason({ ...own, body })).toBe('wrong_signature')
  for (const none of [{}, null, '']) expect(await getReason({ ...own, headers: none })).toBe('missing_signature')
  for (const bad of ['t=1', 'v1=00', 't=x,v1=', getSignature({ headers } as ReceivedDelivery).replace('v1', 'v0')]) {
    expect(await getReason({ ...own, headers: bad })).toBe('malformed_signature')
  }
  const at = (seconds: number) => getReason({ ...own, now: new Date(Math.floor(fixture.nowMs / 1_000) * 1_000 + seconds * 1_000) })
  expect([await at(300), await at(-300), await at(301), await at(-301)]).toEqual([null, null, 'too_old', 'too_new'])
  expect(await getReason({ ...own, toleranceSeconds: 60, now: new Date(fixture.nowMs + 61_000) })).toBe('too_old')
  // A missing secret must not count as an empty one, because anyone could sign with an empty secret.
  for (const missing of ['', [], [''], undefined]) await expect(verifyWebhook({ ...own, secret: missing as string })).rejects.toThrow(TypeError)
  await expect(verifyWebhook({ ...own, body: JSON.parse(raw) })).rejects.toThrow('raw body')
  // An invalid tolerance must not disable the timestamp check.
  for (const toleranceSeconds of [Number.NaN, Number.POSITIVE_INFINITY, -1, '60' as unknown as number]) {
    await expect(verifyWebhook({ ...own, now: fixture.now, toleranceSeconds })).rejects.toThrow('toleranceSeconds must be a number of seconds, 0 or more.')
  }
  for (const now of [new Date(Number.NaN), fixture.nowMs as unknown as Date, null as unknown as Date]) {
    await expect(verifyWebhook({ ...own, now })).rejects.toThrow('now must be a valid Date.')
  }
  expect(await getReason({ ...own, toleranceSeconds: 0, now: new Date(Math.floor(fixture.nowMs / 1_000) * 1_000) })).toBe(null)
})

test('signs each attempt with its own timestamp', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  fixture.receiver.next.push(500)
  await fixture.one()
  await fixture.after(0)
  await fixture.after(60 * minuteMs)
  const [first, second] = fixture.receiver.got
  expect(first && second && isGenuine(second.raw, getSignature(second), endpoint.secret)).toBe(true)
  expect(first && isGenuine(first.raw, getSignature(first), endpoint.secret)).toBe(false)
})

verifies('webhooks/secret-rotation', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  const { secret, oldEndsAt } = await rotateSecret(fixture.deps(), fixture.owner(endpoint.account), endpoint.id)
  expect(secret).not.toBe(endpoint.secret)
  expect(oldEndsAt.getTime() - fixture.nowMs).toBe(1_440 * minuteMs)
  const check = async (fits: [newer: boolean, older: boolean], values: number) => {
    const got = await delivered(endpoint)
    expect([isGenuine(got.raw, getSignature(got), secret), isGenuine(got.raw, getSignature(got), endpoint.secret)]).toEqual(fits)
    expect(getSignature(got).match(/v1=[0-9a-f]{64}/g)).toHaveLength(values)
    const faults = [
      await getReason({ body: got.raw, headers: got.headers, secret }),
      await getReason({ body: got.raw, headers: got.headers, secret: endpoint.secret }),
    ]
    expect(faults.map((fault) => fault === null)).toEqual(fits)
  }
  await check([true, true], 2)
  fixture.nowMs += 1_440 * minuteMs - 1
  await check([true, true], 2)
  fixture.nowMs += 1
  await check([true, false], 1)
  expect((await fixture.state(endpoint)).oldSecretEndsAt).toBeNull()
})

test('after two rotations on the same day, the first and newest secrets are valid, but not the one in between', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  const rotate = () => rotateSecret(fixture.deps(), fixture.owner(endpoint.account), endpoint.id)
  const between = await rotate()
  fixture.nowMs += 1_000 * minuteMs
  const newest = await rotate()
  const fits = async () => {
    const got = await delivered(endpoint)
    return [newest.secret, endpoint.secret, between.secret].map((secret) => isGenuine(got.raw, getSignature(got), secret))
  }
  expect(await fits()).toEqual([true, true, false])
  fixture.nowMs = newest.oldEndsAt.getTime() - 1
  expect(await fits()).toEqual([true, true, false])
  fixture.nowMs += 1
  expect(await fits()).toEqual([true, false, false])
})

test('applies a new URL and a new secret from the next request on, even within a claimed batch', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  const owner = fixture.owner(endpoint.account)
  const moved = { url: fixture.receiver.url('/moved'), types: ['rate.changed' as const], providers: [], accountTypes: [], minChangeBp: null, description: '' }
  let secret = ''
  fixture.receiver.next.push(async (response) => {
    await updateWebhook(fixture.deps(), owner, endpoint.id, moved)
    secret = (await rotateSecret(fixture.deps(), owner, endpoint.id)).secret
    response.end()
  })
  await fixture.emit({}, {}, {})
  await fixture.drain()
  expect(fixture.receiver.got.map(({ path }) => path)).toEqual(['/hook', '/moved', '/moved'])
  expect(fixture.receiver.got.map((got) => isGenuine(got.raw, getSignature(got), secret))).toEqual([false, true, true])
})

test('a secret that cannot be decrypted causes deliveries to fail until it is rotated', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  const changed = { secret: 'another secret of the service that is long enough' }
  await fixture.one()
  await fixture.drain({}, changed)
  const { id, state, attempts } = await fixture.delivery(endpoint)
  expect([state, attempts, fixture.receiver.got]).toEqual(['waiting', 1, []])
  const [attempt] = (await getDelivery(fixture.deps(), endpoint.account.id, id)).tries
  expect(attempt).toMatchObject({ isDelivered: false, status: null, fault: expect.stringContaining('Rotate the secret.') })
  expect((await fixture.state(endpoint)).failingSince).toEqual(fixture.now)
  const { secret } = await rotateSecret(fixture.deps(changed), fixture.owner(endpoint.account), endpoint.id)
  fixture.nowMs += minuteMs
  await fixture.drain({}, changed)
  const [got] = fixture.receiver.got
  expect(got && isGenuine(got.raw, getSignature(got), secret)).toBe(true)
  expect(got && getSignature(got).match(/v1=/g)).toHaveLength(1)
  // The first log line is about the current secret, the second about its predecessor, which cannot be decrypted either.
  expect(fixture.log.splice(0).map(({ msg }) => msg)).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('NEXTAUTH_SECRET')))
})

test('stores secrets encrypted', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  const { rows } = await fixture.pool.query<{ dump: string }>("SELECT string_agg(t::text || encode(secret, 'escape'), ' ') AS dump FROM webhook_endpoint t")
  expect(rows[0]?.dump).toContain(endpoint.id)
  expect(rows[0]?.dump).not.toContain(endpoint.secret.slice('whsec_'.length))
  expect(endpoint.secret).toMatch(/^whsec_[0-9A-Za-z]{40}$/)
})

test('signs with a timestamp and each secret, newest first', () => {
  const hex = (secret: string) => createHmac('sha256', secret).update('1700000000.{}').digest('hex')
  expect(sign('{}', ['new', 'old'], 1_700_000_000_999)).toBe(`t=1700000000,v1=${hex('new')},v1=${hex('old')}`)
})

test('a worker whose clock was set back releases an endpoint before its lease expires', async () => {
  await fixture.endpoint(await fixture.account())
  fixture.receiver.usual = (response) => void setTimeout(() => response.writeHead(200).end(), 150)
  await fixture.emit(...Array.from({ length: 8 }, () => ({})))
  const statements = vi.spyOn(fixture.pool, 'query')
  // Two of the lease's three seconds are reserved for recording outcomes, so one second is left for attempts. The wall clock doesn't advance.
  await fixture.drain({ leaseSeconds: 3, timeoutMs: 500 })
  const claims = statements.mock.calls.filter(([statement]) => (statement as { name?: string }).name === 'webhooks-claim').length
  statements.mockRestore()
  expect(fixture.receiver.got).toHaveLength(8)
  // The last claim finds nothing, so if there are more than two, the endpoint was released and claimed again.
  expect(claims).toBeGreaterThan(2)
})
