import { expect } from 'vitest'
import { approveAccount, blockAccount, unblockAccount } from '#server/accounts/accounts.ts'
import type { Scope } from '#server/api/contract/scopes.ts'
import { newKey } from '#server/keys/key-format.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { keyChanged } from './support/operator.ts'
import { onEachMount } from './support/stage.ts'

/** Replaces the character at `place`, like a typo. */
const mistyped = (key: string, place: number) => key.slice(0, place) + (key[place] === 'a' ? 'b' : 'a') + key.slice(place + 1)

onEachMount((stage) => {
  verifies(['authentication/bearer', 'keys/active-at-creation'], async () => {
    const { key, account } = await stage.live()
    const test = await stage.keyOf(account, { mode: 'test' })
    expect((await stage.get('/ping', key)).body.data).toMatchObject({ ok: true, mode: 'live' })
    expect((await stage.get('/ping', test.key)).body.data).toMatchObject({ ok: true, mode: 'test' })
    for (const authorization of [`bearer ${key}`, `BEARER ${key}`, `Bearer   ${key}`]) {
      expect((await stage.get('/ping', null, { authorization })).status, authorization).toBe(200)
    }
  })

  verifies('authentication/not-bearer-401', async () => {
    const { key } = await stage.live()
    const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
    for (const authorization of [key, basic, 'Bearer', 'Bearer ', `Token ${key}`, `Bearer${key}`, `Bearer ${key} ${key}`]) {
      const answer = await stage.get('/ping', null, { authorization })
      expectError(answer, 401, 'missing_api_key', {}, false)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="svc"')
    }
  })

  verifies(['authentication/query-key-401', 'authentication/x-api-key-header-401'], async () => {
    const { key } = await stage.live()
    expectError(await stage.get(`/rates?api_key=${key}`, null), 401, 'missing_api_key', {}, false)
    expectError(await stage.get('/rates', null, { 'x-api-key': key }), 401, 'missing_api_key', {}, false)
    expectError(await stage.get(`/rates?api_key=${key}`, null, { 'x-api-key': key }), 401, 'missing_api_key', {}, false)
  })

  verifies('request/api-key-parameter-ignored', async () => {
    const { key } = await stage.live()
    const other = await stage.live({ credits: 0 })
    const answer = await stage.get(`/rates?api_key=${other.key}&limit=2`, key)
    expect([answer.status, answer.body.data.length, answer.body.meta.creditsBalance]).toEqual([200, 2, 98])
    expect((await stage.get('/ping?api_key=', key)).status).toBe(200)
    expect((await stage.get('/ping?api_key=a&api_key=b', key)).status).toBe(200)
    expect((await stage.get('/rates?api_key=a&limit=1', key)).headers.get('etag')).toBe((await stage.get('/rates?limit=1', key)).headers.get('etag'))
  })

  verifies('request/api-key-parameter-redacted', async () => {
    const { key } = await stage.live()
    const secret = newKey('live')
    for (const path of [`/rates?api_key=${secret}`, `/none?api_key=${secret}`, `/rates?limit=0&api_key=${secret}`]) {
      await stage.get(path, key)
      await stage.get(path, null)
      await stage.get(path, newKey('live'))
    }
    expect(stage.service.log()).not.toContain(secret)
    expect(stage.service.log()).not.toContain(key)
  })

  verifies('decision/key-checksum', async () => {
    const { key } = await stage.live()
    expect((await stage.get('/ping', key)).status).toBe(200)
    for (const place of [9, 20, 38, 39, 44]) expectError(await stage.get('/ping', mistyped(key, place)), 401, 'invalid_api_key', {}, false)
    expectError(await stage.get('/ping', key.slice(0, -1)), 401, 'invalid_api_key', {}, false)
    expectError(await stage.get('/ping', key.replace('svc_live_', 'svc_test_')), 401, 'invalid_api_key', {}, false)
  })

  verifies(['keys/test-prefix', 'keys/live-prefix'], async () => {
    const { key } = await stage.live()
    const test = await stage.test()
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]+$/)
    expect(test.key).toMatch(/^svc_test_[0-9A-Za-z]+$/)
    const [stored] = await stage.sql<{ text: string }>('SELECT row_to_json(k)::text AS text FROM api_key k ORDER BY id DESC LIMIT 1')
    expect(stored?.text).not.toContain(test.key)
  })

  verifies('keys/scope-values', async () => {
    const { key } = await stage.live()
    const { body } = await stage.get('/me', key)
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
    verifies('keys/only-chosen-scopes', `a key with only ${scope} can't read anything else`, async () => {
      const { key } = await stage.live({}, { scopes: [scope] })
      expect((await stage.get('/me', key)).body.data.key.scopes).toEqual([scope])
      for (const path of [
        '/rates',
        '/reference/products',
        '/reference/account-types',
        '/reference/providers',
        '/reference/fscs',
        '/reference/cards',
        '/reference/currencies',
      ]) {
        const { status, body } = await stage.get(path, key)
        expect([path, status, body.error]).toEqual(allowed.includes(path) ? [path, 200, undefined] : [path, 403, 'insufficient_scope'])
      }
    })
  }

  verifies('authentication/ping-and-me-accept-any-key', async () => {
    const { key, keyId } = await stage.live({ credits: 0 }, { scopes: ['assistant'] })
    const test = await stage.test({ plan: 'hobby' }, { scopes: ['offers:read'] })
    for (const path of ['/ping', '/me']) for (const one of [key, test.key]) expect((await stage.get(path, one)).status).toBe(200)
    await stage.sql(`UPDATE api_key SET scopes = '{}' WHERE public_id = $1`, [keyId])
    await keyChanged(stage, keyId)
    for (const path of ['/ping', '/me']) expect((await stage.get(path, key)).status).toBe(200)
    expect((await stage.get('/me', key)).body.data.key.scopes).toEqual([])
    expectError(await stage.get('/rates', key), 403, 'insufficient_scope', { required: 'rates:read' })
  })

  verifies('authentication/history-plan-gate', async () => {
    for (const plan of ['hobby', 'business'] as const) {
      const { key, account } = await stage.live({ plan })
      const test = await stage.keyOf(account, { mode: 'test' })
      for (const path of ['/history', '/history/components']) {
        expectError(await stage.get(path, key), 403, 'plan_upgrade_required', { requiredPlan: 'enterprise' })
        // The plan only applies to live keys.
        expect((await stage.get(path, test.key)).body.error).not.toBe('plan_upgrade_required')
      }
    }
  })

  verifies(['decision/review-pending', 'account/live-access-after-review', 'decision/test-key-before-approval'], async () => {
    const { key, account } = await stage.live({ approved: false })
    const test = await stage.keyOf(account, { mode: 'test' })
    for (const path of ['/ping', '/rates', '/none']) expectError(await stage.get(path, key), 403, 'account_blocked', { reason: 'review_pending' })
    expect((await stage.get('/rates', test.key)).status).toBe(200)
    await approveAccount(stage.pool, account.email)
    expect((await stage.get('/rates?limit=1', key)).body.meta.creditsCharged).toBe(1)
  })

  verifies('errors/account-blocked', 'blocking and unblocking apply to the next call', async () => {
    const { key, account } = await stage.live()
    expect((await stage.get('/ping', key)).status).toBe(200)
    await blockAccount(stage.pool, account.email, 'A check is under way.')
    expectError(await stage.get('/ping', key), 403, 'account_blocked', { reason: 'A check is under way.' })
    await unblockAccount(stage.pool, account.email)
    expect((await stage.get('/ping', key)).status).toBe(200)
  })
})
