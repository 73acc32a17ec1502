import { expect } from 'vitest'
import { changeLimits } from '#server/accounts/accounts.ts'
import { revokeKey } from '#server/keys/keys.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { type ApiAnswer, type Fixture, onEachMount } from './support/fixture.ts'
import { inOneMinute, setDayUsed, setMinuteUsed } from './support/operator.ts'

const rateHeaders = ({ headers }: ApiAnswer) => ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))

/** Makes sequential calls and asserts that exactly the first `limit` succeed. */
async function spendMinute(fixture: Fixture, key: string, limit: number): Promise<void> {
  for (let used = 1; used <= limit; used++) {
    const answer = await fixture.get('/ping', key)
    expect([used, answer.status, ...rateHeaders(answer).slice(0, 2)]).toEqual([used, 200, limit, limit - used])
  }
  expectError(await fixture.get('/ping', key), 429, 'rate_limited', { retryAfter: expect.any(Number) })
}

/** With one request left in the minute, asserts that one call succeeds and the next is rejected. */
async function lastOfMinute(fixture: Fixture, plan: 'business' | 'enterprise', limit: number): Promise<void> {
  const { key, keyId } = await fixture.live({ plan })
  await setMinuteUsed(fixture, keyId, limit - 1)
  const last = await fixture.get('/ping', key)
  expect([last.status, ...rateHeaders(last).slice(0, 2)]).toEqual([200, limit, 0])
  expectError(await fixture.get('/ping', key), 429, 'rate_limited', { retryAfter: expect.any(Number) })
}

async function lastOfDay(fixture: Fixture, plan: 'hobby' | 'business' | 'enterprise', limit: number): Promise<void> {
  const { key, account } = await fixture.live({ plan })
  await setDayUsed(fixture, account, limit - 1)
  const last = await fixture.get('/ping', key)
  expect(last.status).toBe(200)
  expect(last.headers.get('ratelimit')).toMatch(/^"minute";r=\d+;t=\d+, "day";r=0;t=\d+$/)
  const over = await fixture.get('/ping', key)
  expectError(over, 429, 'rate_limited', { retryAfter: expect.any(Number) })
  expect(over.body.message).toContain(`${limit} requests per day`)
}

onEachMount((fixture) => {
  verifies(
    'limits/test-key-per-minute',
    inOneMinute(async () => {
      const { key } = await fixture.test({ plan: 'enterprise' })
      await spendMinute(fixture, key, 10)
    }),
  )

  verifies(
    'limits/hobby-per-minute',
    inOneMinute(async () => {
      const { key } = await fixture.live({ plan: 'hobby' })
      await spendMinute(fixture, key, 60)
    }, 8),
  )

  verifies(
    'limits/business-per-minute',
    inOneMinute(() => lastOfMinute(fixture, 'business', 300)),
  )

  verifies(
    'limits/enterprise-per-minute',
    inOneMinute(() => lastOfMinute(fixture, 'enterprise', 600)),
  )

  verifies(
    'limits/hobby-per-day',
    inOneMinute(() => lastOfDay(fixture, 'hobby', 1_000)),
  )

  verifies(
    'limits/business-per-day',
    inOneMinute(() => lastOfDay(fixture, 'business', 20_000)),
  )

  verifies(
    'limits/enterprise-per-day',
    inOneMinute(() => lastOfDay(fixture, 'enterprise', 100_000)),
  )

  verifies(
    'limits/daily-cap-shared-by-account',
    inOneMinute(async () => {
      const { key, account } = await fixture.live({ perDay: 5 })
      const second = await fixture.getKey(account)
      const answers = []
      for (const one of [key, second.key, key, second.key, key]) answers.push(await fixture.get('/ping', one))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect(answers.map(({ headers }) => /"day";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])).toEqual(['4', '3', '2', '1', '0'])
      for (const one of [key, second.key]) expectError(await fixture.get('/ping', one), 429, 'rate_limited', { retryAfter: expect.any(Number) })
      const other = await fixture.live({ perDay: 5 })
      expect((await fixture.get('/ping', other.key)).status).toBe(200)
    }),
  )

  verifies(
    'limits/own-limits-per-account',
    inOneMinute(async () => {
      const { key, account } = await fixture.live({ plan: 'hobby', perMinute: 3, perDay: 2_500 })
      const first = await fixture.get('/ping', key)
      expect(rateHeaders(first).slice(0, 2)).toEqual([3, 2])
      expect(first.headers.get('ratelimit-policy')).toBe('"minute";q=3;w=60, "day";q=2500;w=86400')
      await changeLimits(fixture.pool, account.email, { perMinute: 1_000 })
      expect(rateHeaders(await fixture.get('/ping', key)).slice(0, 2)).toEqual([1_000, 998])
      await changeLimits(fixture.pool, account.email, { perMinute: null, perDay: null })
      const last = await fixture.get('/ping', key)
      expect(rateHeaders(last).slice(0, 2)).toEqual([60, 57])
      expect(last.headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60, "day";q=1000;w=86400')
      const test = await fixture.getKey(account, { mode: 'test' })
      await changeLimits(fixture.pool, account.email, { perMinute: 50 })
      expect((await fixture.get('/ping', test.key)).headers.get('x-ratelimit-limit')).toBe('10')
    }),
  )

  verifies(
    'decision/minute-limit-per-key',
    inOneMinute(async () => {
      const { key, account } = await fixture.live({ perMinute: 2 })
      const second = await fixture.getKey(account)
      const statuses = []
      for (const one of [key, key, key, second.key, second.key, second.key]) statuses.push((await fixture.get('/ping', one)).status)
      expect(statuses).toEqual([200, 200, 429, 200, 200, 429])
    }),
  )

  verifies(
    'decision/test-keys-outside-daily-cap',
    inOneMinute(async () => {
      const { key, account } = await fixture.live({ perDay: 3 })
      const test = await fixture.getKey(account, { mode: 'test' })
      for (let i = 0; i < 5; i++) expect((await fixture.get('/ping', test.key)).status).toBe(200)
      expect((await fixture.get('/ping', key)).headers.get('ratelimit')).toContain('"day";r=2;')
      for (let i = 0; i < 3; i++) await fixture.get('/ping', key)
      expect((await fixture.get('/ping', key)).status).toBe(429)
      const answer = await fixture.get('/ping', test.key)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('ratelimit')).toMatch(/^"minute";r=4;t=\d+$/)
      expect(answer.headers.get('ratelimit-policy')).toBe('"minute";q=10;w=60')
    }),
  )

  verifies(
    'sharing/each-request-counted',
    'serves exactly as many concurrent calls as the limit allows',
    inOneMinute(async () => {
      const { key } = await fixture.live({ perMinute: 25 })
      const answers = await Promise.all(Array.from({ length: 40 }, () => fixture.get('/ping', key)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(25)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
      const left = answers.filter(({ status }) => status === 200).map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
      expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, at) => at))
    }),
  )

  verifies(
    'limits/daily-cap-shared-by-account',
    "does not count calls with a revoked key or from an unlisted address towards the owner's limit",
    inOneMinute(async () => {
      const { key, account } = await fixture.live({ perDay: 5 })
      const leaked = await fixture.getKey(account)
      const listed = await fixture.getKey(account, { addresses: ['203.0.113.7'] })
      await revokeKey(fixture.pool, leaked.keyId)
      for (let i = 0; i < 8; i++) {
        expect((await fixture.get('/ping', leaked.key)).status).toBe(403)
        expect((await fixture.get('/ping', listed.key)).status).toBe(403)
      }
      expect((await fixture.get('/ping', key)).status).toBe(200)
    }),
  )
})
