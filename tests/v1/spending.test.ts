import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { changePlan } from '#server/accounts/accounts.ts'
import { setCap } from '#server/billing/billing-overview.ts'
import { adjustCredits } from '#server/billing/ledger.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { inOneMinute } from './support/operator.ts'

const topUp: unknown = expect.stringMatching(/^https:\/\//)
const max = (credits: number | string) => ({ 'x-svc-max-credits': String(credits) })
const once = (key: string) => ({ 'idempotency-key': key })

onEachMount((fixture) => {
  verifies(['spending/idempotent-replay-free', 'spending/idempotent-replay-header'], async () => {
    const { key, account } = await fixture.live({ credits: 30 })
    const first = await fixture.get('/rates?limit=6', key, once('order 66'))
    expect([first.headers.get('x-svc-idempotent-replay'), first.body.meta.creditsCharged]).toEqual([null, 6])
    for (let i = 0; i < 2; i++) {
      const again = await fixture.get('/rates?limit=6', key, once('order 66'))
      expect([again.status, again.headers.get('x-svc-idempotent-replay')]).toEqual([200, 'true'])
      expect(again.body.meta).toMatchObject({ creditsCharged: 0, creditsBalance: 24, limit: 6 })
      expect(again.headers.get('x-svc-credits-charged')).toBe('0')
      expect(again.body.data).toEqual(first.body.data)
      expect(again.body.meta.requestId).not.toBe(first.body.meta.requestId)
    }
    expect(await fixture.balance(account)).toBe(24)
  })

  verifies('spending/idempotent-replay-free', 'replays cut pages and single items at balance 0, with any key of the account', async () => {
    const { key, account } = await fixture.live({ credits: 3 })
    const cut = await fixture.get('/rates', key, once('a'))
    expect(cut.body.data).toHaveLength(3)
    const again = await fixture.get('/rates', key, once('a'))
    expect([again.status, again.body.data.length, again.headers.get('x-svc-limit-reduced'), again.body.meta.creditsCharged]).toEqual([200, 3, '3', 0])
    const second = await fixture.getKey(account)
    expect((await fixture.get('/rates', second.key, once('a'))).headers.get('x-svc-idempotent-replay')).toBe('true')
    await adjustCredits(fixture.pool, account.id, 1, 'For one item.')
    const path = `/rates/${await fixture.productKey()}`
    expect((await fixture.get(path, key, once('b'))).body.meta.creditsCharged).toBe(1)
    expect((await fixture.get(path, key, once('b'))).body.meta.creditsCharged).toBe(0)
    expect(await fixture.balance(account)).toBe(0)
  })

  verifies('spending/idempotent-replay-free', 'replays only charged calls, and only to the same account', async () => {
    const one = await fixture.live({ credits: 20 })
    const other = await fixture.live({ credits: 20 })
    await fixture.get('/rates', one.key, once('shared name'))
    expect((await fixture.get('/rates', other.key, once('shared name'))).body.meta.creditsCharged).toBe(10)
    const poor = await fixture.live({ credits: 0 })
    expect((await fixture.get('/rates', poor.key, once('later'))).status).toBe(402)
    await adjustCredits(fixture.pool, poor.account.id, 10, 'Topped up.')
    expect((await fixture.get('/rates', poor.key, once('later'))).body.meta.creditsCharged).toBe(10)
  })

  verifies('spending/idempotent-replay-free', 'charges concurrent calls with the same Idempotency-Key once', async () => {
    const { key, account } = await fixture.live({ credits: 100 })
    const answers = await Promise.all(Array.from({ length: 12 }, () => fixture.get('/rates?limit=5', key, once('at once'))))
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 12 }, () => 200))
    expect(answers.reduce((sum, answer) => sum + answer.body.meta.creditsCharged, 0)).toBe(5)
    expect(await fixture.balance(account)).toBe(95)
  })

  verifies('spending/idempotent-replay-ends', async () => {
    const { key, account } = await fixture.live({ credits: 30 })
    const back = (seconds: number) => fixture.sql('UPDATE idempotency SET at = now() - make_interval(secs => $2) WHERE account_id = $1', [account.id, seconds])
    await fixture.get('/rates?limit=5', key, once('x'))
    await back(590)
    expect((await fixture.get('/rates?limit=5', key, once('x'))).body.meta.creditsCharged).toBe(0)
    await back(601)
    const late = await fixture.get('/rates?limit=5', key, once('x'))
    expect([late.body.meta.creditsCharged, late.headers.get('x-svc-idempotent-replay')]).toEqual([5, null])
    expect((await fixture.get('/rates?limit=5', key, once('x'))).body.meta.creditsCharged).toBe(0)
    await back(601)
    // Once the Idempotency-Key has expired, it can be used for any request.
    expect((await fixture.get('/rates?limit=2', key, once('x'))).body.meta.creditsCharged).toBe(2)
  })

  verifies('spending/idempotent-conflict-400', async () => {
    const { key, account } = await fixture.live({ credits: 30 })
    await fixture.get('/rates?limit=5', key, once('one'))
    const product = await fixture.productKey()
    for (const path of ['/rates?limit=6', '/rates', '/rates?limit=5&type=notice', '/rates?limit=5&fields=rate', `/rates/${product}`, '/reference/fscs']) {
      const answer = await fixture.get(path, key, once('one'))
      expectError(answer, 400, 'invalid_request')
      expect(answer.body.message).toContain('Idempotency-Key')
    }
    expect((await fixture.get('/rates?limit=5', key, once('one'))).status).toBe(200)
    expect(await fixture.balance(account)).toBe(25)
  })

  verifies('spending/idempotent-conflict-400', 'rejects an invalid Idempotency-Key', async () => {
    const { key, account } = await fixture.live()
    for (const bad of ['', ' ', 'a'.repeat(256), 'ä']) {
      const answer = await fixture.raw('GET', '/v1/rates', { authorization: `Bearer ${key}`, 'idempotency-key': bad })
      expectError(answer, 400, 'invalid_request')
    }
    for (const good of ['a', 'a'.repeat(255), '{"a":"\\"b\\\\"}', "';--", 'NULL', '1,2']) {
      expect((await fixture.get('/rates?limit=1', key, once(good))).body.meta.creditsCharged, good).toBe(1)
      expect((await fixture.get('/rates?limit=1', key, once(good))).body.meta.creditsCharged, good).toBe(0)
    }
    expect(await fixture.balance(account)).toBe(94)
  })

  verifies('spending/max-credits-cuts-list', async () => {
    const { key, account } = await fixture.live({ credits: 50 })
    const cut = await fixture.get('/rates?limit=20', key, max(7))
    expect([cut.status, cut.body.data.length, cut.headers.get('x-svc-limit-reduced')]).toEqual([200, 7, '7'])
    expect(cut.body.meta).toMatchObject({ limit: 7, creditsCharged: 7, creditsBalance: 43 })
    const rest = await fixture.get(`/rates?limit=20&cursor=${cut.body.meta.nextCursor}`, key, max(20))
    expect([rest.body.data.length, rest.headers.get('x-svc-limit-reduced')]).toEqual([20, null])
    expectError(await fixture.get('/rates', key, max(0)), 402, 'insufficient_credits', { required: 1, balance: 23, topUp, reason: 'max_credits' })
    expect(await fixture.balance(account)).toBe(23)
  })

  verifies('spending/max-credits-fixed-price-402', async () => {
    const { key, account } = await fixture.live({ credits: 50 })
    for (const path of ['/reference/fscs', `/rates/${await fixture.productKey()}`]) {
      expectError(await fixture.get(path, key, max(0)), 402, 'insufficient_credits', { required: 1, balance: 50, topUp, reason: 'max_credits' })
    }
    expect((await fixture.get('/ping', key, max(0))).status).toBe(200)
    expect((await fixture.get('/reference/fscs', key, max(1))).body.meta.creditsCharged).toBe(1)
    for (const bad of ['', '-1', '1.5', 'few', '1e3', '9999999999', '1, 2']) expectError(await fixture.get('/rates', key, max(bad)), 400, 'invalid_request')
    expect(await fixture.balance(account)).toBe(49)
  })

  verifies(['spending/expired-key-refused', 'spending/expired-key-reason'], async () => {
    const expiresAt = new Date(Date.now() + 5_000)
    const { key, account } = await fixture.live({}, { expiresAt })
    const test = await fixture.getKey(account, { mode: 'test', expiresAt })
    expect((await fixture.get('/rates?limit=1', key)).status).toBe(200)
    expect((await fixture.get('/rates?limit=1', test.key)).status).toBe(200)
    await sleep(expiresAt.getTime() + 100 - Date.now())
    for (const one of [key, test.key]) {
      for (const path of ['/rates', '/ping', '/none']) expectError(await fixture.get(path, one), 403, 'key_revoked', { reason: 'expired' })
    }
    expect(await fixture.balance(account)).toBe(99)
  })

  verifies(['spending/spend-cap', 'spending/spend-cap-reason'], async () => {
    const { key, account } = await fixture.live({ credits: 100 }, { spendCapCredits: 12 })
    const free = await fixture.getKey(account)
    await fixture.get('/rates', key)
    const cut = await fixture.get('/rates', key)
    expect([cut.body.data.length, cut.headers.get('x-svc-limit-reduced'), cut.body.meta.creditsBalance]).toEqual([2, '2', 88])
    for (const path of ['/rates', '/reference/fscs']) {
      expectError(await fixture.get(path, key), 402, 'insufficient_credits', { required: 1, balance: 88, topUp, reason: 'spend_cap' })
    }
    expect((await fixture.get('/ping', key)).status).toBe(200)
    expect((await fixture.get('/rates', free.key)).body.meta.creditsBalance).toBe(78)
    const none = await fixture.getKey(account, { spendCapCredits: 0 })
    expectError(await fixture.get('/rates', none.key), 402, 'insufficient_credits', { required: 1, balance: 78, topUp, reason: 'spend_cap' })
  })

  verifies('spending/account-cap', async () => {
    const { key, account } = await fixture.live({ credits: 100 })
    const second = await fixture.getKey(account, { spendCapCredits: 50 })
    await setCap(fixture, account.id, 12, { actor: 'operator' })
    expect((await fixture.get('/rates', key)).body.data).toHaveLength(10)
    const cut = await fixture.get('/rates', second.key)
    expect([cut.body.data.length, cut.headers.get('x-svc-limit-reduced'), cut.body.meta.creditsBalance]).toEqual([2, '2', 88])
    for (const one of [key, second.key]) {
      const refused = await fixture.get('/rates', one)
      expectError(refused, 402, 'insufficient_credits', { required: 1, balance: 88, topUp, reason: 'spend_cap' })
      expect(refused.body.message).toMatch(/this account may still spend before 1 \w+ 20\d\d \(UTC\)/)
    }
    expect((await fixture.get('/ping', key)).status).toBe(200)
    await setCap(fixture, account.id, 13, { actor: 'operator' })
    expect((await fixture.get('/rates', key)).body.data).toHaveLength(1)
    await setCap(fixture, account.id, null, { actor: 'operator' })
    expect((await fixture.get('/rates', second.key)).body.data).toHaveLength(10)
  })

  verifies(
    'spending/spend-cap-renews-monthly',
    inOneMinute(async () => {
      const { key, keyId } = await fixture.live({ credits: 100 }, { spendCapCredits: 5 })
      expect((await fixture.get('/rates', key)).body.data).toHaveLength(5)
      expect((await fixture.get('/rates', key)).status).toBe(402)
      await fixture.sql('UPDATE key_meter m SET month = month - 1, month_seen = month_seen - 1 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [
        keyId,
      ])
      const next = await fixture.get('/rates', key)
      expect([next.status, next.body.data.length, next.body.meta.creditsBalance]).toEqual([200, 5, 90])
      expect((await fixture.get('/rates', key)).status).toBe(402)
      const [meter] = await fixture.sql<{ month: number; month_spent: string }>(
        'SELECT month, month_spent FROM key_meter m JOIN api_key k ON k.id = m.key_id WHERE k.public_id = $1',
        [keyId],
      )
      const now = new Date()
      expect(meter).toEqual({ month: now.getUTCFullYear() * 12 + now.getUTCMonth() + 1, month_spent: '5' })
    }),
  )

  verifies('charge/balance-is-current', 'applies a credit grant and a plan change to the next call', async () => {
    const { key, account } = await fixture.live({ credits: 0, plan: 'hobby' })
    expect((await fixture.get('/rates', key)).status).toBe(402)
    await adjustCredits(fixture.pool, account.id, 4, 'A gift.')
    const cut = await fixture.get('/rates', key)
    expect([cut.body.data.length, cut.headers.get('x-ratelimit-limit')]).toEqual([4, '60'])
    expectError(await fixture.get('/history', key), 403, 'plan_upgrade_required', { requiredPlan: 'enterprise' })
    await changePlan(fixture.pool, account.email, 'enterprise')
    expect((await fixture.get('/history', key)).body.error).not.toBe('plan_upgrade_required')
    expect((await fixture.get('/ping', key)).headers.get('x-ratelimit-limit')).toBe('600')
  })
})
