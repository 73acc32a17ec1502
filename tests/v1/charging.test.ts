import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { configChanged, inOneMinute, minuteUsed, setMinuteUsed } from './support/operator.ts'
import { launchedCalls } from './support/target.ts'

onEachMount((fixture) => {
  verifies('charge/live-keys-spend-credits', async () => {
    const { key, account } = await fixture.live({ credits: 30 })
    await fixture.get('/rates?limit=4', key)
    await fixture.get('/reference/providers', key)
    await fixture.get(`/rates/${await fixture.productKey()}/link`, key)
    expect(await fixture.balance(account)).toBe(24)
    expect(await fixture.ledger(account)).toEqual([
      { kind: 'adjustment', credits: 30, balanceAfter: 30 },
      { kind: 'charge', credits: -4, balanceAfter: 26 },
      { kind: 'charge', credits: -1, balanceAfter: 25 },
      { kind: 'charge', credits: -1, balanceAfter: 24 },
    ])
  })

  verifies('charge/per-row-not-per-page', async () => {
    const { key } = await fixture.live({ credits: 200 })
    const few = await fixture.get('/rates?type=lifetime-isa&limit=50', key)
    expect([few.body.data.length, few.body.meta.limit, few.body.meta.creditsCharged]).toEqual([30, 50, 30])
    const last = await fixture.get(`/rates?limit=50&type=junior-isa`, key)
    expect([last.body.data.length, last.body.meta.creditsCharged, last.body.meta.creditsBalance]).toEqual([45, 45, 125])
  })

  verifies(
    'charge/page-is-one-request',
    inOneMinute(async () => {
      const caller = await fixture.live({ credits: 200 })
      await fixture.get('/rates?limit=50', caller.key)
      const second = await fixture.get('/rates?limit=1', caller.key)
      expect(second.headers.get('x-ratelimit-remaining')).toBe('598')
      expect(await minuteUsed(fixture, caller)).toBe(2)
    }),
  )

  verifies('charge/balance-is-current', async () => {
    const { key, account } = await fixture.live({ credits: 40 })
    let balance = 40
    for (const limit of [1, 9, 3, 20, 7]) {
      const { body } = await fixture.get(`/rates?limit=${limit}`, key)
      balance -= limit
      expect(body.meta.creditsBalance).toBe(balance)
      expect(await fixture.balance(account)).toBe(balance)
      expect((await fixture.get('/me', key)).body.data.balance.credits).toBe(balance)
    }
  })

  verifies(['charge/list-cut-to-balance', 'charge/list-cut-shows-limit', 'charge/list-cut-header', 'spending/limit-reduced-is-row-count'], async () => {
    const { key, account } = await fixture.live({ credits: 13 })
    const whole = await fixture.get('/rates?limit=10', key)
    expect(whole.headers.get('x-svc-limit-reduced')).toBeNull()
    const cut = await fixture.get('/rates?limit=10', key)
    expect([cut.status, cut.body.data.length]).toEqual([200, 3])
    expect(cut.body.data).toEqual(whole.body.data.slice(0, 3))
    expect(cut.body.meta).toMatchObject({ limit: 3, creditsCharged: 3, creditsBalance: 0 })
    expect(cut.headers.get('x-svc-limit-reduced')).toBe('3')
    expect(cut.headers.get('x-svc-credits-charged')).toBe('3')
    expect(await fixture.ledger(account)).toEqual([
      { kind: 'adjustment', credits: 13, balanceAfter: 13 },
      { kind: 'charge', credits: -10, balanceAfter: 3 },
      { kind: 'charge', credits: -3, balanceAfter: 0 },
    ])
  })

  verifies('charge/list-cut-header', 'does not mark the last page of a list as cut', async () => {
    const { key } = await fixture.live({ credits: 30 })
    const exact = await fixture.get('/rates?type=lifetime-isa&limit=50', key)
    expect([exact.body.data.length, exact.body.meta.limit, exact.body.meta.nextCursor, exact.headers.get('x-svc-limit-reduced')]).toEqual([30, 50, null, null])
  })

  verifies('spending/cursor-continues-after-cut', async () => {
    const rich = await fixture.live({ credits: 500 })
    const all = (await fixture.get('/rates?type=lifetime-isa&limit=30', rich.key)).body.data.map((row: { sourceKey: string }) => row.sourceKey)
    const { key, account } = await fixture.live({ credits: 4 })
    const cut = await fixture.get('/rates?type=lifetime-isa&limit=30', key)
    expect(cut.body.data.map((row: { sourceKey: string }) => row.sourceKey)).toEqual(all.slice(0, 4))
    const { nextCursor } = cut.body.meta
    // The cursor of a truncated page is an ordinary cursor: any key of the same mode can continue from it.
    const rest = await fixture.get(`/rates?type=lifetime-isa&limit=50&cursor=${nextCursor}`, rich.key)
    expect(rest.body.data.map((row: { sourceKey: string }) => row.sourceKey)).toEqual(all.slice(4))
    expect(rest.body.meta.nextCursor).toBeNull()
    expect(await fixture.balance(account)).toBe(0)
  })

  verifies('spending/cursor-continues-after-cut', 'continues even if only the last row was cut off', async () => {
    const { key } = await fixture.live({ credits: 29 })
    const cut = await fixture.get('/rates?type=lifetime-isa&limit=30', key)
    expect([cut.body.data.length, cut.body.meta.limit, typeof cut.body.meta.nextCursor]).toEqual([29, 29, 'string'])
  })

  verifies('charge/list-402-only-below-one-row', async () => {
    const { key, account } = await fixture.live({ credits: 1 })
    const one = await fixture.get('/rates?limit=50', key)
    expect([one.status, one.body.data.length, one.body.meta.limit, one.body.meta.creditsBalance]).toEqual([200, 1, 1, 0])
    expectError(await fixture.get('/rates?limit=1', key), 402, 'insufficient_credits', { required: 1, balance: 0, topUp: expect.any(String) })
    expect(await fixture.balance(account)).toBe(0)
  })

  verifies('charge/list-402-only-below-one-row', 'rejects calls while the balance is negative', async () => {
    const { key, account } = await fixture.live({ credits: -35 })
    expectError(await fixture.get('/rates', key), 402, 'insufficient_credits', { required: 1, balance: -35, topUp: expect.any(String), reason: 'debt' })
    expect((await fixture.get('/me', key)).body.data.balance.credits).toBe(-35)
    expect(await fixture.balance(account)).toBe(-35)
  })

  verifies('spending/zero-rows-cost-zero', async () => {
    const { key } = await fixture.live({ credits: 1 })
    const [provider] = await fixture.sql<{ slug: string }>(
      `SELECT slug FROM provider v WHERE dataset = 'live' AND active AND NOT EXISTS
         (SELECT FROM product p WHERE p.dataset = 'live' AND p.provider_slug = v.slug AND p.account_type = 'lifetime-isa') LIMIT 1`,
    )
    const path = `/rates?type=lifetime-isa&provider=${provider?.slug}`
    const empty = await fixture.get(path, key)
    expect([empty.status, empty.body.data, empty.body.meta.creditsCharged, empty.body.meta.creditsBalance]).toEqual([200, [], 0, 1])
    expect(empty.body.meta).toMatchObject({ limit: 10, nextCursor: null })
    expect(empty.headers.get('x-svc-limit-reduced')).toBeNull()
    const poor = await fixture.live({ credits: 0 })
    expectError(await fixture.get(path, poor.key), 402, 'insufficient_credits', {
      required: 1,
      balance: 0,
      topUp: expect.any(String),
    })
  })

  verifies(['charge/never-for-errors', 'charge/never-for-validation-failures'], async () => {
    const { key, account } = await fixture.live()
    const narrow = await fixture.getKey(account, { scopes: ['offers:read'] })
    const paths = [
      '/none',
      '/rates/none',
      '/rates/none/link',
      '/rates?limit=0',
      '/rates?cursor=x',
      '/rates?tpye=x',
      '/rate-trends',
      '/history?type=none',
      '/rates?provider=none',
      '/rates?fields=x',
    ]
    for (const path of paths) {
      const answer = await fixture.get(path, key)
      expect([path, answer.status >= 400, answer.headers.get('x-svc-credits-charged'), answer.headers.get('x-svc-credits-balance')]).toEqual([
        path,
        true,
        '0',
        '100',
      ])
    }
    expect((await fixture.get('/rates', narrow.key)).status).toBe(403)
    expect((await fixture.send('POST', '/rates', key)).status).toBe(404)
    expect(await fixture.balance(account)).toBe(100)
    const paid = await fixture.sql('SELECT 1 FROM request_log WHERE account_id = $1 AND credits > 0', [account.id])
    expect(paid).toEqual([])
  })

  verifies('charge/never-for-test-keys', async () => {
    const account = await fixture.account({ credits: 3 })
    for (const { path } of await launchedCalls(fixture, 'sample', 50)) {
      const { key } = await fixture.getKey(account, { mode: 'test' })
      const { body, headers } = await fixture.get(path, key)
      expect([path, body.meta.creditsCharged, body.meta.creditsBalance, headers.get('x-svc-credits-charged')]).toEqual([path, 0, 3, '0'])
    }
    const poor = await fixture.test({ credits: 0 })
    const page = await fixture.get('/rates?limit=50', poor.key)
    expect([page.status, page.body.data.length, page.headers.get('x-svc-limit-reduced')]).toEqual([200, 40, null])
    expect((await fixture.get('/rates?limit=5', poor.key, { 'x-svc-max-credits': '0', 'idempotency-key': 'x' })).body.data).toHaveLength(5)
    expect(await fixture.balance(account)).toBe(3)
  })

  verifies(
    'charge/never-for-429',
    inOneMinute(async () => {
      const { key, keyId, account } = await fixture.live()
      await setMinuteUsed(fixture, keyId, 600)
      for (let i = 0; i < 3; i++) {
        const answer = await fixture.get('/rates', key)
        expect([answer.status, answer.headers.get('x-svc-credits-charged'), answer.headers.get('x-svc-credits-balance')]).toEqual([429, '0', '100'])
      }
      expect(await fixture.balance(account)).toBe(100)
    }),
  )

  verifies(
    ['spending/304-at-balance-0', 'spending/304-counts-as-request'],
    inOneMinute(async () => {
      const caller = await fixture.live({ credits: 10 })
      const first = await fixture.get('/rates', caller.key)
      expect(await fixture.balance(caller.account)).toBe(0)
      const again = await fixture.get('/rates', caller.key, { 'if-none-match': first.headers.get('etag') ?? '' })
      expect([again.status, again.headers.get('x-svc-credits-charged'), again.headers.get('x-svc-credits-balance')]).toEqual([304, '0', '0'])
      expect(again.headers.get('x-ratelimit-remaining')).toBe('598')
      expect(await minuteUsed(fixture, caller)).toBe(2)
      const [logged] = await fixture.sql('SELECT status, credits FROM request_log WHERE account_id = $1 ORDER BY id DESC LIMIT 1', [caller.account.id])
      expect(logged).toEqual({ status: 304, credits: 0 })
    }),
  )

  verifies('charge/live-keys-spend-credits', 'charges each call once when shared state changes between calls', async () => {
    const { key, account } = await fixture.live({ credits: 50 })
    for (let i = 0; i < 3; i++) {
      await fixture.get('/rates?limit=5', key)
      await configChanged(fixture)
    }
    expect(await fixture.balance(account)).toBe(35)
    expect(await fixture.sql('SELECT credits FROM request_log WHERE account_id = $1', [account.id])).toHaveLength(3)
  })
})
