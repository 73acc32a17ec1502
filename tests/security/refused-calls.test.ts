import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { blockAccount, changeLimits, unblockAccount } from '#server/accounts/accounts.ts'
import { revokeKey } from '#server/keys/keys.ts'
import { unlistedCalls } from '#server/metering/refused-calls.ts'
import { addUpUsage } from '#server/metering/usage.ts'
import { verifies } from '../requirements/verifies.ts'
import { type Caller, Fixture } from '../v1/support/fixture.ts'

const fixture = new Fixture('lean')

beforeAll(() => fixture.open())
afterAll(() => fixture.close())

/** Waits for the next minute if this one is nearly over, so that the test does not span two minutes. */
async function withinOneMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 15_000) await new Promise((resolve) => setTimeout(resolve, left + 50))
}

/** Makes `count` calls on eight connections. Returns the number of responses by status. */
async function flood({ key }: Caller, count: number, path = '/ping'): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  let left = count
  const connection = async () => {
    while (left-- > 0) {
      const { status } = await fixture.get(path, key)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 8 }, connection))
  return statuses
}

const rows = async ({ account }: Caller) =>
  Number((await fixture.sql<{ n: string }>('SELECT count(*) AS n FROM request_log WHERE account_id = $1', [account.id]))[0]?.n)

/** Returns an account's calls by status, as the usage page shows them. */
async function usage({ account }: Caller): Promise<Record<number, number>> {
  await addUpUsage(fixture.pool)
  const sums = await fixture.sql<{ status: number; n: string }>(
    'SELECT status, sum(requests) AS n FROM usage_day WHERE account_id = $1 GROUP BY status ORDER BY status',
    [account.id],
  )
  return Object.fromEntries(sums.map(({ status, n }) => [status, Number(n)]))
}

const settled = { timeout: 10_000, interval: 200 }

test('logs about 20 rejected calls per key and minute, but counts all of them', { timeout: 90_000 }, async () => {
  await withinOneMinute()
  const caller = await fixture.test()
  const statuses = await flood(caller, 300)
  expect(statuses).toEqual({ 200: 10, 429: 290 })
  // Up to eight calls may be in flight when the 20th rejection is logged, and these are logged too.
  expect(await rows(caller)).toBeLessThan(10 + 20 + 8 + 1)
  await vi.waitFor(async () => expect(await usage(caller)).toEqual(statuses), settled)
  const listed = (await rows(caller)) - 10
  expect(await unlistedCalls(fixture.pool, Number(caller.account.id))).toEqual([{ status: 429, calls: 290 - listed }])
})

test('limits the number of calls per minute with a revoked key', { timeout: 90_000 }, async () => {
  await withinOneMinute()
  const caller = await fixture.test()
  await revokeKey(fixture.pool, caller.keyId)
  const statuses = await flood(caller, 100)
  expect(statuses[403]).toBeGreaterThanOrEqual(10)
  expect(statuses[403]).toBeLessThan(10 + 8 + 1)
  expect(statuses[429]).toBe(100 - (statuses[403] ?? 0))
  expect(await rows(caller)).toBeLessThan(10 + 8 + 1)
  await vi.waitFor(async () => expect(await usage(caller)).toEqual(statuses), settled)
})

test('returns 404 for unknown paths even after the per-minute limit is reached, and logs only some of them', { timeout: 90_000 }, async () => {
  await withinOneMinute()
  const caller = await fixture.live({ perMinute: 10 })
  expect(await flood(caller, 100, '/none')).toEqual({ 404: 100 })
  expect(await rows(caller)).toBeLessThan(20 + 8 + 1)
  await vi.waitFor(async () => expect(await usage(caller)).toEqual({ 404: 100 }), settled)
})

test('serves the next call as soon as the limit is raised or the account is unblocked', { timeout: 90_000 }, async () => {
  await withinOneMinute()
  const caller = await fixture.live({ perMinute: 10 })
  await flood(caller, 60)
  expect((await fixture.get('/ping', caller.key)).status).toBe(429)
  await changeLimits(fixture.pool, caller.account.email, { perMinute: 1_000 })
  expect((await fixture.get('/ping', caller.key)).status).toBe(200)

  const other = await fixture.live()
  await blockAccount(fixture.pool, other.account.email, 'For a test.')
  expect((await flood(other, 60))[403]).toBe(60)
  await unblockAccount(fixture.pool, other.account.email)
  expect((await fixture.get('/ping', other.key)).status).toBe(200)
})

verifies(
  'limits/refused-calls-bounded',
  async () => {
    await withinOneMinute()
    const caller = await fixture.live({ perMinute: 5, credits: 10 })
    await flood(caller, 200, '/rates?limit=1')
    expect(await rows(caller)).toBeLessThan(5 + 20 + 8 + 1)
    expect(await fixture.balance(caller.account)).toBe(5)
  },
  90_000,
)
