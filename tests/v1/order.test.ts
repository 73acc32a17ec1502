import { expect } from 'vitest'
import { blockAccount } from '#server/accounts/accounts.ts'
import { newKey } from '#server/keys/key-secret.ts'
import { revokeKey } from '#server/keys/keys.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { inOneMinute, setMinuteUsed, withNewLicence } from './support/operator.ts'

const elsewhere = ['203.0.113.7']
const expectPositive: unknown = expect.any(Number)

onEachMount((fixture) => {
  verifies('order/unknown-key-first', async () => {
    expectError(await fixture.get('/none', newKey('live')), 401, 'invalid_api_key', {}, false)
    expectError(await fixture.get('/none?api_key=x', null), 401, 'missing_api_key', {}, false)
    expectError(await fixture.send('DELETE', '/rates', newKey('live')), 401, 'invalid_api_key', {}, false)
  })

  verifies('order/revoked-before-blocked', async () => {
    const { key, keyId, account } = await fixture.live()
    await blockAccount(fixture.pool, account.email, null)
    await revokeKey(fixture.pool, keyId)
    expectError(await fixture.get('/rates', key), 403, 'key_revoked')
  })

  verifies('order/blocked-before-address', async () => {
    const { key, account } = await fixture.live({}, { addresses: elsewhere })
    await blockAccount(fixture.pool, account.email, null)
    expectError(await fixture.get('/rates', key), 403, 'account_blocked', { reason: null })
    const pending = await fixture.live({ approved: false }, { addresses: elsewhere })
    expectError(await fixture.get('/rates', pending.key), 403, 'account_blocked', { reason: 'review_pending' })
  })

  verifies('order/address-before-licence', async () => {
    const { key } = await fixture.live({}, { addresses: elsewhere })
    await withNewLicence(fixture, -60, async () => expectError(await fixture.get('/rates', key), 403, 'ip_not_allowed'))
  })

  verifies('order/licence-before-route', async () => {
    const { key } = await fixture.live()
    await withNewLicence(fixture, -60, async () => {
      for (const path of ['/none', '/rate-trends', '/rates?limit=0']) expectError(await fixture.get(path, key), 403, 'licence_reacceptance_required')
    })
  })

  verifies('order/availability-before-scope', async () => {
    const { key } = await fixture.live({ plan: 'hobby' }, { scopes: ['offers:read'] })
    expectError(await fixture.get('/rate-trends', key), 403, 'endpoint_restricted')
    expectError(await fixture.get('/market/overview', key), 403, 'endpoint_restricted')
  })

  verifies('order/plan-before-scope', async () => {
    const { key } = await fixture.live({ plan: 'business' }, { scopes: ['offers:read'] })
    expectError(await fixture.get('/history', key), 403, 'plan_upgrade_required', { requiredPlan: 'enterprise' })
  })

  verifies(
    'order/scope-before-limits',
    inOneMinute(async () => {
      const { key, keyId } = await fixture.live({}, { scopes: ['offers:read'] })
      await setMinuteUsed(fixture, keyId, 600)
      expectError(await fixture.get('/rates', key), 403, 'insufficient_scope', { required: 'rates:read' })
      expectError(await fixture.get('/none', key), 404, 'not_found')
      expectError(await fixture.get('/ping', key), 429, 'rate_limited', { retryAfter: expectPositive })
    }),
  )

  verifies(
    'order/limits-before-validation',
    inOneMinute(async () => {
      const { key, keyId } = await fixture.live()
      await setMinuteUsed(fixture, keyId, 600)
      for (const path of ['/rates?limit=0', '/rates/none', '/rates'])
        expectError(await fixture.get(path, key), 429, 'rate_limited', { retryAfter: expectPositive })
    }),
  )

  verifies('order/validation-before-item', async () => {
    const { key } = await fixture.live({ credits: 0 })
    expectError(await fixture.get('/rates/none?limit=3', key), 400, 'invalid_request')
    expectError(await fixture.get('/rates/none', key, { 'x-svc-max-credits': 'few' }), 400, 'invalid_request')
  })

  verifies('order/item-before-charge', async () => {
    const { key } = await fixture.live({ credits: 0 })
    expectError(await fixture.get('/rates/none', key), 404, 'not_found')
    expectError(await fixture.get('/rates/none', key, { 'x-svc-max-credits': '0' }), 404, 'not_found')
  })
})
