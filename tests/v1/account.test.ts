import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { changeLimits, changePlan } from '#server/accounts/accounts.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { configChanged, inOneMinute, withNewLicence } from './support/operator.ts'

/** Usage figures lag by a second or two. */
const lag = { timeout: 6_000, interval: 100 }

onEachMount((fixture) => {
  verifies(['account/ping-ok', 'account/ping-mode', 'account/ping-request-id'], async () => {
    const { key, account } = await fixture.live({ credits: 0 })
    const test = await fixture.getKey(account, { mode: 'test' })
    for (const [one, mode] of [
      [key, 'live'],
      [test.key, 'test'],
    ] as const) {
      const { status, body } = await fixture.get('/ping', one)
      expect(status).toBe(200)
      expect(body.data).toEqual({ ok: true, mode, requestId: body.meta.requestId })
    }
  })

  verifies(['account/me-plan', 'account/me-balance'], async () => {
    for (const plan of ['hobby', 'business', 'enterprise'] as const) {
      const { key, account, keyId } = await fixture.live({ plan, credits: 41 })
      const { body } = await fixture.get('/me', key)
      expect(body.data.account).toEqual({ id: account.publicId, name: '', status: 'open', plan })
      expect(body.data.balance).toEqual({ credits: 41 })
      expect(body.data.key).toMatchObject({ id: keyId, mode: 'live', prefix: `svc_live_…${key.slice(-4)}`, ipAllowList: [], expiresAt: null })
      await fixture.get('/rates?limit=5', key)
      expect((await fixture.get('/me', key)).body.data.balance).toEqual({ credits: 36 })
    }
  })

  verifies('account/me-plan', 'shows a plan change immediately', async () => {
    const { key, account } = await fixture.live({ plan: 'hobby' })
    expect((await fixture.get('/me', key)).body.data.account.plan).toBe('hobby')
    await changePlan(fixture.pool, account.email, 'business')
    expect((await fixture.get('/me', key)).body.data).toMatchObject({ account: { plan: 'business' }, rateLimits: { perMinute: 300, perDay: 20_000 } })
  })

  verifies('account/me-rate-limits', async () => {
    const plans = [
      ['hobby', 60, 1_000],
      ['business', 300, 20_000],
      ['enterprise', 600, 100_000],
    ] as const
    for (const [plan, perMinute, perDay] of plans) {
      const { key, account } = await fixture.live({ plan })
      const test = await fixture.getKey(account, { mode: 'test' })
      expect((await fixture.get('/me', key)).body.data.rateLimits).toEqual({ perMinute, perDay })
      expect((await fixture.get('/me', test.key)).body.data.rateLimits).toEqual({ perMinute: 10, perDay: null })
    }
    const { key, account } = await fixture.live({ plan: 'hobby' })
    await changeLimits(fixture.pool, account.email, { perMinute: 7, perDay: 70 })
    expect((await fixture.get('/me', key)).body.data.rateLimits).toEqual({ perMinute: 7, perDay: 70 })
  })

  verifies(['account/me-usage-today', 'account/me-usage-as-of', 'account/me-usage-within-seconds'], async () => {
    const { key, account } = await fixture.live({ credits: 50 })
    const second = await fixture.getKey(account)
    await fixture.get('/rates?limit=4', key)
    await fixture.get('/reference/fscs', second.key)
    await fixture.get('/none', key)
    const served = Date.now()
    await vi.waitFor(async () => {
      const { usage } = (await fixture.get('/me', key)).body.data
      expect(usage.creditsToday).toBe(5)
      expect(usage.requestsToday).toBeGreaterThanOrEqual(3)
      expect(Date.parse(usage.asOf)).toBeGreaterThanOrEqual(served - 5)
      expect(Date.parse(usage.asOf)).toBeLessThanOrEqual(Date.now())
    }, lag)
    expect(Date.now() - served).toBeLessThan(6_000)
  })

  verifies(
    'account/me-usage-today',
    'returns the exact remaining daily quota',
    inOneMinute(async () => {
      const { key, account } = await fixture.live({ perDay: 30 })
      const test = await fixture.getKey(account, { mode: 'test' })
      await fixture.get('/ping', key)
      const answer = await fixture.get('/me', key)
      expect(answer.headers.get('ratelimit')).toContain('"day";r=28;')
      expect(answer.body.data.usage.remainingToday).toBe(28)
      expect((await fixture.get('/me', test.key)).body.data.usage.remainingToday).toBeNull()
    }),
  )

  verifies('account/me-usage-as-of', 'returns figures that are complete up to usage.asOf', async () => {
    const { key } = await fixture.live({ credits: 50 })
    for (let sent = 1; sent <= 3; sent++) {
      await fixture.get('/rates?limit=2', key)
      const done = Date.now()
      await vi.waitFor(async () => expect(Date.parse((await fixture.get('/me', key)).body.data.usage.asOf)).toBeGreaterThan(done), lag)
      expect((await fixture.get('/me', key)).body.data.usage.creditsToday).toBe(2 * sent)
    }
  })

  verifies('account/licence-change-within-grace-works', async () => {
    const { key } = await fixture.live()
    const test = await fixture.test()
    await withNewLicence(fixture, 3_600, async () => {
      expect((await fixture.get('/rates?limit=2', key)).body.meta.creditsBalance).toBe(98)
      expect((await fixture.get('/rates?limit=2', test.key)).status).toBe(200)
    })
  })

  verifies('errors/licence-reacceptance-required', 'enforces a pre-announced licence on time, even for cached keys', async () => {
    const { key } = await fixture.live()
    await fixture.sql(`INSERT INTO licence_version VALUES ('v2099-02', now() + interval '1500 milliseconds', now() + interval '1500 milliseconds')`)
    await configChanged(fixture)
    try {
      expect((await fixture.get('/ping', key)).status).toBe(200)
      await sleep(1_600)
      expectError(await fixture.get('/ping', key), 403, 'licence_reacceptance_required')
    } finally {
      await fixture.sql(`DELETE FROM licence_version WHERE label = 'v2099-02'`)
      await configChanged(fixture)
    }
  })
})
