/** Tests market events end to end, from import to receiver, in the API's format. The service is started the way an operator would start it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EventType } from '#server/api/contract/webhooks.ts'
import { adjustCredits } from '#server/billing/ledger.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { type Line, ndjson, product, provider, switchOffer } from '../market/feeds.ts'
import { verifies } from '../requirements/verifies.ts'
import { svcProgram } from '../support/programs.ts'
import { type Caller, Fixture } from '../v1/support/fixture.ts'
import { type ReceivedDelivery, Receiver } from './support/receiver.ts'

const fixture = new Fixture('lean')
const publicUrl = 'http://localhost:3000'
/** Runs in development mode, because otherwise webhooks cannot be sent to this machine. */
const settings = { WEBHOOKS_ALLOW_PRIVATE: 'true', NEXTAUTH_SECRET: 'a secret of the tests that is long enough', PUBLIC_URL: publicUrl }
let receiver: Receiver
let caller: Caller
let all: Record<string, string>

/** Runs the operator CLI. */
async function svc(...args: string[]): Promise<Record<string, string>> {
  const env = { ...process.env, ...settings, DATABASE_URL: fixture.databaseUrl }
  return JSON.parse((await promisify(execFile)(process.execPath, [svcProgram, '--json', ...args], { env })).stdout)
}

const addEndpoint = (path: string, types: string, ...more: string[]) =>
  svc('webhook', 'create', '--account', caller.account.email, '--url', receiver.url(path), '--types', types, ...more)

/** Imports rows in addition to the existing ones. */
const take = (...lines: Line[]) => importFeed(fixture.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', partial: true })

/** Waits until a path has received `count` events and returns them. */
async function arrived(path: string, count: number): Promise<ReceivedDelivery[]> {
  await expect.poll(() => receiver.at(path).length, { timeout: 15_000, interval: 25 }).toBe(count)
  return receiver.at(path)
}

/** Waits until everything has been delivered and charged. A delivery is charged after its receiver has responded. */
const settled = () => expect.poll(waiting, { timeout: 15_000, interval: 25 }).toBe(0)
const waiting = async () => (await fixture.pool.query("SELECT FROM webhook_delivery WHERE state = 'waiting'")).rowCount

beforeAll(async () => {
  await fixture.open({ NODE_ENV: '', ...settings })
  receiver = await Receiver.open()
  caller = await fixture.live({ credits: 10_000, plan: 'enterprise' })
  all = await addEndpoint('/all', 'all')
  await addEndpoint('/harrow', 'all', '--providers', 'harrow')
  await addEndpoint('/notice', 'all', '--account-types', 'notice')
  await addEndpoint('/gone', 'product.withdrawn', '--providers', 'brook')
  await addEndpoint('/big', 'rate.changed,product.added', '--min-change', '25')
  await take(provider('harrow'), provider('brook'))
})
afterAll(async () => {
  await fixture.close()
  await receiver.close()
})

const newest = (path: string, type: EventType): ReceivedDelivery =>
  receiver.at(path).findLast(({ body }) => body.type === type) ?? expect.unreachable(`No ${type} received.`)

verifies(
  ['events/body', 'events/event-header', 'events/delivery-header', 'events/product-added'],
  'delivers product.added with the product in the format of /rates/{sourceKey}',
  async () => {
    await take(product('first', { accountType: 'notice', noticeDays: 30 }))
    const [got] = await arrived('/all', 1)
    const { body: answer } = await fixture.get('/rates/first', caller.key)
    expect(Object.keys(got?.body ?? {})).toEqual(['id', 'type', 'createdAt', 'attempt', 'data'])
    expect(got?.body).toMatchObject({ id: expect.stringMatching(/^evt_/), type: 'product.added', attempt: 1, createdAt: expect.stringMatching(/^2.*Z$/) })
    expect(got?.body.data).toEqual(answer.data)
    expect(got?.headers).toMatchObject({ 'content-type': 'application/json', 'x-svc-event': 'product.added', 'x-svc-delivery': expect.stringMatching(/^dlv_/) })
    for (const path of ['/harrow', '/notice', '/big']) expect((await arrived(path, 1))[0]?.body).toEqual({ ...got?.body })
  },
)

verifies(
  ['events/rate-changed', 'events/filter-by-minimum-change', 'events/filter-by-provider', 'events/filter-by-account-type'],
  'delivers rate.changed in the format of /history to endpoints whose filters match',
  async () => {
    receiver.got.length = 0
    await take(product('other', { providerSlug: 'brook' }), product('first', { accountType: 'notice', noticeDays: 30 }))
    await arrived('/all', 1)
    await arrived('/big', 1)
    receiver.got.length = 0
    await take(product('first', { accountType: 'notice', noticeDays: 30, rate: '4.60', baseRate: '3.35' }))
    await arrived('/all', 1)
    await take(product('other', { providerSlug: 'brook', rate: '4.25', baseRate: '3.00' }))
    await arrived('/all', 2)
    await take(product('first', { accountType: 'notice', noticeDays: 30, rate: '4.34', baseRate: '3.09' }))
    const got = await arrived('/all', 3)
    expect(got.map(({ body }) => body.type)).toEqual(['rate.changed', 'rate.changed', 'rate.changed'])
    for (const { body } of got) {
      const key = String(body.data['sourceKey'])
      const { body: answer } = await fixture.get(`/history?sourceKey=${key}&limit=10`, caller.key)
      expect(answer.data.find(({ id }: { id: string }) => id === body.data['id'])).toEqual(body.data)
    }
    const rates = (path: string, count: number) => arrived(path, count).then((got) => got.map(({ body }) => [body.data['sourceKey'], body.data['newRate']]))
    expect(await rates('/harrow', 2)).toEqual([
      ['first', '4.60'],
      ['first', '4.34'],
    ])
    expect(await rates('/notice', 2)).toEqual(await rates('/harrow', 2))
    // A change of 0.10 percentage points is below this endpoint's minimum. A rise of 0.25 and a fall of 0.26 are large enough.
    expect(await rates('/big', 2)).toEqual([
      ['other', '4.25'],
      ['first', '4.34'],
    ])
  },
)

verifies('events/switch-offer-changed', 'delivers switch_offer.changed with the offer in the format of /switch-offers', async () => {
  receiver.got.length = 0
  await take(switchOffer('harrow-175'))
  await arrived('/all', 1)
  const { body: answer } = await fixture.get('/switch-offers?limit=50', caller.key)
  const listed =
    answer.data.find(({ offerKey }: { offerKey?: string }) => offerKey === 'harrow-175') ??
    answer.data.find((row: object) => JSON.stringify(row).includes('harrow-175'))
  expect(newest('/all', 'switch_offer.changed').body.data).toEqual(listed)
  await take(switchOffer('harrow-175', { bonusAmount: '200.00' }))
  await arrived('/all', 2)
  expect(newest('/all', 'switch_offer.changed').body.data).toMatchObject({ bonusAmount: '200.00', status: listed.status })
  // Withdrawing the offer before its last day ends it, and subscribers are notified.
  const { added, withdrawn } = await importFeed(fixture.pool, {
    source: ndjson(switchOffer('brook-100', { providerSlug: 'brook' })),
    fileName: 'feed.ndjson',
    dataset: 'live',
    confirm: true,
  })
  expect(withdrawn).toBeGreaterThan(0)
  for (const path of ['/all', '/notice']) await arrived(path, 2 + added + withdrawn)
  const received = receiver.at('/all').filter(({ body }) => body.data['offerKey'] === 'harrow-175')
  expect(received.map(({ body }) => body.data['status'])).toEqual([listed.status, listed.status, 'ended'])
  expect(received.at(-1)?.body.data).toMatchObject({ bonusAmount: '200.00' })
  expect(receiver.at('/big')).toEqual([])
})

test('delivers balance.low to all subscribed endpoints, whatever their filters', async () => {
  await settled()
  receiver.got.length = 0
  const { account } = caller
  const { rows } = await fixture.pool.query<{ balance: string }>('SELECT balance FROM wallet WHERE account_id = $1', [account.id])
  await adjustCredits(fixture.pool, account.id, 40 - Number(rows[0]?.balance), 'For testing.')
  const facts = { account: account.publicId, thresholdCredits: 50, balanceCredits: 40, topUp: `${publicUrl}/portal/billing/top-up` }
  const [got] = await arrived('/all', 1)
  expect(got?.body).toMatchObject({ id: expect.stringMatching(/^evt_/), type: 'balance.low', attempt: 1, data: { ...facts, at: got?.body.createdAt } })
  // The event has no provider and no account type, so filters don't apply.
  for (const path of ['/harrow', '/notice']) expect((await arrived(path, 1))[0]?.body).toEqual(got?.body)
  const { body: me } = await fixture.get('/me', caller.key)
  expect([me.data.account.id, me.data.balance.credits]).toEqual([account.publicId, 40])
  await adjustCredits(fixture.pool, account.id, 9_000, 'For testing.')
})

test('does not enable webhooks if the URL is invalid', async () => {
  const { email, id } = (await fixture.live({})).account
  const asked = svc('webhook', 'create', '--account', email, '--url', 'ftp://hooks.example.com/', '--types', 'all')
  await expect(asked).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('Enter a URL such as https://example.com') })
  expect((await fixture.pool.query('SELECT FROM webhook_account WHERE account_id = $1 AND is_on', [id])).rowCount).toBe(0)
})

/** Longer timeout than usual, because the test starts four processes. */
const testEventsTimeoutMs = 60_000

test('test events have the format of real ones, with sample data', { timeout: testEventsTimeoutMs }, async () => {
  receiver.got.length = 0
  const sample = await fixture.test()
  const paths = { 'rate.changed': '/history', 'product.added': '/rates', 'product.withdrawn': '/rates', 'switch_offer.changed': '/switch-offers' }
  await Promise.all(Object.keys(paths).map((type) => svc('webhook', 'test', '--id', all['id'] ?? '', '--type', type)))
  await arrived('/all', 4)
  for (const [type, path] of Object.entries(paths)) {
    const { body: answer } = await fixture.get(`${path}?limit=50`, sample.key)
    const { body } = newest('/all', type as EventType)
    expect(body.id).toMatch(/^evt_test_/)
    expect(answer.data).toContainEqual(body.data)
  }
})

verifies('events/product-withdrawn', "delivers product.withdrawn with the product's last known data", async () => {
  receiver.got.length = 0
  const { body: before } = await fixture.get('/rates/other', caller.key)
  // The feed is a complete list with a single product, so all others are withdrawn.
  const { withdrawn } = await importFeed(fixture.pool, {
    source: ndjson(product('first', { accountType: 'notice', noticeDays: 30, rate: '4.34', baseRate: '3.09' })),
    fileName: 'feed.ndjson',
    dataset: 'live',
    confirm: true,
  })
  expect(withdrawn).toBeGreaterThan(10)
  const [got] = await arrived('/gone', 1)
  expect(got?.body).toMatchObject({ type: 'product.withdrawn', data: { sourceKey: 'other' } })
  const { matchReasons: _, updatedAt: __, ...data } = got?.body.data ?? {}
  const { matchReasons: ___, updatedAt: ____, ...stood } = before.data
  expect(data).toEqual(stood)
  expect((await fixture.get('/rates/other', caller.key)).status).toBe(404)
})
