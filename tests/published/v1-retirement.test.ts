import { describe, expect, test } from 'vitest'
import { newKey } from '#server/keys/key-secret.ts'
import { verifies } from '../requirements/verifies.ts'
import { type ApiAnswer, type Fixture, onEachMount } from '../v1/support/fixture.ts'
import { configChanged } from '../v1/support/operator.ts'
import { launchedCalls } from '../v1/support/target.ts'
import { getOperations } from './support/open-api.ts'
import { busyTestKey } from './support/test-key.ts'

const deprecation = '@1893456000'
const sunset = 'Mon, 01 Jul 2030 00:00:00 GMT'

/** Makes a request while the database is unavailable and returns the response. */
async function withoutDatabase(fixture: Fixture, ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  await fixture.sql('ALTER TABLE service_state RENAME TO service_state_away')
  try {
    return await ask()
  } finally {
    await fixture.sql('ALTER TABLE service_state_away RENAME TO service_state')
    await configChanged(fixture)
  }
}

const expectedTrouble = /PostgreSQL rejected a batch|A call failed|Failed to refresh the config snapshot/

/** Returns responses of every kind: one for each endpoint, a 304, and an error for each status. */
async function getAnswers(fixture: Fixture) {
  const { key } = await busyTestKey(fixture)
  const first = await fixture.get('/reference/currencies', key)
  const served = await Promise.all((await launchedCalls(fixture, 'sample')).map(({ path }) => fixture.get(path, key)))
  const live = await fixture.live({ credits: 0, perMinute: 2 })
  const restricted = await fixture.live()
  const others = [
    first,
    await fixture.get('/reference/currencies', key, { 'if-none-match': first.headers.get('etag') ?? '' }),
    await fixture.get('/rates', null),
    await fixture.get('/rates', newKey('live')),
    await fixture.get('/rates?tpye=notice', key),
    await fixture.get('/none', key),
    await fixture.send('DELETE', '/rates', key),
    await fixture.send('HEAD', '/rates', key),
    await fixture.send('POST', '/assistant', key),
    await fixture.get('/rates', live.key),
    await fixture.get('/rates/none', live.key),
    await fixture.get('/ping', live.key),
    await fixture.get('/cards/rewards', restricted.key),
    // Our listener itself rejects this request, because its headers are too long.
    await fixture.raw('GET', '/v1/rates', { 'x-long': 'x'.repeat(20_000) }),
    await withoutDatabase(fixture, () => fixture.get('/rates', restricted.key)),
  ]
  return [...served, ...others]
}

describe('while v1 is being retired', () => {
  onEachMount(
    (fixture) => {
      verifies(['versioning/deprecation-header', 'versioning/sunset-header'], 'every v1 response has its deprecation and sunset dates', async () => {
        const answers = await getAnswers(fixture)
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 304, 400, 401, 402, 403, 404, 429, 500]))
        expect(answers.filter(({ body }) => body?.message?.startsWith('The path and headers'))).toHaveLength(1)
        for (const { status, headers } of answers) expect([status, headers.get('deprecation'), headers.get('sunset')]).toEqual([status, deprecation, sunset])
      })

      test('the OpenAPI document has both dates and marks every operation as deprecated', async () => {
        const { body } = await fixture.raw('GET', '/api/developer/openapi.json')
        expect(body.info).toMatchObject({ 'x-svc-deprecation': deprecation, 'x-svc-sunset': sunset })
        for (const { path, operation } of getOperations(body)) expect([path, operation['deprecated']]).toEqual([path, true])
      })
    },
    { env: { API_V1_DEPRECATION: deprecation, API_V1_SUNSET: sunset }, expectedTrouble },
  )
})

describe('while v1 is the latest version', () => {
  onEachMount(
    (fixture) => {
      test('no response has retirement headers', async () => {
        for (const { headers } of await getAnswers(fixture)) expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null])
      })
    },
    { expectedTrouble },
  )
})
