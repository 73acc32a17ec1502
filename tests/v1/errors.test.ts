import { expect } from 'vitest'
import { blockAccount } from '#server/accounts/accounts.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { newKey } from '#server/keys/key-secret.ts'
import { revokeKey } from '#server/keys/keys.ts'
import { verifies } from '../requirements/verifies.ts'
import { getClusterUrl } from '../support/citus.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { configChanged, inOneMinute, setDayUsed, setMinuteUsed, withNewLicence } from './support/operator.ts'
import { isLaunched } from './support/target.ts'

const challenge = 'Bearer realm="svc"'
/** Table that every charge reads. */
const stateTable = getClusterUrl() === undefined ? 'service_state' : 'cluster_state'

onEachMount(
  (fixture) => {
    verifies(['errors/json-with-code', 'errors/message', 'errors/request-id', 'errors/docs-link', 'errors/invalid-request'], async () => {
      const { key } = await fixture.live()
      const answer = await fixture.get('/rates?limit=none', key)
      expectError(answer, 400, 'invalid_request')
      expect(answer.body.message).toBe('"limit" must be a whole number from 1 to 50; larger values are reduced to 50.')
      const other = await fixture.get('/rates?amount=many', key)
      expectError(other, 400, 'invalid_request')
      expect(other.body.message).toContain('"amount"')
      expect(other.body.requestId).not.toBe(answer.body.requestId)
    })

    verifies('errors/missing-api-key', async () => {
      const answer = await fixture.get('/rates', null)
      expectError(answer, 401, 'missing_api_key', {}, false)
      expect(answer.headers.get('www-authenticate')).toBe(challenge)
      expect(answer.headers.get('x-svc-mode')).toBeNull()
    })

    verifies('errors/invalid-api-key', async () => {
      for (const key of [newKey('live'), newKey('test'), 'svc_live_x', 'anything']) {
        const answer = await fixture.get('/rates', key)
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
        const { key } = await fixture.live({ credits: 0 })
        const answer = await fixture.get('/rates', key)
        const topUp = 'https://api.example.test/portal/billing/top-up'
        expectError(answer, 402, 'insufficient_credits', { required: 1, balance: 0, topUp })
        expect(answer.headers.get('x-svc-credits-balance')).toBe('0')
      },
    )

    verifies('errors/insufficient-credits-fixed-price', async () => {
      const { key, account } = await fixture.live({ credits: 1 })
      expect((await fixture.get('/reference/currencies', key)).status).toBe(200)
      for (const path of ['/reference/currencies', `/rates/${await fixture.productKey()}`]) {
        const answer = await fixture.get(path, key)
        expectError(answer, 402, 'insufficient_credits', { required: 1, balance: 0, topUp: expect.stringMatching(/^https:/) })
      }
      expect(await fixture.balance(account)).toBe(0)
    })

    verifies('errors/key-revoked', async () => {
      const { key, keyId } = await fixture.live()
      expect((await fixture.get('/ping', key)).status).toBe(200)
      await revokeKey(fixture.pool, keyId)
      for (const path of ['/ping', '/rates']) expectError(await fixture.get(path, key), 403, 'key_revoked')
    })

    verifies('errors/account-blocked', async () => {
      const live = await fixture.live()
      const test = await fixture.getKey(live.account, { mode: 'test' })
      expect((await fixture.get('/ping', live.key)).status).toBe(200)
      await blockAccount(fixture.pool, live.account.email, null)
      for (const { key } of [live, test]) expectError(await fixture.get('/ping', key), 403, 'account_blocked', { reason: null })
    })

    verifies('errors/account-blocked-reason', async () => {
      const { key, account } = await fixture.live()
      await blockAccount(fixture.pool, account.email, 'An invoice is unpaid.')
      await fixture.sql('UPDATE account SET block_reason_private = $2 WHERE id = $1', [account.id, 'Looks like a stolen card'])
      const answer = await fixture.get('/rates', key)
      expectError(answer, 403, 'account_blocked', { reason: 'An invoice is unpaid.' })
      expect(answer.text).not.toContain('stolen')
    })

    verifies(['errors/insufficient-scope', 'errors/insufficient-scope-required'], async () => {
      const { key } = await fixture.live({}, { scopes: ['rates:read'] })
      expectError(await fixture.get('/reference/providers', key), 403, 'insufficient_scope', { required: 'providers:read' })
      expectError(await fixture.get('/reference/currencies', key), 403, 'insufficient_scope', { required: 'cards:read' })
      expectError(await fixture.get('/fx/rates', key), 403, 'insufficient_scope', { required: 'cards:read or market:read' })
      const cards = await fixture.live({}, { scopes: ['cards:read'] })
      expectError(await fixture.get('/rates', cards.key), 403, 'insufficient_scope', { required: 'rates:read' })
    })

    verifies('errors/ip-not-allowed', async () => {
      const { key } = await fixture.live({}, { addresses: ['203.0.113.0/24', '2001:db8::/32'] })
      expectError(await fixture.get('/ping', key), 403, 'ip_not_allowed')
    })

    verifies('errors/licence-reacceptance-required', async () => {
      const { key } = await fixture.live()
      expect((await fixture.get('/ping', key)).status).toBe(200)
      await withNewLicence(fixture, -60, async () => expectError(await fixture.get('/ping', key), 403, 'licence_reacceptance_required'))
      expect((await fixture.get('/ping', key)).status).toBe(200)
    })

    verifies('errors/sample-data-unavailable', async () => {
      const test = await fixture.test()
      const live = await fixture.live()
      await fixture.sql(`UPDATE product SET withdrawn_at = now() WHERE dataset = 'sample'`)
      await fixture.sql('UPDATE service_state SET version = version + 1, market_version = market_version + 1')
      try {
        for (const path of ['/rates', '/reference/products', '/rates/x']) expectError(await fixture.get(path, test.key), 403, 'sample_data_unavailable')
        for (const path of ['/ping', '/me', '/reference/currencies', '/reference/fscs']) expect((await fixture.get(path, test.key)).status, path).toBe(200)
        expect((await fixture.get('/rates', live.key)).status).toBe(200)
      } finally {
        await fixture.sql(`UPDATE product SET withdrawn_at = NULL WHERE dataset = 'sample'`)
        await fixture.sql('UPDATE service_state SET version = version + 1, market_version = market_version + 1')
      }
    })

    verifies('errors/endpoint-restricted', async () => {
      const { key, account } = await fixture.live()
      for (const path of ['/rate-trends', '/account-offers', '/cards/rewards', '/market/boe-rate'])
        expectError(await fixture.get(path, key), 403, 'endpoint_restricted')
      expect(await fixture.balance(account)).toBe(100)
    })

    verifies(['errors/plan-upgrade-required', 'errors/plan-upgrade-names-plan'], async () => {
      for (const plan of ['hobby', 'business'] as const) {
        const { key, account } = await fixture.live({ plan })
        for (const path of ['/history', '/history/components']) {
          expectError(await fixture.get(path, key), 403, 'plan_upgrade_required', { requiredPlan: 'enterprise' })
        }
        expect(await fixture.balance(account)).toBe(100)
      }
    })

    verifies('errors/not-found-route', async () => {
      const { key } = await fixture.live()
      for (const path of ['/none', '/rate', '/rates/a/b', '/rates/a/links', '/', '', '/rates/', '/RATES', '/v1/rates']) {
        expectError(await fixture.get(path, key), 404, 'not_found')
      }
      expect((await fixture.get('/rats', key)).body.message).toBe('This route does not exist. Did you mean "/v1/rates"?')
    })

    verifies(['errors/not-found-unlaunched', 'decision/assistant-404'], async () => {
      const { key } = await fixture.live()
      const test = await fixture.test()
      for (const entry of registry.filter((one) => !isLaunched(one) && one.live === 'open')) {
        expectError(await fixture.get(entry.path, key), 404, 'not_found')
        const { key: one } = await fixture.getKey(test.account, { mode: 'test' })
        expectError(await fixture.get(entry.path, one), 404, 'not_found')
      }
      for (const one of [key, test.key]) expectError(await fixture.send('POST', '/assistant', one), 404, 'not_found')
    })

    verifies(
      ['errors/rate-limited-minute', 'errors/rate-limited-retry-after', 'errors/rate-limited-header'],
      inOneMinute(async () => {
        const { key, keyId } = await fixture.live()
        await setMinuteUsed(fixture, keyId, 600)
        const answer = await fixture.get('/rates', key)
        const retryAfter = Number(answer.headers.get('retry-after'))
        expectError(answer, 429, 'rate_limited', { retryAfter })
        expect(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60).toBe(true)
        expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
      }),
    )

    verifies(
      'errors/rate-limited-day',
      inOneMinute(async () => {
        const { key, account } = await fixture.live()
        await setDayUsed(fixture, account, 100_000)
        const answer = await fixture.get('/rates', key)
        expectError(answer, 429, 'rate_limited', { retryAfter: Number(answer.headers.get('retry-after')) })
        expect(await fixture.balance(account)).toBe(100)
      }),
    )

    verifies(['errors/internal-error', 'charge/never-for-5xx'], async () => {
      const { key, account } = await fixture.live()
      expect((await fixture.get('/rates', key)).status).toBe(200)
      await fixture.sql(`ALTER TABLE ${stateTable} RENAME TO ${stateTable}_away`)
      try {
        const answer = await fixture.get('/rates', key)
        expect(answer.status).toBe(500)
        expect(Object.keys(answer.body).toSorted()).toEqual(['docs', 'error', 'message', 'requestId'])
        expect(answer.body).toMatchObject({ error: 'internal_error', requestId: answer.headers.get('x-svc-request-id') })
        expect(answer.body.message).toContain('requestId')
        expect(answer.text).not.toMatch(/service_state|cluster_state|relation|SELECT/)
        expect(answer.headers.get('x-svc-credits-charged')).toBe('0')
        expect(answer.headers.get('x-ratelimit-limit')).toBe('600')
        // The log contains the cause with the request id.
        await expect.poll(() => fixture.service.log()).toContain(answer.body.requestId)
      } finally {
        await fixture.sql(`ALTER TABLE ${stateTable}_away RENAME TO ${stateTable}`)
      }
      await configChanged(fixture)
      const after = await fixture.get('/rates', key)
      expect([after.status, after.body.meta.creditsBalance]).toEqual([200, 80])
      expect(await fixture.balance(account)).toBe(80)
    })
  },
  { expectedTrouble: /PostgreSQL rejected a batch|A call failed|Failed to refresh the config snapshot/ },
)
