/** Tests the limits of an account on deliveries that cost nothing: test events and manual redeliveries. */
import { expect, test } from 'vitest'
import { maxOfAccount } from '#server/api/contract/webhooks.ts'
import { deleteWebhook, testWebhook } from '#server/webhooks/manage-endpoints.ts'
import { redeliver } from '#server/webhooks/redeliver.ts'
import { type Endpoint, minuteMs, WebhookFixture } from './support/webhook-fixture.ts'

const fixture = new WebhookFixture()

const ask = ({ id, account }: Endpoint) => testWebhook(fixture.deps(), fixture.owner(account), id, null)

const outcomes = async (work: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map((one) => (one.status === 'fulfilled' ? 'sent' : (one.reason.refusal?.message ?? String(one.reason))))

test('limits the test events of an account, even with concurrent requests and with endpoints that are replaced', async () => {
  const account = await fixture.account()
  const endpoints = await Promise.all(Array.from({ length: 6 }, (_, n) => fixture.endpoint(account, { url: fixture.receiver.url(`/${n}`) })))
  const [first, ...others] = endpoints
  if (!first) throw new Error('No endpoint was created.')
  for (let n = 0; n < 10; n++) await ask(first)
  await deleteWebhook(fixture.deps(), fixture.owner(account), first.id)
  const results = await outcomes(others.flatMap((endpoint) => Array.from({ length: 8 }, () => ask(endpoint))))
  expect(results.filter((one) => one === 'sent')).toHaveLength(maxOfAccount.testsAMinute - 10)
  const refused = 'An account can send 30 test events a minute. Try again in 1 minute.'
  expect(new Set(results)).toEqual(new Set(['sent', refused]))
  const replaced = await fixture.endpoint(account)
  fixture.nowMs += 20_000
  await expect(ask(replaced)).rejects.toMatchObject({
    refusal: { code: 'rate_limited', extra: { retryAfter: 40 }, message: expect.stringContaining('40 seconds') },
  })
  // Other accounts have their own limit.
  await ask(await fixture.endpoint(await fixture.account()))
  fixture.nowMs += 40_000
  await ask(replaced)
})

test('limits the redeliveries of an account, over all its endpoints', async () => {
  const account = await fixture.account()
  const [one, two] = [await fixture.endpoint(account), await fixture.endpoint(account, { url: fixture.receiver.url('/two') })]
  const used = 'UPDATE webhook_account SET again_from = $2, again_count = $3 WHERE account_id = $1'
  await fixture.emit({}, {}, {})
  await fixture.after(0)
  await fixture.pool.query(used, [account.id, new Date(fixture.nowMs - 50 * minuteMs), maxOfAccount.sentAgainAnHour - 4])
  const all = ({ id }: Endpoint) =>
    redeliver(fixture.deps(), fixture.owner(account), id, { kind: 'range', from: new Date(0), to: new Date(fixture.nowMs + 1), after: null })
  const made = await Promise.allSettled([all(one), all(two)])
  const counts = made.map((result) => (result.status === 'fulfilled' ? result.value.count : null))
  expect(counts.toSorted()).toEqual([1, 3])
  await fixture.after(0)
  await expect(all(one)).rejects.toMatchObject({
    refusal: { code: 'rate_limited', extra: { retryAfter: 600 }, message: 'An account can redeliver 20,000 deliveries an hour. Try again in 10 minutes.' },
  })
  fixture.nowMs += 10 * minuteMs
  expect((await all(one)).count).toBe(3)
})
