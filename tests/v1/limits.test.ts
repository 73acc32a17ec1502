import { expect } from 'vitest'
import { changeLimits } from '../../server/accounts/accounts.ts'
import { newKey } from '../../server/keys/key-format.ts'
import { revokeKey } from '../../server/keys/keys.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { inOneMinute, minuteUsed, secondsLeftInDay, secondsLeftInMinute, setDayUsed, setMinuteUsed } from './support/operator.ts'
import { type ApiAnswer, onEachMount, type Stage } from './support/stage.ts'

const rateHeaders = ({ headers }: ApiAnswer) => ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))

/** Makes `limit` calls one after the other and expects exactly these to be served. */
async function spendMinute(stage: Stage, key: string, limit: number): Promise<void> {
  for (let used = 1; used <= limit; used++) {
    const answer = await stage.get('/ping', key)
    expect([used, answer.status, ...rateHeaders(answer).slice(0, 2)]).toEqual([used, 200, limit, limit - used])
  }
  expectError(await stage.get('/ping', key), 429, 'rate_limited', { retryAfter: expect.any(Number) })
}

/** Expects that with one request left in the minute one is served and the next one refused. */
async function lastOfMinute(stage: Stage, plan: 'business' | 'enterprise', limit: number): Promise<void> {
  const { key, keyId } = await stage.live({ plan })
  await setMinuteUsed(stage, keyId, limit - 1)
  const last = await stage.get('/ping', key)
  expect([last.status, ...rateHeaders(last).slice(0, 2)]).toEqual([200, limit, 0])
  expectError(await stage.get('/ping', key), 429, 'rate_limited', { retryAfter: expect.any(Number) })
}

async function lastOfDay(stage: Stage, plan: 'hobby' | 'business' | 'enterprise', limit: number): Promise<void> {
  const { key, account } = await stage.live({ plan })
  await setDayUsed(stage, account, limit - 1)
  const last = await stage.get('/ping', key)
  expect(last.status).toBe(200)
  expect(last.headers.get('ratelimit')).toMatch(/^"minute";r=\d+;t=\d+, "day";r=0;t=\d+$/)
  const over = await stage.get('/ping', key)
  expectError(over, 429, 'rate_limited', { retryAfter: expect.any(Number) })
  expect(over.body.message).toContain(`${limit} requests a day`)
}

onEachMount((stage) => {
  verifies(
    'limits/test-key-per-minute',
    inOneMinute(async () => {
      const { key } = await stage.test({ plan: 'enterprise' })
      await spendMinute(stage, key, 10)
    }),
  )

  verifies(
    'limits/hobby-per-minute',
    inOneMinute(async () => {
      const { key } = await stage.live({ plan: 'hobby' })
      await spendMinute(stage, key, 60)
    }, 8),
  )

  verifies(
    'limits/business-per-minute',
    inOneMinute(() => lastOfMinute(stage, 'business', 300)),
  )
  verifies(
    'limits/enterprise-per-minute',
    inOneMinute(() => lastOfMinute(stage, 'enterprise', 600)),
  )
  verifies(
    'limits/hobby-per-day',
    inOneMinute(() => lastOfDay(stage, 'hobby', 1_000)),
  )
  verifies(
    'limits/business-per-day',
    inOneMinute(() => lastOfDay(stage, 'business', 20_000)),
  )
  verifies(
    'limits/enterprise-per-day',
    inOneMinute(() => lastOfDay(stage, 'enterprise', 100_000)),
  )

  verifies(
    'limits/daily-cap-shared-by-account',
    inOneMinute(async () => {
      const { key, account } = await stage.live({ perDay: 5 })
      const second = await stage.keyOf(account)
      const answers = []
      for (const one of [key, second.key, key, second.key, key]) answers.push(await stage.get('/ping', one))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect(answers.map(({ headers }) => /"day";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])).toEqual(['4', '3', '2', '1', '0'])
      for (const one of [key, second.key]) expectError(await stage.get('/ping', one), 429, 'rate_limited', { retryAfter: expect.any(Number) })
      const other = await stage.live({ perDay: 5 })
      expect((await stage.get('/ping', other.key)).status).toBe(200)
    }),
  )

  verifies(
    'limits/own-limits-per-account',
    inOneMinute(async () => {
      const { key, account } = await stage.live({ plan: 'hobby', perMinute: 3, perDay: 2_500 })
      const first = await stage.get('/ping', key)
      expect(rateHeaders(first).slice(0, 2)).toEqual([3, 2])
      expect(first.headers.get('ratelimit-policy')).toBe('"minute";q=3;w=60, "day";q=2500;w=86400')
      await changeLimits(stage.pool, account.email, { perMinute: 1_000 })
      expect(rateHeaders(await stage.get('/ping', key)).slice(0, 2)).toEqual([1_000, 998])
      await changeLimits(stage.pool, account.email, { perMinute: null, perDay: null })
      const last = await stage.get('/ping', key)
      expect(rateHeaders(last).slice(0, 2)).toEqual([60, 57])
      expect(last.headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60, "day";q=1000;w=86400')
      const test = await stage.keyOf(account, { mode: 'test' })
      await changeLimits(stage.pool, account.email, { perMinute: 50 })
      expect((await stage.get('/ping', test.key)).headers.get('x-ratelimit-limit')).toBe('10')
    }),
  )

  verifies(
    'limits/headers-on-every-response',
    inOneMinute(async () => {
      const { key, keyId, account } = await stage.live()
      const blocked = await stage.live({ approved: false })
      const narrow = await stage.keyOf(account, { scopes: ['offers:read'] })
      const poor = await stage.live({ credits: 0 })
      const etag = (await stage.get('/reference/fscs', key)).headers.get('etag') ?? ''
      const answers = [
        await stage.get('/rates', key),
        await stage.get('/reference/fscs', key, { 'if-none-match': etag }),
        await stage.get('/rates?limit=0', key),
        await stage.get('/rates', null),
        await stage.get('/rates', newKey('live')),
        await stage.get('/rates', poor.key),
        await stage.get('/rates', narrow.key),
        await stage.get('/rates', blocked.key),
        await stage.get('/none', key),
        await stage.send('HEAD', '/rates', key),
        await stage.send('POST', '/rates', key),
      ]
      await setMinuteUsed(stage, keyId, 600)
      answers.push(await stage.get('/rates', key))
      expect(answers.map(({ status }) => status)).toEqual([200, 304, 400, 401, 401, 402, 403, 403, 404, 404, 404, 429])
      for (const answer of answers) {
        const [limit = 0, remaining = -1, reset = 0] = rateHeaders(answer)
        expect([answer.status, limit >= 600, remaining >= 0 && remaining <= limit, reset >= 1 && reset <= 60]).toEqual([answer.status, true, true, true])
        expect(answer.headers.get('ratelimit'), String(answer.status)).toMatch(/^"\w+";r=\d+;t=\d+/)
        expect(answer.headers.get('ratelimit-policy'), String(answer.status)).toMatch(/^"\w+";q=\d+;w=60/)
      }
    }),
  )

  verifies('limits/headers-on-every-response', 'a request that is no HTTP included', async () => {
    const { key } = await stage.live()
    const answer = await stage.raw('GET', `/v1/rates?cursor=${'x'.repeat(20_000)}`, { authorization: `Bearer ${key}` })
    expect([answer.status, answer.body.error, answer.body.requestId]).toEqual([400, 'invalid_request', expect.stringMatching(/^req_[0-9a-f]{32}$/)])
    expect(answer.body.docs).toBe('https://api.example.test/docs/errors/invalid_request')
    expect(answer.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/)
  })

  verifies(
    'decision/minute-limit-per-key',
    inOneMinute(async () => {
      const { key, account } = await stage.live({ perMinute: 2 })
      const second = await stage.keyOf(account)
      const statuses = []
      for (const one of [key, key, key, second.key, second.key, second.key]) statuses.push((await stage.get('/ping', one)).status)
      expect(statuses).toEqual([200, 200, 429, 200, 200, 429])
    }),
  )

  verifies(
    'decision/test-keys-outside-daily-cap',
    inOneMinute(async () => {
      const { key, account } = await stage.live({ perDay: 3 })
      const test = await stage.keyOf(account, { mode: 'test' })
      for (let i = 0; i < 5; i++) expect((await stage.get('/ping', test.key)).status).toBe(200)
      expect((await stage.get('/ping', key)).headers.get('ratelimit')).toContain('"day";r=2;')
      for (let i = 0; i < 3; i++) await stage.get('/ping', key)
      expect((await stage.get('/ping', key)).status).toBe(429)
      const answer = await stage.get('/ping', test.key)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('ratelimit')).toMatch(/^"minute";r=4;t=\d+$/)
      expect(answer.headers.get('ratelimit-policy')).toBe('"minute";q=10;w=60')
    }),
  )

  verifies(
    ['decision/minute-is-utc', 'decision/reset-in-seconds', 'decision/reset-equals-retry-after', 'decision/rate-headers-describe-minute'],
    inOneMinute(async () => {
      const { key, keyId } = await stage.live()
      await setMinuteUsed(stage, keyId, 599)
      const before = secondsLeftInMinute()
      const last = await stage.get('/ping', key)
      const over = await stage.get('/ping', key)
      const after = secondsLeftInMinute()
      const [limit, remaining, reset = 0] = rateHeaders(over)
      expect([last.status, over.status, limit, remaining]).toEqual([200, 429, 600, 0])
      expect(reset).toBeGreaterThanOrEqual(after)
      expect(reset).toBeLessThanOrEqual(before)
      expect(over.headers.get('retry-after')).toBe(String(reset))
      expect(over.body.retryAfter).toBe(reset)
      await stage.sql('UPDATE key_meter m SET minute = minute - 1 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [keyId])
      expect(rateHeaders(await stage.get('/ping', key)).slice(0, 2)).toEqual([600, 599])
    }),
  )

  verifies(
    ['decision/day-is-utc', 'decision/rate-headers-describe-day-on-daily-429'],
    inOneMinute(async () => {
      const { key, account } = await stage.live({ perDay: 40 })
      await setDayUsed(stage, account, 40)
      const before = secondsLeftInDay()
      const over = await stage.get('/rates', key)
      const after = secondsLeftInDay()
      const [limit, remaining, reset = 0] = rateHeaders(over)
      expect([over.status, limit, remaining]).toEqual([429, 40, 0])
      expect(reset).toBeGreaterThanOrEqual(after)
      expect(reset).toBeLessThanOrEqual(before)
      expect([over.headers.get('retry-after'), over.body.retryAfter]).toEqual([String(reset), reset])
      await setDayUsed(stage, account, 40, 1)
      const next = await stage.get('/ping', key)
      expect([next.status, next.headers.get('x-ratelimit-limit')]).toEqual([200, '600'])
      expect(next.headers.get('ratelimit')).toContain('"day";r=39;')
    }),
  )

  verifies(
    'decision/429-never-extends-wait',
    inOneMinute(async () => {
      const caller = await stage.live({ perMinute: 3, perDay: 50 })
      for (let i = 0; i < 3; i++) await stage.get('/ping', caller.key)
      for (let i = 0; i < 6; i++) expect((await stage.get('/ping', caller.key)).status).toBe(429)
      expect(await minuteUsed(stage, caller)).toBe(3)
      const [wallet] = await stage.sql<{ day_used: number }>('SELECT day_used FROM wallet WHERE account_id = $1', [caller.account.id])
      expect(wallet?.day_used).toBe(3)
      const logged = await stage.sql('SELECT status FROM request_log WHERE account_id = $1 AND status = 429', [caller.account.id])
      expect(logged).toHaveLength(6)
    }),
  )

  verifies(
    'decision/ratelimit-draft-headers',
    inOneMinute(async () => {
      const { key } = await stage.live({ plan: 'business' })
      const before = [secondsLeftInMinute(), secondsLeftInDay()]
      const { headers } = await stage.get('/ping', key)
      const told = /^"minute";r=299;t=(\d+), "day";r=19999;t=(\d+)$/.exec(headers.get('ratelimit') ?? '')
      expect(told, headers.get('ratelimit') ?? '').not.toBeNull()
      for (const [index, seconds] of before.entries()) {
        expect(seconds - Number(told?.[index + 1])).toBeGreaterThanOrEqual(0)
        expect(seconds - Number(told?.[index + 1])).toBeLessThanOrEqual(2)
      }
      expect(headers.get('ratelimit-policy')).toBe('"minute";q=300;w=60, "day";q=20000;w=86400')
    }),
  )

  verifies(
    'sharing/each-request-counted',
    'exactly as many calls at once are served as the limit allows',
    inOneMinute(async () => {
      const { key } = await stage.live({ perMinute: 25 })
      const answers = await Promise.all(Array.from({ length: 40 }, () => stage.get('/ping', key)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(25)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
      const left = answers.filter(({ status }) => status === 200).map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
      expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, at) => at))
    }),
  )

  verifies(
    'limits/daily-cap-shared-by-account',
    'calls of a leaked key, revoked or from an unlisted address, do not use up what the owner has',
    inOneMinute(async () => {
      const { key, account } = await stage.live({ perDay: 5 })
      const leaked = await stage.keyOf(account)
      const listed = await stage.keyOf(account, { addresses: ['203.0.113.7'] })
      await revokeKey(stage.pool, leaked.keyId)
      for (let i = 0; i < 8; i++) {
        expect((await stage.get('/ping', leaked.key)).status).toBe(403)
        expect((await stage.get('/ping', listed.key)).status).toBe(403)
      }
      expect((await stage.get('/ping', key)).status).toBe(200)
    }),
  )
})
