import { expect } from 'vitest'
import { blockAccount } from '#server/accounts/accounts.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { newKey } from '#server/keys/key-format.ts'
import { revokeKey } from '#server/keys/keys.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { inOneMinute, setDayUsed, setMinuteUsed, sharedFactsChanged, withNewLicence } from './support/operator.ts'
import { onEachMount } from './support/stage.ts'
import { isLaunched } from './support/target.ts'

const challenge = 'Bearer realm="svc"'

onEachMount(
  (stage) => {
    verifies(['errors/json-with-code', 'errors/message', 'errors/request-id', 'errors/docs-link', 'errors/invalid-request'], async () => {
      const { key } = await stage.live()
      const answer = await stage.get('/rates?limit=none', key)
      expectError(answer, 400, 'invalid_request')
      expect(answer.body.message).toBe('"limit" must be a whole number from 1 to 50; larger values are reduced to 50.')
      const other = await stage.get('/rates?amount=many', key)
      expectError(other, 400, 'invalid_request')
      expect(other.body.message).toContain('"amount"')
      expect(other.body.requestId).not.toBe(answer.body.requestId)
    })

    verifies('errors/missing-api-key', async () => {
      const answer = await stage.get('/rates', null)
      expectError(answer, 401, 'missing_api_key', {}, false)
      expect(answer.headers.get('www-authenticate')).toBe(challenge)
      expect(answer.headers.get('x-svc-mode')).toBeNull()
    })

    verifies('errors/invalid-api-key', async () => {
      for (const key of [newKey('live'), newKey('test'), 'svc_live_x', 'anything']) {
        const answer = await stage.get('/rates', key)
        expectError(answer, 401, 'invalid_api_key', {}, false)
        expect(answer.headers.get('www-authenticate')).toBe(`${challenge}, error="invalid_token"`)
      }
    })

    verifies(
      [
        'errors/insufficient-credits-per-row',
        'errors/insufficient-credits-required',
        'errors/insufficient-credits-balance',
        'errors/insufficient-credits-top-up',
      ],
      async () => {
        const { key } = await stage.live({ credits: 0 })
        const answer = await stage.get('/rates', key)
        const topUp = 'https://api.example.test/portal/billing/top-up'
        expectError(answer, 402, 'insufficient_credits', { required: 1, balance: 0, topUp })
        expect(answer.headers.get('x-svc-credits-balance')).toBe('0')
      },
    )

    verifies('errors/insufficient-credits-fixed-price', async () => {
      const { key, account } = await stage.live({ credits: 1 })
      expect((await stage.get('/reference/currencies', key)).status).toBe(200)
      for (const path of ['/reference/currencies', `/rates/${await stage.productKey()}`]) {
        const answer = await stage.get(path, key)
        expectError(answer, 402, 'insufficient_credits', { required: 1, balance: 0, topUp: expect.stringMatching(/^https:/) })
      }
      expect(await stage.balance(account)).toBe(0)
    })

    verifies('errors/key-revoked', async () => {
      const { key, keyId } = await stage.live()
      expect((await stage.get('/ping', key)).status).toBe(200)
      await revokeKey(stage.pool, keyId)
      for (const path of ['/ping', '/rates']) expectError(await stage.get(path, key), 403, 'key_revoked')
    })

    verifies('errors/account-blocked', async () => {
      const live = await stage.live()
      const test = await stage.keyOf(live.account, { mode: 'test' })
      expect((await stage.get('/ping', live.key)).status).toBe(200)
      await blockAccount(stage.pool, live.account.email, null)
      for (const { key } of [live, test]) expectError(await stage.get('/ping', key), 403, 'account_blocked', { reason: null })
    })

    verifies('errors/account-blocked-reason', async () => {
      const { key, account } = await stage.live()
      await blockAccount(stage.pool, account.email, 'An invoice is unpaid.')
      await stage.sql('UPDATE account SET block_reason_private = $2 WHERE id = $1', [account.id, 'Looks like a stolen card'])
      const answer = await stage.get('/rates', key)
      expectError(answer, 403, 'account_blocked', { reason: 'An invoice is unpaid.' })
      expect(answer.text).not.toContain('stolen')
    })

    verifies(['errors/insufficient-scope', 'errors/insufficient-scope-required'], async () => {
      const { key } = await stage.live({}, { scopes: ['rates:read'] })
      expectError(await stage.get('/reference/providers', key), 403, 'insufficient_scope', { required: 'providers:read' })
      expectError(await stage.get('/reference/currencies', key), 403, 'insufficient_scope', { required: 'cards:read' })
      expectError(await stage.get('/fx/rates', key), 403, 'insufficient_scope', { required: 'cards:read or market:read' })
      const cards = await stage.live({}, { scopes: ['cards:read'] })
      expectError(await stage.get('/rates', cards.key), 403, 'insufficient_scope', { required: 'rates:read' })
    })

    verifies('errors/ip-not-allowed', async () => {
      const { key } = await stage.live({}, { addresses: ['203.0.113.0/24', '2001:db8::/32'] })
      expectError(await stage.get('/ping', key), 403, 'ip_not_allowed')
    })

    verifies('errors/licence-reacceptance-required', async () => {
      const { key } = await stage.live()
      expect((await stage.get('/ping', key)).status).toBe(200)
      await withNewLicence(stage, -60, async () => expectError(await stage.get('/ping', key), 403, 'licence_reacceptance_required'))
      expect((await stage.get('/ping', key)).status).toBe(200)
    })

    verifies('errors/sample-data-unavailable', async () => {
      const test = await stage.test()
      const live = await stage.live()
      await stage.sql(`UPDATE product SET withdrawn_at = now() WHERE dataset = 'sample'`)
      await stage.sql('UPDATE service_state SET version = version + 1, market_version = market_version + 1')
      try {
        for (const path of ['/rates', '/reference/products', '/rates/x']) expectError(await stage.get(path, test.key), 403, 'sample_data_unavailable')
        for (const path of ['/ping', '/me', '/reference/currencies', '/reference/fscs']) expect((await stage.get(path, test.key)).status, path).toBe(200)
        expect((await stage.get('/rates', live.key)).status).toBe(200)
      } finally {
        await stage.sql(`UPDATE product SET withdrawn_at = NULL WHERE dataset = 'sample'`)
        await stage.sql('UPDATE service_state SET version = version + 1, market_version = market_version + 1')
      }
    })

    verifies('errors/endpoint-restricted', async () => {
      const { key, account } = await stage.live()
      for (const path of ['/rate-trends', '/account-offers', '/cards/rewards', '/market/boe-rate'])
        expectError(await stage.get(path, key), 403, 'endpoint_restricted')
      expect(await stage.balance(account)).toBe(100)
    })

    verifies(['errors/plan-upgrade-required', 'errors/plan-upgrade-names-plan'], async () => {
      for (const plan of ['hobby', 'business'] as const) {
        const { key, account } = await stage.live({ plan })
        for (const path of ['/history', '/history/components']) {
          expectError(await stage.get(path, key), 403, 'plan_upgrade_required', { requiredPlan: 'enterprise' })
        }
        expect(await stage.balance(account)).toBe(100)
      }
    })

    verifies('errors/not-found-route', async () => {
      const { key } = await stage.live()
      for (const path of ['/none', '/rate', '/rates/a/b', '/rates/a/links', '/', '', '/rates/', '/RATES', '/v1/rates']) {
        expectError(await stage.get(path, key), 404, 'not_found')
      }
      expect((await stage.get('/rats', key)).body.message).toBe('This route does not exist. Did you mean "/v1/rates"?')
    })

    verifies(['errors/not-found-unlaunched', 'decision/assistant-404'], async () => {
      const { key } = await stage.live()
      const test = await stage.test()
      for (const entry of registry.filter((one) => !isLaunched(one) && one.live === 'open')) {
        expectError(await stage.get(entry.path, key), 404, 'not_found')
        const { key: one } = await stage.keyOf(test.account, { mode: 'test' })
        expectError(await stage.get(entry.path, one), 404, 'not_found')
      }
      for (const one of [key, test.key]) expectError(await stage.send('POST', '/assistant', one), 404, 'not_found')
    })

    verifies(
      ['errors/rate-limited-minute', 'errors/rate-limited-retry-after', 'errors/rate-limited-header'],
      inOneMinute(async () => {
        const { key, keyId } = await stage.live()
        await setMinuteUsed(stage, keyId, 600)
        const answer = await stage.get('/rates', key)
        const retryAfter = Number(answer.headers.get('retry-after'))
        expectError(answer, 429, 'rate_limited', { retryAfter })
        expect(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60).toBe(true)
        expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
      }),
    )

    verifies(
      'errors/rate-limited-day',
      inOneMinute(async () => {
        const { key, account } = await stage.live()
        await setDayUsed(stage, account, 100_000)
        const answer = await stage.get('/rates', key)
        expectError(answer, 429, 'rate_limited', { retryAfter: Number(answer.headers.get('retry-after')) })
        expect(await stage.balance(account)).toBe(100)
      }),
    )

    verifies(['errors/internal-error', 'charge/never-for-5xx'], async () => {
      const { key, account } = await stage.live()
      expect((await stage.get('/rates', key)).status).toBe(200)
      await stage.sql('ALTER TABLE service_state RENAME TO service_state_away')
      try {
        const answer = await stage.get('/rates', key)
        expect(answer.status).toBe(500)
        expect(Object.keys(answer.body).toSorted()).toEqual(['docs', 'error', 'message', 'requestId'])
        expect(answer.body).toMatchObject({ error: 'internal_error', requestId: answer.headers.get('x-svc-request-id') })
        expect(answer.body.message).toContain('requestId')
        expect(answer.text).not.toMatch(/service_state|relation|SELECT/)
        expect(answer.headers.get('x-svc-credits-charged')).toBe('0')
        expect(answer.headers.get('x-ratelimit-limit')).toBe('600')
        // The log has the reason under the request id.
        await expect.poll(() => stage.service.log()).toContain(answer.body.requestId)
      } finally {
        await stage.sql('ALTER TABLE service_state_away RENAME TO service_state')
      }
      await sharedFactsChanged(stage)
      const after = await stage.get('/rates', key)
      expect([after.status, after.body.meta.creditsBalance]).toEqual([200, 80])
      expect(await stage.balance(account)).toBe(80)
    })
  },
  { expectedTrouble: /PostgreSQL rejected a batch|A call failed|The shared facts could not be read/ },
)
