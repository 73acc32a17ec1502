import { expect } from 'vitest'
import { approveAccount, blockAccount, unblockAccount } from '#server/accounts/accounts.ts'
import type { Scope } from '#server/api/contract/access.ts'
import { newKey } from '#server/keys/key-secret.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { keyChanged } from './support/operator.ts'

/** Replaces the character at `place`, as a typo would. */
const mistyped = (key: string, place: number) => key.slice(0, place) + (key[place] === 'a' ? 'b' : 'a') + key.slice(place + 1)

onEachMount((fixture) => {
  verifies(['authentication/bearer', 'keys/active-at-creation'], async () => {
    const { key, account } = await fixture.live()
    const test = await fixture.getKey(account, { mode: 'test' })
    expect((await fixture.get('/ping', key)).body.data).toMatchObject({ ok: true, mode: 'live' })
    expect((await fixture.get('/ping', test.key)).body.data).toMatchObject({ ok: true, mode: 'test' })
    for (const authorization of [`bearer ${key}`, `BEARER ${key}`, `Bearer   ${key}`]) {
      expect((await fixture.get('/ping', null, { authorization })).status, authorization).toBe(200)
    }
  })

  verifies('authentication/not-bearer-401', async () => {
    const { key } = await fixture.live()
    const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
    for (const authorization of [key, basic, 'Bearer', 'Bearer ', `Token ${key}`, `Bearer${key}`, `Bearer ${key} ${key}`]) {
      const answer = await fixture.get('/ping', null, { authorization })
      expectError(answer, 401, 'missing_api_key', {}, false)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="svc"')
    }
  })

  verifies(['authentication/query-key-401', 'authentication/x-api-key-header-401'], async () => {
    const { key } = await fixture.live()
    expectError(await fixture.get(`/rates?api_key=${key}`, null), 401, 'missing_api_key', {}, false)
    expectError(await fixture.get('/rates', null, { 'x-api-key': key }), 401, 'missing_api_key', {}, false)
    expectError(await fixture.get(`/rates?api_key=${key}`, null, { 'x-api-key': key }), 401, 'missing_api_key', {}, false)
  })

  verifies('request/api-key-parameter-ignored', async () => {
    const { key } = await fixture.live()
    const other = await fixture.live({ credits: 0 })
    const answer = await fixture.get(`/rates?api_key=${other.key}&limit=2`, key)
    expect([answer.status, answer.body.data.length, answer.body.meta.creditsBalance]).toEqual([200, 2, 98])
    expect((await fixture.get('/ping?api_key=', key)).status).toBe(200)
    expect((await fixture.get('/ping?api_key=a&api_key=b', key)).status).toBe(200)
    expect((await fixture.get('/rates?api_key=a&limit=1', key)).headers.get('etag')).toBe((await fixture.get('/rates?limit=1', key)).headers.get('etag'))
  })

  verifies('request/api-key-parameter-redacted', async () => {
    const { key } = await fixture.live()
    const secret = newKey('live')
    for (const path of [`/rates?api_key=${secret}`, `/none?api_key=${secret}`, `/rates?limit=0&api_key=${secret}`]) {
      await fixture.get(path, key)
      await fixture.get(path, null)
      await fixture.get(path, newKey('live'))
    }
    expect(fixture.service.log()).not.toContain(secret)
    expect(fixture.service.log()).not.toContain(key)
  })

  verifies('decision/key-checksum', async () => {
    const { key } = await fixture.live()
    expect((await fixture.get('/ping', key)).status).toBe(200)
    for (const place of [9, 20, 38, 39, 44]) expectError(await fixture.get('/ping', mistyped(key, place)), 401, 'invalid_api_key', {}, false)
    expectError(await fixture.get('/ping', key.slice(0, -1)), 401, 'invalid_api_key', {}, false)
    expectError(await fixture.get('/ping', key.replace('svc_live_', 'svc_test_')), 401, 'invalid_api_key', {}, false)
  })

  verifies(['keys/test-prefix', 'keys/live-prefix'], async () => {
    const { key } = await fixture.live()
    const test = await fixture.test()
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]+$/)
    expect(test.key).toMatch(/^svc_test_[0-9A-Za-z]+$/)
    const [stored] = await fixture.sql<{ text: string }>('SELECT row_to_json(k)::text AS text FROM api_key k ORDER BY id DESC LIMIT 1')
    expect(stored?.text).not.toContain(test.key)
  })

  verifies('keys/scope-values', async () => {
    const { key } = await fixture.live()
    const { body } = await fixture.get('/me', key)
    const names = ['rates:read', 'history:read', 'providers:read', 'offers:read', 'cards:read', 'market:read', 'assistant']
    expect(body.data.key.scopes.toSorted()).toEqual(names.toSorted())
  })

  for (const [scope, allowed] of [
    ['rates:read', ['/rates', '/reference/products', '/reference/account-types']],
    ['providers:read', ['/reference/providers', '/reference/fscs']],
    ['cards:read', ['/reference/cards', '/reference/currencies']],
    ['history:read', []],
    ['assistant', []],
  ] as [Scope, string[]][]) {
    verifies('keys/only-chosen-scopes', `restricts a key with only ${scope} to that scope`, async () => {
      const { key } = await fixture.live({}, { scopes: [scope] })
      expect((await fixture.get('/me', key)).body.data.key.scopes).toEqual([scope])
      for (const path of [
        '/rates',
        '/reference/products',
        '/reference/account-types',
        '/reference/providers',
        '/reference/fscs',
        '/reference/cards',
        '/reference/currencies',
      ]) {
        const { status, body } = await fixture.get(path, key)
        expect([path, status, body.error]).toEqual(allowed.includes(path) ? [path, 200, undefined] : [path, 403, 'insufficient_scope'])
      }
    })
  }

  verifies('authentication/ping-and-me-accept-any-key', async () => {
    const { key, keyId } = await fixture.live({ credits: 0 }, { scopes: ['assistant'] })
    const test = await fixture.test({ plan: 'hobby' }, { scopes: ['offers:read'] })
    for (const path of ['/ping', '/me']) for (const one of [key, test.key]) expect((await fixture.get(path, one)).status).toBe(200)
    await fixture.sql(`UPDATE api_key SET scopes = '{}' WHERE public_id = $1`, [keyId])
    await keyChanged(fixture, keyId)
    for (const path of ['/ping', '/me']) expect((await fixture.get(path, key)).status).toBe(200)
    expect((await fixture.get('/me', key)).body.data.key.scopes).toEqual([])
    expectError(await fixture.get('/rates', key), 403, 'insufficient_scope', { required: 'rates:read' })
  })

  verifies('authentication/history-plan-gate', async () => {
    for (const plan of ['hobby', 'business'] as const) {
      const { key, account } = await fixture.live({ plan })
      const test = await fixture.getKey(account, { mode: 'test' })
      for (const path of ['/history', '/history/components']) {
        expectError(await fixture.get(path, key), 403, 'plan_upgrade_required', { requiredPlan: 'enterprise' })
        // The plan applies only to live keys.
        expect((await fixture.get(path, test.key)).body.error).not.toBe('plan_upgrade_required')
      }
    }
  })

  verifies(['decision/review-pending', 'account/live-access-after-review', 'decision/test-key-before-approval'], async () => {
    const { key, account } = await fixture.live({ approved: false })
    const test = await fixture.getKey(account, { mode: 'test' })
    for (const path of ['/ping', '/rates', '/none']) expectError(await fixture.get(path, key), 403, 'account_blocked', { reason: 'review_pending' })
    expect((await fixture.get('/rates', test.key)).status).toBe(200)
    await approveAccount(fixture.pool, account.email)
    expect((await fixture.get('/rates?limit=1', key)).body.meta.creditsCharged).toBe(1)
  })

  verifies('errors/account-blocked', 'applies blocking and unblocking to the next call', async () => {
    const { key, account } = await fixture.live()
    expect((await fixture.get('/ping', key)).status).toBe(200)
    await blockAccount(fixture.pool, account.email, 'A check is under way.')
    expectError(await fixture.get('/ping', key), 403, 'account_blocked', { reason: 'A check is under way.' })
    await unblockAccount(fixture.pool, account.email)
    expect((await fixture.get('/ping', key)).status).toBe(200)
  })
})
