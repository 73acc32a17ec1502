import { expect } from 'vitest'
import { newKey } from '#server/keys/key-secret.ts'
import { verifies } from '../requirements/verifies.ts'
import { type ApiAnswer, onEachMount } from './support/fixture.ts'
import { inOneMinute, minuteUsed, secondsLeftInDay, secondsLeftInMinute, setDayUsed, setMinuteUsed } from './support/operator.ts'

const rateHeaders = ({ headers }: ApiAnswer) => ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))

onEachMount((fixture) => {
  verifies(
    'limits/headers-on-every-response',
    inOneMinute(async () => {
      const { key, keyId, account } = await fixture.live()
      const blocked = await fixture.live({ approved: false })
      const narrow = await fixture.getKey(account, { scopes: ['offers:read'] })
      const poor = await fixture.live({ credits: 0 })
      const etag = (await fixture.get('/reference/fscs', key)).headers.get('etag') ?? ''
      const answers = [
        await fixture.get('/rates', key),
        await fixture.get('/reference/fscs', key, { 'if-none-match': etag }),
        await fixture.get('/rates?limit=0', key),
        await fixture.get('/rates', null),
        await fixture.get('/rates', newKey('live')),
        await fixture.get('/rates', poor.key),
        await fixture.get('/rates', narrow.key),
        await fixture.get('/rates', blocked.key),
        await fixture.get('/none', key),
        await fixture.send('HEAD', '/rates', key),
        await fixture.send('POST', '/rates', key),
      ]
      await setMinuteUsed(fixture, keyId, 600)
      answers.push(await fixture.get('/rates', key))
      expect(answers.map(({ status }) => status)).toEqual([200, 304, 400, 401, 401, 402, 403, 403, 404, 200, 404, 429])
      for (const answer of answers) {
        const [limit = 0, remaining = -1, reset = 0] = rateHeaders(answer)
        expect([answer.status, limit >= 600, remaining >= 0 && remaining <= limit, reset >= 1 && reset <= 60]).toEqual([answer.status, true, true, true])
        expect(answer.headers.get('ratelimit'), String(answer.status)).toMatch(/^"\w+";r=\d+;t=\d+/)
        expect(answer.headers.get('ratelimit-policy'), String(answer.status)).toMatch(/^"\w+";q=\d+;w=60/)
      }
    }),
  )

  verifies('limits/headers-on-every-response', 'sends the limit headers even for a request that is not valid HTTP', async () => {
    const { key } = await fixture.live()
    const answer = await fixture.raw('GET', `/v1/rates?cursor=${'x'.repeat(20_000)}`, { authorization: `Bearer ${key}` })
    expect([answer.status, answer.body.error, answer.body.requestId]).toEqual([400, 'invalid_request', expect.stringMatching(/^req_[0-9a-f]{32}$/)])
    expect(answer.body.docs).toBe('https://api.example.test/docs/errors/invalid_request')
    expect(answer.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/)
  })

  verifies(
    ['decision/minute-is-utc', 'decision/reset-in-seconds', 'decision/reset-equals-retry-after', 'decision/rate-headers-describe-minute'],
    inOneMinute(async () => {
      const { key, keyId } = await fixture.live()
      await setMinuteUsed(fixture, keyId, 599)
      const before = secondsLeftInMinute()
      const last = await fixture.get('/ping', key)
      const over = await fixture.get('/ping', key)
      const after = secondsLeftInMinute()
      const [limit, remaining, reset = 0] = rateHeaders(over)
      expect([last.status, over.status, limit, remaining]).toEqual([200, 429, 600, 0])
      expect(reset).toBeGreaterThanOrEqual(after)
      expect(reset).toBeLessThanOrEqual(before)
      expect(over.headers.get('retry-after')).toBe(String(reset))
      expect(over.body.retryAfter).toBe(reset)
      await fixture.sql('UPDATE key_meter m SET minute = minute - 1, minute_seen = minute_seen - 1 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [
        keyId,
      ])
      expect(rateHeaders(await fixture.get('/ping', key)).slice(0, 2)).toEqual([600, 599])
    }),
  )

  verifies(
    ['decision/day-is-utc', 'decision/rate-headers-describe-day-on-daily-429'],
    inOneMinute(async () => {
      const { key, account } = await fixture.live({ perDay: 40 })
      await setDayUsed(fixture, account, 40)
      const before = secondsLeftInDay()
      const over = await fixture.get('/rates', key)
      const after = secondsLeftInDay()
      const [limit, remaining, reset = 0] = rateHeaders(over)
      expect([over.status, limit, remaining]).toEqual([429, 40, 0])
      expect(reset).toBeGreaterThanOrEqual(after)
      expect(reset).toBeLessThanOrEqual(before)
      expect([over.headers.get('retry-after'), over.body.retryAfter]).toEqual([String(reset), reset])
      await setDayUsed(fixture, account, 40, 1)
      const next = await fixture.get('/ping', key)
      expect([next.status, next.headers.get('x-ratelimit-limit')]).toEqual([200, '600'])
      expect(next.headers.get('ratelimit')).toContain('"day";r=39;')
    }),
  )

  verifies(
    'decision/429-never-extends-wait',
    inOneMinute(async () => {
      const caller = await fixture.live({ perMinute: 3, perDay: 50 })
      for (let i = 0; i < 3; i++) await fixture.get('/ping', caller.key)
      for (let i = 0; i < 6; i++) expect((await fixture.get('/ping', caller.key)).status).toBe(429)
      expect(await minuteUsed(fixture, caller)).toBe(3)
      const [wallet] = await fixture.sql<{ day_used: number }>('SELECT day_used FROM wallet WHERE account_id = $1', [caller.account.id])
      expect(wallet?.day_used).toBe(3)
      const logged = await fixture.sql('SELECT status FROM request_log WHERE account_id = $1 AND status = 429', [caller.account.id])
      expect(logged).toHaveLength(6)
    }),
  )

  verifies(
    'decision/ratelimit-draft-headers',
    inOneMinute(async () => {
      const { key } = await fixture.live({ plan: 'business' })
      const before = [secondsLeftInMinute(), secondsLeftInDay()]
      const { headers } = await fixture.get('/ping', key)
      const sent = /^"minute";r=299;t=(\d+), "day";r=19999;t=(\d+)$/.exec(headers.get('ratelimit') ?? '')
      expect(sent, headers.get('ratelimit') ?? '').not.toBeNull()
      for (const [index, seconds] of before.entries()) {
        expect(seconds - Number(sent?.[index + 1])).toBeGreaterThanOrEqual(0)
        expect(seconds - Number(sent?.[index + 1])).toBeLessThanOrEqual(2)
      }
      expect(headers.get('ratelimit-policy')).toBe('"minute";q=300;w=60, "day";q=20000;w=86400')
    }),
  )
})
