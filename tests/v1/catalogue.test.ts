import { expect } from 'vitest'
import { allEndpoints, registry } from '#server/api/endpoints/registry.ts'
import { cites, verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { getTarget, isLaunched } from './support/target.ts'

type Row = readonly [id: string, call: string, cost: string, scope: string, live: 'open' | 'test-only' | 'coming-soon', plan?: 'enterprise']

/** Endpoint table of the specification, with the additions from the decisions. */
const table: Row[] = [
  ['catalogue/get-ping', 'GET /ping', 'free', 'any-key', 'open'],
  ['catalogue/get-me', 'GET /me', 'free', 'any-key', 'open'],
  ['catalogue/get-reference-providers', 'GET /reference/providers', '1 credit', 'providers:read', 'open'],
  ['catalogue/get-reference-products', 'GET /reference/products', '1 credit', 'rates:read', 'open'],
  ['catalogue/get-reference-cards', 'GET /reference/cards', '1 credit', 'cards:read', 'open'],
  ['catalogue/get-reference-currencies', 'GET /reference/currencies', '1 credit', 'cards:read', 'open'],
  ['catalogue/get-reference-account-types', 'GET /reference/account-types', '1 credit', 'rates:read', 'open'],
  ['catalogue/get-reference-fscs', 'GET /reference/fscs', '1 credit', 'providers:read', 'open'],
  ['catalogue/get-rates', 'GET /rates', '1 credit per row', 'rates:read', 'open'],
  ['catalogue/get-rate', 'GET /rates/{sourceKey}', '1 credit', 'rates:read', 'open'],
  ['catalogue/get-rate-link', 'GET /rates/{sourceKey}/link', '1 credit', 'rates:read', 'open'],
  ['catalogue/get-history', 'GET /history', '2 credits per row', 'history:read', 'open', 'enterprise'],
  ['catalogue/get-history-components', 'GET /history/components', '2 credits per row', 'history:read', 'open', 'enterprise'],
  ['catalogue/get-rate-trends', 'GET /rate-trends', '5 credits', 'history:read', 'test-only'],
  ['catalogue/get-providers', 'GET /providers', '1 credit per row', 'providers:read', 'open'],
  ['catalogue/get-provider', 'GET /providers/{slug}', '1 credit', 'providers:read', 'open'],
  ['catalogue/get-provider-service-quality', 'GET /providers/{slug}/service-quality', '2 credits', 'providers:read', 'open'],
  ['catalogue/get-switch-offers', 'GET /switch-offers', '1 credit per row', 'offers:read', 'open'],
  ['catalogue/get-account-offers', 'GET /account-offers', '5 credits', 'offers:read', 'test-only'],
  ['catalogue/get-cards-rewards', 'GET /cards/rewards', '5 credits', 'cards:read', 'test-only'],
  ['catalogue/get-cards-travel', 'GET /cards/travel', '5 credits', 'cards:read', 'test-only'],
  ['catalogue/get-cards-travel-fx-history', 'GET /cards/travel/fx-history', '5 credits', 'cards:read', 'test-only'],
  ['catalogue/get-fx-rates', 'GET /fx/rates', '1 credit', 'cards:read or market:read', 'open'],
  ['catalogue/get-market-overview', 'GET /market/overview', '5 credits', 'market:read', 'test-only'],
  ['catalogue/get-market-averages', 'GET /market/averages', '5 credits', 'market:read', 'test-only'],
  ['catalogue/get-market-category-stats', 'GET /market/category-stats', '5 credits', 'market:read', 'test-only'],
  ['catalogue/get-market-card-stats', 'GET /market/card-stats', '5 credits', 'market:read', 'test-only'],
  ['catalogue/get-market-hero-stats', 'GET /market/hero-stats', '5 credits', 'market:read', 'test-only'],
  ['catalogue/get-market-boe-rate', 'GET /market/boe-rate', '5 credits', 'market:read', 'test-only'],
  ['catalogue/get-market-ecb-rate', 'GET /market/ecb-rate', '5 credits', 'market:read', 'test-only'],
  ['catalogue/get-market-inflation', 'GET /market/inflation', '5 credits', 'market:read', 'test-only'],
  ['catalogue/get-simulate', 'GET /simulate', '2 credits', 'rates:read', 'open'],
  ['catalogue/get-calculators-savings-tax', 'GET /calculators/savings-tax', '1 credit', 'rates:read', 'open'],
  ['catalogue/get-calculators-isa-allowance', 'GET /calculators/isa-allowance', '1 credit', 'rates:read', 'open'],
  ['catalogue/get-calculators-savings-growth', 'GET /calculators/savings-growth', '1 credit', 'rates:read', 'open'],
  ['catalogue/get-calculators-regular-saver', 'GET /calculators/regular-saver', '1 credit', 'rates:read', 'open'],
  ['catalogue/get-assets-provider', 'GET /assets/providers/{slug}', '5 credits', 'providers:read', 'open'],
  ['catalogue/get-assets-card', 'GET /assets/cards/{sourceKey}', '5 credits', 'cards:read', 'test-only'],
  ['catalogue/post-assistant', 'POST /assistant', '10 credits', 'assistant', 'coming-soon'],
]

cites('catalogue/get-ping', 'catalogue/get-me', 'catalogue/get-reference-providers', 'catalogue/get-reference-products', 'catalogue/get-reference-cards')
cites('catalogue/get-reference-currencies', 'catalogue/get-reference-account-types', 'catalogue/get-reference-fscs', 'catalogue/get-rates')
cites('catalogue/get-rate', 'catalogue/get-rate-link', 'catalogue/get-history', 'catalogue/get-history-components', 'catalogue/get-rate-trends')
cites('catalogue/get-providers', 'catalogue/get-provider', 'catalogue/get-provider-service-quality', 'catalogue/get-switch-offers')
cites('catalogue/get-account-offers', 'catalogue/get-cards-rewards', 'catalogue/get-cards-travel', 'catalogue/get-cards-travel-fx-history')
cites('catalogue/get-fx-rates', 'catalogue/get-market-overview', 'catalogue/get-market-averages', 'catalogue/get-market-category-stats')
cites('catalogue/get-market-card-stats', 'catalogue/get-market-hero-stats', 'catalogue/get-market-boe-rate', 'catalogue/get-market-ecb-rate')
cites('catalogue/get-market-inflation', 'catalogue/get-simulate', 'catalogue/get-calculators-savings-tax', 'catalogue/get-calculators-isa-allowance')
cites('catalogue/get-calculators-savings-growth', 'catalogue/get-calculators-regular-saver', 'catalogue/get-assets-provider')
cites('catalogue/get-assets-card', 'catalogue/post-assistant')

/** Calls of the specification. Other endpoints have been added since. */
const specified: ReadonlySet<string> = new Set(table.map(([, call]) => call))

const planned = new Set(registry.filter((entry) => !isLaunched(entry)).map((entry) => `${entry.method} ${entry.path}`))

type MeRow = { method: string; path: string; scope: string; cost: string; availability: string; callable: boolean; reason: string | null }

/** Returns the expected error code for a key with all scopes, according to the decisions, or null if the call succeeds. */
function expectedReason([, call, , , live, plan]: Row, mode: 'live' | 'test', ownPlan: 'hobby' | 'enterprise'): string | null {
  if (live === 'coming-soon') return 'not_found'
  if (mode === 'live' && live === 'test-only') return 'endpoint_restricted'
  if (mode === 'live' && plan !== undefined && ownPlan !== plan) return 'plan_upgrade_required'
  return planned.has(call) ? 'not_found' : null
}

const callers = (['live', 'test'] as const).flatMap((mode) => (['hobby', 'enterprise'] as const).map((plan) => ({ mode, plan })))

onEachMount((fixture) => {
  for (const { mode, plan } of callers) {
    verifies(
      ['account/me-lists-every-endpoint', 'account/me-says-what-is-callable'],
      `/me lists every endpoint for a ${mode} key on the ${plan} plan, and states whether the key can call it`,
      async () => {
        const { key } = await fixture.live({ plan }, { mode })
        const rows = (await fixture.get('/me', key)).body.data.endpoints as MeRow[]
        expect(table).toHaveLength(39)
        expect(rows).toHaveLength(allEndpoints.length)
        const byCall = new Map(rows.map((row) => [`${row.method} ${row.path}`, row]))
        expect(byCall.size).toBe(rows.length)
        for (const entry of table) {
          const [id, call, cost, scope, live] = entry
          const reason = expectedReason(entry, mode, plan)
          const availability = planned.has(call) ? 'coming-soon' : live
          expect(byCall.get(call), id).toEqual({
            method: call.split(' ')[0],
            path: call.split(' ')[1],
            scope,
            cost,
            availability,
            callable: reason === null,
            reason,
          })
        }
      },
    )

    verifies('account/me-says-what-is-callable', `every call with a ${mode} key on the ${plan} plan succeeds or fails as reported by /me`, async () => {
      const { account } = await fixture.live({ plan, credits: 1_000 })
      for (const row of table) {
        // One key per call, because test keys are limited to ten calls a minute.
        const { key } = await fixture.getKey(account, { mode })
        const entry = registry.find((one) => `${one.method} ${one.path}` === row[1])
        if (!entry) throw new Error(`${row[1]} is not in the registry.`)
        const answer = await fixture.send(entry.method, await getTarget(fixture, entry, mode === 'test' ? 'sample' : 'live'), key)
        expect([row[1], answer.body.error ?? null]).toEqual([row[1], expectedReason(row, mode, plan)])
      }
    })
  }

  verifies('account/me-says-what-is-callable', 'gives the reason insufficient_scope for a key without the scope', async () => {
    const { key } = await fixture.live({}, { scopes: ['market:read'] })
    const rows = (await fixture.get('/me', key)).body.data.endpoints as MeRow[]
    const getReason = (path: string) => rows.find((row) => row.path === path)?.reason
    const fx = planned.has('GET /fx/rates') ? 'not_found' : null
    expect(['/ping', '/rates', '/reference/cards', '/fx/rates', '/market/overview', '/simulate'].map(getReason)).toEqual([
      null,
      'insufficient_scope',
      'insufficient_scope',
      fx,
      'endpoint_restricted',
      'insufficient_scope',
    ])
  })

  verifies('account/me-says-what-is-callable', 'applies an availability override immediately', async () => {
    const { key } = await fixture.live()
    const getState = async (path: string) => ((await fixture.get('/me', key)).body.data.endpoints as MeRow[]).find((row) => row.path === path)
    expect(await getState('/rates')).toMatchObject({ availability: 'open', callable: true })
    const set = async (availability: string | null) => {
      await fixture.sql(`DELETE FROM endpoint_override WHERE endpoint_id = 'rates.list'`)
      if (availability !== null) await fixture.sql(`INSERT INTO endpoint_override VALUES ('rates.list', $1)`, [availability])
      await fixture.sql('UPDATE service_state SET version = version + 1')
    }
    await set('test-only')
    expectError(await fixture.get('/rates', key), 403, 'endpoint_restricted')
    expect(await getState('/rates')).toMatchObject({ availability: 'test-only', callable: false, reason: 'endpoint_restricted' })
    await set('coming-soon')
    expectError(await fixture.get('/rates', key), 404, 'not_found')
    await set(null)
    expect((await fixture.get('/rates', key)).status).toBe(200)
  })

  /** Returns the endpoints of the specification that a key can call. */
  const callableBy = async (key: string) =>
    ((await fixture.get('/me', key)).body.data.endpoints as MeRow[]).filter(({ callable, method, path }) => callable && specified.has(`${method} ${path}`))

  verifies('decision/callable-38-for-test-key', async () => {
    for (const plan of ['hobby', 'business', 'enterprise'] as const) {
      const { key } = await fixture.test({ plan })
      expect(await callableBy(key)).toHaveLength(38)
    }
  })

  verifies('decision/callable-24-for-enterprise', async () => {
    const { key } = await fixture.live({ plan: 'enterprise' })
    expect(await callableBy(key)).toHaveLength(24)
  })

  verifies('decision/callable-22-for-other-plans', async () => {
    for (const plan of ['hobby', 'business'] as const) {
      const { key } = await fixture.live({ plan })
      expect(await callableBy(key)).toHaveLength(22)
    }
  })

  verifies('catalogue/test-keys-call-every-endpoint', async () => {
    const account = await fixture.account()
    const answered: string[] = []
    for (const entry of registry.filter(({ live, method, path }) => live !== 'coming-soon' && specified.has(`${method} ${path}`))) {
      // One key per call, because test keys are limited to ten calls a minute.
      const { key } = await fixture.getKey(account, { mode: 'test' })
      const { status, body } = await fixture.get(await getTarget(fixture, entry, 'sample'), key)
      expect([entry.path, status]).toEqual([entry.path, 200])
      expect(Array.isArray(body.data) ? body.data.length : Object.keys(body.data).length, entry.path).toBeGreaterThan(0)
      answered.push(entry.path)
    }
    expect(answered).toHaveLength(38)
  })

  verifies('catalogue/all-get-but-assistant', async () => {
    const { key } = await fixture.live()
    const rows = (await fixture.get('/me', key)).body.data.endpoints as MeRow[]
    const isData = ({ method, path }: MeRow) => registry.some((entry) => entry.method === method && entry.path === path)
    expect(rows.filter((row) => row.method !== 'GET' && isData(row)).map((row) => `${row.method} ${row.path}`)).toEqual(['POST /assistant'])
  })
})
