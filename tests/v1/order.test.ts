import { expect } from 'vitest'
import { blockAccount } from '#server/accounts/accounts.ts'
import { newKey } from '#server/keys/key-format.ts'
import { revokeKey } from '#server/keys/keys.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { inOneMinute, setMinuteUsed, withNewLicence } from './support/operator.ts'
import { onEachMount } from './support/stage.ts'

const elsewhere = ['203.0.113.7']
const expectPositive: unknown = expect.any(Number)

onEachMount((stage) => {
  verifies('order/unknown-key-first', async () => {
    expectError(await stage.get('/none', newKey('live')), 401, 'invalid_api_key', {}, false)
    expectError(await stage.get('/none?api_key=x', null), 401, 'missing_api_key', {}, false)
    expectError(await stage.send('DELETE', '/rates', newKey('live')), 401, 'invalid_api_key', {}, false)
  })

  verifies('order/revoked-before-blocked', async () => {
    const { key, keyId, account } = await stage.live()
    await blockAccount(stage.pool, account.email, null)
    await revokeKey(stage.pool, keyId)
    expectError(await stage.get('/rates', key), 403, 'key_revoked')
  })

  verifies('order/blocked-before-address', async () => {
    const { key, account } = await stage.live({}, { addresses: elsewhere })
    await blockAccount(stage.pool, account.email, null)
    expectError(await stage.get('/rates', key), 403, 'account_blocked', { reason: null })
    const pending = await stage.live({ approved: false }, { addresses: elsewhere })
    expectError(await stage.get('/rates', pending.key), 403, 'account_blocked', { reason: 'review_pending' })
  })

  verifies('order/address-before-licence', async () => {
    const { key } = await stage.live({}, { addresses: elsewhere })
    await withNewLicence(stage, -60, async () => expectError(await stage.get('/rates', key), 403, 'ip_not_allowed'))
  })

  verifies('order/licence-before-route', async () => {
    const { key } = await stage.live()
    await withNewLicence(stage, -60, async () => {
      for (const path of ['/none', '/rate-trends', '/rates?limit=0']) expectError(await stage.get(path, key), 403, 'licence_reacceptance_required')
    })
  })

  verifies('order/availability-before-scope', async () => {
    const { key } = await stage.live({ plan: 'hobby' }, { scopes: ['offers:read'] })
    expectError(await stage.get('/rate-trends', key), 403, 'endpoint_restricted')
    expectError(await stage.get('/market/overview', key), 403, 'endpoint_restricted')
  })

  verifies('order/plan-before-scope', async () => {
    const { key } = await stage.live({ plan: 'business' }, { scopes: ['offers:read'] })
    expectError(await stage.get('/history', key), 403, 'plan_upgrade_required', { requiredPlan: 'enterprise' })
  })

  verifies(
    'order/scope-before-limits',
    inOneMinute(async () => {
      const { key, keyId } = await stage.live({}, { scopes: ['offers:read'] })
      await setMinuteUsed(stage, keyId, 600)
      expectError(await stage.get('/rates', key), 403, 'insufficient_scope', { required: 'rates:read' })
      expectError(await stage.get('/none', key), 404, 'not_found')
      expectError(await stage.get('/ping', key), 429, 'rate_limited', { retryAfter: expectPositive })
    }),
  )

  verifies(
    'order/limits-before-validation',
    inOneMinute(async () => {
      const { key, keyId } = await stage.live()
      await setMinuteUsed(stage, keyId, 600)
      for (const path of ['/rates?limit=0', '/rates/none', '/rates'])
        expectError(await stage.get(path, key), 429, 'rate_limited', { retryAfter: expectPositive })
    }),
  )

  verifies('order/validation-before-item', async () => {
    const { key } = await stage.live({ credits: 0 })
    expectError(await stage.get('/rates/none?limit=3', key), 400, 'invalid_request')
    expectError(await stage.get('/rates/none', key, { 'x-svc-max-credits': 'few' }), 400, 'invalid_request')
  })

  verifies('order/item-before-charge', async () => {
    const { key } = await stage.live({ credits: 0 })
    expectError(await stage.get('/rates/none', key), 404, 'not_found')
    expectError(await stage.get('/rates/none', key, { 'x-svc-max-credits': '0' }), 404, 'not_found')
  })
})
