/** Webhook endpoints of test keys get the events of the sample market, on both mounts, from the import to the receiver. */
import { afterAll, beforeAll, expect } from 'vitest'
import { dayMs, isoDay } from '#server/api/contract/dates.ts'
import { describeSampleWeek } from '#server/api/contract/sample-week.ts'
import { eventTypes } from '#server/api/contract/webhooks.ts'
import { readJobRuns } from '#server/db/queues.sql.ts'
import { applySampleDay } from '#server/market/sample-week/move-sample.ts'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { verifies } from '../requirements/verifies.ts'
import { Receiver } from '../webhooks/support/receiver.ts'
import { type Caller, onEachMount } from './support/fixture.ts'
import { list } from './support/history.ts'

const settings = {
  expectedTrouble: /Development mode/,
  env: { NODE_ENV: '', PUBLIC_URL: 'http://localhost:3000', WEBHOOKS_ALLOW_PRIVATE: 'true' },
}

onEachMount((fixture) => {
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await Receiver.open()
  })
  afterAll(() => receiver.close())

  const move = (day: number) => applySampleDay(fixture.pool, isoDay(Date.parse('2026-11-30') + day * dayMs), { info: () => {} })
  const addEndpoint = async ({ key }: Caller, path: string, more: object = {}) => {
    const body = JSON.stringify({ url: receiver.url(path), types: eventTypes, ...more })
    const { status, text } = await fixture.send('POST', '/webhooks', key, { 'content-type': 'application/json' }, body)
    expect(status, text).toBe(200)
  }

  verifies(['webhooks/test-mode-events', 'webhooks/managed-by-mode'], 'sends the changes of the sample market to test endpoints, for free', async () => {
    // Only this test changes the day of the sample market from now on.
    const hasRun = async () => (await readJobRuns(fixture.pool)).some(({ name, okAt }) => name === 'market.move-sample' && okAt !== null)
    await expect.poll(hasRun, { timeout: 30_000 }).toBe(true)
    await fixture.sql("DELETE FROM pgboss.schedule WHERE name = 'market.move-sample'")
    await fixture.sql("DELETE FROM pgboss.job WHERE name = 'market.move-sample' AND state <> 'completed'")
    await move(-1)
    const tester = await fixture.test({ credits: 10 }, { scopes: ['account:manage', 'history:read'] })
    await switchWebhooks({ pool: fixture.pool }, tester.account.email, true)
    await addEndpoint(tester, '/sample')
    await addEndpoint(tester, '/hartmantle', { providers: ['hartmantle'], minChange: '0.01' })
    await addEndpoint(await fixture.getKey(tester.account, { scopes: ['account:manage'] }), '/live')
    const expected: string[] = []
    for (const [day, { added, withdrawn, changed, offers }] of describeSampleWeek().slice(0, 4).entries()) {
      await move(day)
      expected.push(`product.added ${added}`, `product.withdrawn ${withdrawn}`, ...changed.map((key) => `rate.changed ${key}`))
      expected.push(...offers.map((key) => `switch_offer.changed ${key}`))
      await expect.poll(() => receiver.at('/sample').length, { timeout: 20_000 }).toBe(expected.length)
    }
    const got = receiver.at('/sample').map(({ body }) => ({ type: body.type, data: body.data as Record<string, unknown> }))
    expect(got.map(({ type, data }) => `${type} ${data['sourceKey'] ?? data['offerKey'] ?? 'tolwick-switch-personal'}`).sort()).toEqual(expected.sort())
    const { body } = await fixture.get('/history?limit=50', tester.key)
    for (const { type, data } of got) if (type === 'rate.changed') expect(body.data).toContainEqual(data)
    expect(receiver.at('/hartmantle').map(({ body: { type, data } }) => `${type} ${data['sourceKey']}`)).toEqual(
      expect.arrayContaining(['rate.changed hartmantle-notice-776e', 'product.added hartmantle-easy-access-64e3']),
    )
    expect(receiver.at('/hartmantle').every(({ body: { data } }) => data['providerSlug'] === 'hartmantle')).toBe(true)

    // An event of the live market is sent to the live endpoint only. The other endpoints would have received it earlier.
    await list(fixture, `sample-webhooks-${fixture.mount}`, '4.11')
    await expect.poll(() => receiver.at('/live').length, { timeout: 20_000 }).toBe(1)
    expect(receiver.at('/live')[0]?.body.data['sourceKey']).toBe(`sample-webhooks-${fixture.mount}`)
    expect(receiver.at('/sample')).toHaveLength(expected.length)
    await expect.poll(() => fixture.balance(tester.account), { timeout: 20_000 }).toBe(5)
  })
}, settings)
