import { expect, test } from 'vitest'
import { type Caller, type Fixture, onEachMount } from '../v1/support/fixture.ts'
import { Documented, exampleTarget } from './support/documented.ts'
import { getOperations, type Named } from './support/open-api.ts'
import { managingTestKey, type OwnWebhook } from './support/own-webhook.ts'
import { busyTestKey } from './support/test-key.ts'

const isListed = ({ operation }: Named) => operation['x-svc-availability'] === 'coming-soon'

const withQuery = (target: string, query: string) => (query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`)

/** Returns the headers and the body of the example call. */
function exampleBody({ operation }: Named): [headers: Record<string, string>, body: string | null] {
  const value = operation.requestBody?.content['application/json'].examples?.['sample']?.value
  return value === undefined ? [{}, null] : [{ 'content-type': 'application/json' }, JSON.stringify(value)]
}

async function checkSampleCall(fixture: Fixture, documented: Documented, named: Named, key: string, webhook: OwnWebhook): Promise<void> {
  const example = exampleTarget(named)
  if (!isListed(named)) expect(example).toBe(named.operation['x-svc-example-call'])
  const target = webhook.withOwnIds(example)
  await webhook.restore()
  const answer = await fixture.send(named.method, target, key, ...exampleBody(named))
  expect([target, answer.status]).toEqual([target, isListed(named) ? 404 : 200])
  documented.expect(answer, named, target)
  const tag = answer.headers.get('etag')
  if (tag !== null && named.method === 'GET')
    documented.expect(await fixture.send(named.method, target, key, { 'if-none-match': tag }), named, `${target} once more`)
}

/** Returns a caller for each reason to reject a call, with any query parameters that cause the rejection. */
async function refusedCallers(fixture: Fixture): Promise<[name: string, caller: Caller | null, query: string][]> {
  return [
    ['no key', null, ''],
    ['unknown parameter', await busyTestKey(fixture), 'tpye=notice'],
    ['no credits', await fixture.live({ credits: 0 }), ''],
    ['no scope', await fixture.live({}, { scopes: ['assistant'] }), ''],
    ['lower plan', await fixture.live({ plan: 'hobby' }), ''],
    ['under review', await fixture.live({ approved: false }), ''],
  ]
}

onEachMount((fixture) => {
  test('every operation matches the OpenAPI document with a test key, and its example call works', { timeout: 60_000 }, async () => {
    const documented = await Documented.by(fixture)
    const { caller, webhook } = await managingTestKey(fixture)
    for (const named of getOperations(documented.document)) await checkSampleCall(fixture, documented, named, caller.key, webhook)
  })

  test('every list matches the OpenAPI document, with and without `fields`', { timeout: 60_000 }, async () => {
    const documented = await Documented.by(fixture)
    const { key } = (await managingTestKey(fixture)).caller
    // The list of usage is empty for a new key.
    const lists = getOperations(documented.document).filter(
      ({ operation, path }) => path !== '/usage' && operation.parameters.some(({ name }) => name === 'fields'),
    )
    expect(lists.length).toBeGreaterThan(10)
    for (const named of lists) {
      const example = String(named.operation.parameters.find(({ name }) => name === 'fields')?.example)
      const few = example.split(',')
      // Unpaginated lists have no limit parameter.
      const limit = named.operation.parameters.some(({ name }) => name === 'limit') ? 'limit=1' : ''
      for (const fields of [few.slice(0, 1), few]) {
        const target = withQuery(withQuery(exampleTarget(named), limit), `fields=${fields.join()}`)
        const answer = await fixture.send(named.method, target, key)
        expect([target, answer.body.data.length > 0, ...answer.body.data.map(Object.keys)]).toEqual([target, true, ...answer.body.data.map(() => fields)])
        documented.expect(answer, named, target)
      }
      const whole = withQuery(exampleTarget(named), limit)
      documented.expect(await fixture.send(named.method, whole, key), named, whole)
    }
  })

  test('every operation matches the OpenAPI document with a live key', { timeout: 60_000 }, async () => {
    const documented = await Documented.by(fixture)
    const { key } = await fixture.live({ credits: 10_000 })
    const live = { sourceKey: await fixture.productKey(), slug: (await fixture.get('/reference/providers', key)).body.data[0].slug }
    for (const named of getOperations(documented.document)) {
      const target = exampleTarget(named, live)
      documented.expect(await fixture.send(named.method, target, key), named, target)
    }
  })

  test('error responses of every operation match the OpenAPI document', { timeout: 60_000 }, async () => {
    const documented = await Documented.by(fixture)
    const callers = await refusedCallers(fixture)
    const attempts = getOperations(documented.document).flatMap((named) => callers.map((caller) => [named, ...caller] as const))
    for (const [named, name, caller, query] of attempts) {
      const target = withQuery(exampleTarget(named), query)
      documented.expect(await fixture.send(named.method, target, caller?.key ?? null), named, `${name}: ${target}`)
    }
  })

  test('a 429 response matches the OpenAPI document', async () => {
    const documented = await Documented.by(fixture)
    const { key } = await fixture.live({ perMinute: 1 })
    const [ping] = getOperations(documented.document)
    // The minute may change between two calls, so it takes up to four calls to exceed a limit of one.
    const answers = [await fixture.get('/ping', key), await fixture.get('/ping', key), await fixture.get('/ping', key), await fixture.get('/ping', key)]
    const limited = answers.find(({ status }) => status === 429)
    if (!(ping && limited)) throw new Error('No call exceeded the limit.')
    documented.expect(limited, ping, 'over the limit')
  })

  test('`limit` has no maximum in the OpenAPI document, and large values are accepted', async () => {
    const documented = await Documented.by(fixture)
    const limit = getOperations(documented.document)
      .find(({ path }) => path === '/rates')
      ?.operation.parameters.find(({ name }) => name === 'limit')
    expect([limit?.schema['minimum'], limit?.schema['maximum']]).toEqual([1, undefined])
    const { key } = await fixture.test()
    for (const digits of [15, 16, 40]) expect((await fixture.get(`/rates?limit=${'9'.repeat(digits)}`, key)).body.meta.limit).toBe(50)
  })
})
