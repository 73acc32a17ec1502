import { describe, expect, test } from 'vitest'
import { newKey } from '#server/keys/key-format.ts'
import { verifies } from '../requirements/verifies.ts'
import { sharedFactsChanged } from '../v1/support/operator.ts'
import { type ApiAnswer, onEachMount, type Stage } from '../v1/support/stage.ts'
import { launchedCalls } from '../v1/support/target.ts'
import { operationsOf } from './support/open-api.ts'
import { busyTestKey } from './support/test-key.ts'

const deprecation = '@1893456000'
const sunset = 'Mon, 01 Jul 2030 00:00:00 GMT'

/** Response while the database is unavailable. */
async function withoutDatabase(stage: Stage, ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  await stage.sql('ALTER TABLE service_state RENAME TO service_state_away')
  try {
    return await ask()
  } finally {
    await stage.sql('ALTER TABLE service_state_away RENAME TO service_state')
    await sharedFactsChanged(stage)
  }
}

const expectedTrouble = /PostgreSQL rejected a batch|A call failed|The shared facts could not be read/

/** Responses of every kind: each endpoint, 304, and every refusal of a test key or a missing key. */
async function answersOf(stage: Stage) {
  const { key } = await busyTestKey(stage)
  const first = await stage.get('/reference/currencies', key)
  const served = await Promise.all((await launchedCalls(stage, 'sample')).map(({ path }) => stage.get(path, key)))
  const live = await stage.live({ credits: 0, perMinute: 2 })
  const restricted = await stage.live()
  const others = [
    first,
    await stage.get('/reference/currencies', key, { 'if-none-match': first.headers.get('etag') ?? '' }),
    await stage.get('/rates', null),
    await stage.get('/rates', newKey('live')),
    await stage.get('/rates?tpye=notice', key),
    await stage.get('/none', key),
    await stage.send('DELETE', '/rates', key),
    await stage.send('HEAD', '/rates', key),
    await stage.send('POST', '/assistant', key),
    await stage.get('/rates', live.key),
    await stage.get('/rates/none', live.key),
    await stage.get('/ping', live.key),
    await stage.get('/cards/rewards', restricted.key),
    // Not valid HTTP; answered by our listener.
    await stage.raw('GET', '/v1/rates', { 'x-long': 'x'.repeat(20_000) }),
    await withoutDatabase(stage, () => stage.get('/rates', restricted.key)),
  ]
  return [...served, ...others]
}

describe('while v1 is being retired', () => {
  onEachMount(
    (stage) => {
      verifies(['versioning/deprecation-header', 'versioning/sunset-header'], 'every v1 response has its deprecation and sunset dates', async () => {
        const answers = await answersOf(stage)
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 304, 400, 401, 402, 403, 404, 429, 500]))
        expect(answers.filter(({ body }) => body?.message?.startsWith('Path and headers of a request'))).toHaveLength(1)
        for (const { status, headers } of answers) expect([status, headers.get('deprecation'), headers.get('sunset')]).toEqual([status, deprecation, sunset])
      })

      test('the document has them too', async () => {
        const { body } = await stage.raw('GET', '/api/developer/openapi.json')
        expect(body.info).toMatchObject({ 'x-svc-deprecation': deprecation, 'x-svc-sunset': sunset })
        for (const { path, operation } of operationsOf(body)) expect([path, operation['deprecated']]).toEqual([path, true])
      })
    },
    { env: { API_V1_DEPRECATION: deprecation, API_V1_SUNSET: sunset }, expectedTrouble },
  )
})

describe('while v1 is the latest version', () => {
  onEachMount(
    (stage) => {
      test('no response has retirement headers', async () => {
        for (const { headers } of await answersOf(stage)) expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null])
      })
    },
    { expectedTrouble },
  )
})
