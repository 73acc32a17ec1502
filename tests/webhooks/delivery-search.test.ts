/** Tests the search for rare deliveries, which reads a limited number of deliveries for each page. */
import { expect, test } from 'vitest'
import { getDeliveries, listDeliveries } from '#server/webhooks/deliveries.ts'
import { WebhookFixture } from './support/webhook-fixture.ts'

const fixture = new WebhookFixture()

test('finds every delivery of a rare type on the following pages', async () => {
  const account = await fixture.account()
  const types = ['rate.changed' as const, 'product.added' as const]
  for (let n = 0; n < 20; n++) await fixture.endpoint(account, { url: fixture.receiver.url(`/${n}`), types })
  await fixture.pool.query(
    `INSERT INTO webhook_event (id, type, created_at, data, data_with_logos)
     SELECT 'evt_rare_' || n, CASE n WHEN 1 THEN 'product.added' ELSE 'rate.changed' END, $1, '{}', '{}' FROM generate_series(1, 1200) n`,
    [fixture.now],
  )
  await fixture.pool.query(
    `INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, state, due_at, created_at, charged_at, delivered_at)
     SELECT 'dlv_rare' || e.id || '_' || n, e.id, e.account_id, 'evt_rare_' || n, 'delivered', $2, $2, $2, $2
     FROM generate_series(1, 1200) n, webhook_endpoint e WHERE e.account_id = $1 ORDER BY n, e.id`,
    [account.id, fixture.now],
  )
  const read = async (limit: number) => {
    const found: string[] = []
    let [after, pages]: [string | null, number] = [null, 0]
    do {
      const { rows, more, keys } = await listDeliveries(fixture.deps(), { accountId: account.id, mode: 'live', type: 'product.added' }, { limit, after })
      found.push(...rows.map(({ id }) => id))
      after = more ? (keys.at(-1) ?? null) : null
      pages++
    } while (after !== null)
    return { found, pages }
  }
  const { found, pages } = await read(100)
  expect([new Set(found).size, found.length, pages]).toEqual([20, 20, 2])
  expect((await read(7)).found).toEqual(found)
  const all = await listDeliveries(fixture.deps(), { accountId: account.id, mode: 'live' }, { limit: 100, after: null })
  expect([all.rows.length, all.more, all.keys.length]).toEqual([100, true, 100])
  const first = await getDeliveries(fixture.deps(), account.id, null, { state: null, type: 'product.added', cursor: null })
  expect([first.deliveries.length, first.next]).toEqual([0, expect.any(String)])
  const second = await getDeliveries(fixture.deps(), account.id, null, { state: null, type: 'product.added', cursor: first.next })
  expect([second.deliveries.map(({ id }) => id), second.next]).toEqual([found, null])
})
