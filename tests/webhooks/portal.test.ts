/** Tests webhooks in the portal over HTTP, while the worker of the same process delivers events. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { type Member, PortalFixture } from '../portal/support/portal-fixture.ts'
import { getData, getError } from '../portal/support/visitor.ts'
import { Receiver } from './support/receiver.ts'

const fixture = new PortalFixture()
let receiver: Receiver

beforeAll(async () => {
  receiver = await Receiver.open()
  await fixture.open({ NODE_ENV: '', WEBHOOKS_ALLOW_PRIVATE: 'true' })
})
afterAll(async () => {
  await fixture.close()
  await receiver.close()
})

const endpoint = (facts: object = {}) => ({
  url: receiver.url(),
  description: 'Mine',
  types: ['rate.changed'],
  providers: '',
  accountTypes: [],
  minChange: '',
  ...facts,
})

async function enabled(): Promise<Member> {
  const member = await fixture.member()
  await switchWebhooks({ pool: fixture.pool }, member.email, true)
  return member
}

const ask = async ({ visitor }: Member, name: string, input: object = {}) => getData(await visitor.call(`webhooks.${name}`, 'query', input))
const act = async ({ visitor }: Member, name: string, input: object = {}) => getData(await visitor.call(`webhooks.${name}`, 'mutation', input))

test('creates, updates, tests, pauses, resumes, rotates and deletes an endpoint', async () => {
  const member = await enabled()
  const { id, secret } = await act(member, 'create', endpoint())
  expect(secret).toMatch(/^whsec_/)
  expect(await ask(member, 'list')).toMatchObject([{ id, url: receiver.url(), types: ['rate.changed'], state: 'active', waiting: 0, successRate: null }])
  expect(JSON.stringify(await ask(member, 'read', { id }))).not.toContain(secret)
  await act(member, 'update', { ...endpoint({ url: receiver.url('/moved'), types: ['product.added'], providers: 'harrow', minChange: '0.05' }), id })
  expect(await ask(member, 'read', { id })).toMatchObject({ url: receiver.url('/moved'), types: ['product.added'], providers: ['harrow'], minChangeBp: 5 })
  const made = await act(member, 'test', { id, type: null })
  await expect.poll(async () => (await ask(member, 'delivery', { id: made.delivery })).state, { timeout: 15_000 }).toBe('delivered')
  expect(receiver.at('/moved').map(({ headers }) => headers['x-svc-delivery'])).toEqual([made.delivery])
  const whole = await ask(member, 'delivery', { id: made.delivery })
  expect(whole).toMatchObject({ id: made.delivery, endpoint: id, isTest: true, chargedCredits: 0, tries: [{ attempt: 1, isDelivered: true, status: 200 }] })
  expect(whole.data).toEqual(receiver.at('/moved')[0]?.body.data)
  expect(await ask(member, 'health', { id })).toMatchObject({ attempts: 1, successRate: 1, hours: [{ attempts: 1, delivered: 1 }] })
  await act(member, 'redeliver', { id, delivery: made.delivery })
  await expect.poll(() => receiver.at('/moved').length, { timeout: 15_000 }).toBe(2)
  await act(member, 'pause', { id })
  expect((await ask(member, 'read', { id })).state).toBe('paused')
  expect(getError(await member.visitor.call('webhooks.test', 'mutation', { id, type: null })).message).toContain('Resume it first.')
  await act(member, 'resume', { id })
  const rotated = await act(member, 'rotate', { id })
  expect(rotated.secret).not.toBe(secret)
  expect((await ask(member, 'read', { id })).oldSecretEndsAt).not.toBeNull()
  await act(member, 'delete', { id })
  expect(await ask(member, 'list')).toEqual([])
  const audit = await fixture.sql<{ action: string }>("SELECT action FROM audit_entry WHERE account_id = $1 AND action LIKE 'webhook.%' ORDER BY id", [
    member.id,
  ])
  expect(audit.map(({ action }) => action.slice('webhook.'.length))).toEqual(['create', 'update', 'test', 'redeliver', 'pause', 'resume', 'rotate', 'delete'])
})

test('rejects invalid endpoint settings with the names of their fields, and creates nothing', async () => {
  const member = await enabled()
  const fields = async (facts: object) => {
    const answer = await member.visitor.call('webhooks.create', 'mutation', endpoint(facts))
    expect(answer.status).toBe(400)
    return Object.keys(getError(answer).data.fields ?? {})
  }
  expect(await fields({ url: 'nothing' })).toEqual(['url'])
  expect(await fields({ url: 'ftp://hooks.example.com/' })).toEqual(['url'])
  expect(await fields({ types: [] })).toEqual(['types'])
  expect(await fields({ types: ['rate.changed', 'rate.rose'] })).toEqual(['types'])
  expect(await fields({ minChange: '0' })).toEqual(['minChange'])
  expect(await fields({ providers: 'Harrow Bank' })).toEqual(['providers'])
  expect(await fields({ accountTypes: ['all'] })).toEqual(['accountTypes'])
  expect(await ask(member, 'list')).toEqual([])
})

test('sample events come from the test market, or show a made-up balance', async () => {
  const member = await enabled()
  for (const type of ['rate.changed', 'product.added', 'product.withdrawn', 'switch_offer.changed']) {
    expect(Object.keys(await ask(member, 'sample', { type })).length).toBeGreaterThan(5)
  }
  expect(Object.keys(await ask(member, 'sample', { type: 'balance.low' }))).toEqual(['account', 'thresholdCredits', 'balanceCredits', 'at', 'topUp'])
})

test("shows that nothing has been delivered to a new URL yet, and discards the old URL's failures", async () => {
  const member = await enabled()
  const { id } = await act(member, 'create', endpoint())
  const fail = "failing_since = now() - interval '2 days', failures = 9, warned_at = now()"
  await fixture.sql(`UPDATE webhook_endpoint SET ${fail} WHERE public_id = $1`, [id])
  const path = `/portal/webhooks/${id}`
  await act(member, 'update', endpoint({ id, description: 'Renamed' }))
  expect((await member.visitor.open(path)).text).toContain('No delivery has succeeded since')
  await act(member, 'update', endpoint({ id, url: 'https://new.example.com/' }))
  const { text } = await member.visitor.open(path)
  expect([text.includes('Nothing has been delivered to the new URL yet.'), text.includes('No delivery has succeeded since')]).toEqual([true, false])
  const [row] = await fixture.sql('SELECT failing_since, failures, warned_at FROM webhook_endpoint WHERE public_id = $1', [id])
  expect(row).toEqual({ failing_since: null, failures: 0, warned_at: null })
  await fixture.sql(
    `WITH v AS (INSERT INTO webhook_event (id, type, created_at, data, data_with_logos) VALUES ('evt_new_url', 'rate.changed', now(), '{}', '{}') RETURNING id),
     d AS (INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, state, due_at, created_at)
     SELECT 'dlv_new_url', e.id, e.account_id, v.id, 'delivered', now(), now() FROM v, webhook_endpoint e WHERE e.public_id = $1 RETURNING id, endpoint_id)
     INSERT INTO webhook_attempt (delivery_id, endpoint_id, round, attempt, at, outcome, total_ms)
     SELECT id, endpoint_id, 1, 1, now() + interval '1 second', 'delivered', 5 FROM d`,
    [id],
  )
  expect((await ask(member, 'read', { id })).undeliveredUrlSince).toBeNull()
})

test("shows a live event's data only after it has been charged", async () => {
  const member = await enabled()
  const { id } = await act(member, 'create', endpoint())
  await fixture.sql(
    `WITH v AS (INSERT INTO webhook_event (id, type, created_at, data, data_with_logos) VALUES ('evt_unpaid', 'rate.changed', now(), '{"rate":"98.7654"}', '{"rate":"98.7654"}') RETURNING id)
     INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, state, due_at, created_at)
     SELECT 'dlv_unpaid', e.id, e.account_id, v.id, 'dead', now(), now() FROM v, webhook_endpoint e WHERE e.public_id = $1`,
    [id],
  )
  const page = () => member.visitor.open(`/portal/webhooks/${id}/deliveries/dlv_unpaid`)
  expect((await ask(member, 'delivery', { id: 'dlv_unpaid' })).data).toBeNull()
  const unpaid = await page()
  expect([unpaid.text.includes('Shown once the event has been delivered and charged.'), unpaid.html.includes('98.7654')]).toEqual([true, false])
  await fixture.sql("UPDATE webhook_delivery SET charged_at = now(), state = 'delivered' WHERE public_id = 'dlv_unpaid'")
  expect((await ask(member, 'delivery', { id: 'dlv_unpaid' })).data).toEqual({ rate: '98.7654' })
  expect((await page()).html).toContain('98.7654')
})

/** Redelivers a time range in two parts: the hourly limit first allows only one delivery, and the page says that more remain. */
async function resendRangeInTwoParts(visitor: Member['visitor'], id: string, path: string): Promise<void> {
  await fixture.sql(
    `WITH v AS (INSERT INTO webhook_event (id, type, created_at, data, data_with_logos)
       SELECT 'evt_span_' || n, 'rate.changed', now(), '{}', '{}' FROM generate_series(1, 2) n RETURNING id)
     INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, state, due_at, created_at, charged_at)
     SELECT 'dlv_' || v.id, e.id, e.account_id, v.id, 'delivered', now(), now(), now() FROM v, webhook_endpoint e WHERE e.public_id = $1`,
    [id],
  )
  const used = (count: number) => fixture.sql('UPDATE webhook_endpoint SET again_from = now(), again_count = $2 WHERE public_id = $1', [id, count])
  const rounds = async () =>
    (await fixture.sql<{ at: string }>("SELECT round || ' ' || state AS at FROM webhook_delivery WHERE public_id LIKE 'dlv_evt_span_%' ORDER BY id")).map(
      ({ at }) => at,
    )
  const fields = { from: '2026-01-01T00:00', to: '2100-01-01T00:00' }
  await used(9_999)
  const part = await visitor.submitForm(await visitor.open(path), 'Redeliver this range', fields)
  expect(part.result).toEqual({ count: 1, next: expect.stringMatching(/^\d+$/) })
  await expect.poll(rounds, { timeout: 15_000 }).toEqual(['2 delivered', '1 delivered'])
  await used(0)
  const rest = await visitor.submitForm(part, 'Redeliver this range', { ...fields, after: part.result.next })
  expect(rest.result).toEqual({ count: 1, next: null })
  await expect.poll(rounds, { timeout: 15_000 }).toEqual(['2 delivered', '2 delivered'])
}

test('an endpoint can be created, tested, changed and deleted on the portal pages, and its events redelivered', async () => {
  const member = await fixture.member()
  const { visitor } = member
  expect((await visitor.open('/portal/webhooks')).text).toContain('Enabling webhooks is free.')
  expect((await visitor.open('/portal/webhooks/new')).path).toBe('/portal/webhooks')
  expect((await visitor.submitForm(await visitor.open('/portal/webhooks'), 'Enable webhooks')).status).toBe(200)
  const blank = await visitor.submitForm(await visitor.open('/portal/webhooks/new'), 'Add endpoint', { url: '', minChange: 'much' })
  expect(blank.text).toContain('There is a problem')
  const made = await visitor.submitForm(await visitor.open('/portal/webhooks/new'), 'Add endpoint', {
    url: receiver.url('/paged'),
    description: 'Rates for Ada',
    minChange: '0.25',
  })
  expect(made.result).toEqual({ id: expect.stringMatching(/^whe_/), secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{40}$/) })
  const [row] = await ask(member, 'list')
  const path = `/portal/webhooks/${row.id}`
  expect((await visitor.open('/portal/webhooks')).text).toContain('Rates for Ada')
  const page = await visitor.open(path)
  expect(page.text).toContain('0.25 percentage points or more')
  expect(page.text).toContain('No deliveries yet.')
  expect(page.text).not.toContain('whsec_')
  receiver.next.push((response) => response.writeHead(200, { 'x-of-receiver': 'yes' }).end('taken'))
  await visitor.submitForm(page, 'Send test event (free)')
  await expect.poll(async () => (await ask(member, 'health', { id: row.id })).attempts, { timeout: 15_000 }).toBe(1)
  const after = await visitor.open(path)
  expect(after.text).toContain('100.0% of 1 attempt succeeded (2xx).')
  // The page shows sample payloads even for event types that were never sent.
  expect(after.text).toMatch(/Example payloads.*rate\.changed.*"previousRate"/s)
  expect((await visitor.open('/portal/webhooks')).text).toMatch(/Success rate, 7 days.*100\.0%/s)
  expect((await visitor.open(`${path}?state=dead`)).text).toContain('No deliveries match.')
  const [{ id }] = (await ask(member, 'deliveries', { id: row.id, state: null, type: null, cursor: null })).deliveries
  const delivery = await visitor.open(`${path}/deliveries/${id}`)
  for (const words of ['Free: test event', 'x-of-receiver', 'taken', 'Attempt 1', id]) expect(delivery.text).toContain(words)
  await visitor.submitForm(delivery, 'Redeliver')
  await expect.poll(() => receiver.at('/paged').length, { timeout: 15_000 }).toBe(2)
  const fields = { from: '2026-01-01T00:00', to: '2100-01-01T00:00' }
  expect((await visitor.submitForm(await visitor.open(path), 'Redeliver this range', { ...fields, to: '' })).text).toContain('Enter a date and time, e.g.')
  // Redelivering a time range excludes test events.
  expect((await visitor.submitForm(await visitor.open(path), 'Redeliver this range', fields)).result).toEqual({ count: 0, next: null })
  await resendRangeInTwoParts(visitor, row.id, path)
  const change = await visitor.open(`${path}/edit`)
  expect((await visitor.submitForm(change, 'Save endpoint', { types: [] })).text).toContain('Choose at least one event.')
  await visitor.submitForm(change, 'Save endpoint', { providers: 'harrow, brook', minChange: '' })
  expect((await visitor.open(path)).text).toContain('harrow, brook')
  expect(await ask(member, 'read', { id: row.id })).toMatchObject({ description: 'Rates for Ada', providers: ['harrow', 'brook'], minChangeBp: null })
  expect((await visitor.submitForm(await visitor.open(path), 'Rotate secret')).result.secret).toMatch(/^whsec_[0-9A-Za-z]{40}$/)
  await visitor.submitForm(await visitor.open(path), 'Pause')
  expect((await visitor.open(path)).text).toContain('Resume')
  // Other accounts' pages return 404.
  const other = await enabled()
  for (const address of [path, `${path}/edit`, `${path}/deliveries/${id}`]) {
    const missing = await other.visitor.open(address)
    expect([missing.status, missing.html.includes('<title>Page not found'), missing.text.includes('Go to the overview')]).toEqual([404, true, true])
  }
  await visitor.submitForm(await visitor.open(path), 'Delete endpoint')
  expect((await visitor.open(path)).status).toBe(404)
  expect((await visitor.open('/portal/webhooks')).text).toContain('No endpoints yet.')
})
