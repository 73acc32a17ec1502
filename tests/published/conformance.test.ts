import { expect, test } from 'vitest'
import { type Caller, onEachMount, type Stage } from '../v1/support/stage.ts'
import { Documented, exampleTarget } from './support/documented.ts'
import { type Named, operationsOf } from './support/open-api.ts'
import { busyTestKey } from './support/test-key.ts'

const isAnnounced = ({ operation }: Named) => operation['x-svc-availability'] === 'coming-soon'

const withQuery = (target: string, query: string) => (query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`)

async function checkSampleCall(stage: Stage, documented: Documented, named: Named, key: string): Promise<void> {
  const target = exampleTarget(named)
  if (!isAnnounced(named)) expect(target).toBe(named.operation['x-svc-example-call'])
  const answer = await stage.send(named.method, target, key)
  expect([target, answer.status]).toEqual([target, isAnnounced(named) ? 404 : 200])
  documented.expect(answer, named, target)
  const tag = answer.headers.get('etag')
  if (tag !== null) documented.expect(await stage.send(named.method, target, key, { 'if-none-match': tag }), named, `${target} once more`)
}

/** Refused callers by reason: caller, and addition to the query. */
async function refusedCallers(stage: Stage): Promise<[name: string, caller: Caller | null, query: string][]> {
  return [
    ['no key', null, ''],
    ['unknown parameter', await busyTestKey(stage), 'tpye=notice'],
    ['no credits', await stage.live({ credits: 0 }), ''],
    ['no scope', await stage.live({}, { scopes: ['assistant'] }), ''],
    ['lower plan', await stage.live({ plan: 'hobby' }), ''],
    ['under review', await stage.live({ approved: false }), ''],
  ]
}

onEachMount((stage) => {
  test('every operation matches the document with a test key, and its example call works', { timeout: 60_000 }, async () => {
    const documented = await Documented.by(stage)
    const { key } = await busyTestKey(stage)
    for (const named of operationsOf(documented.document)) await checkSampleCall(stage, documented, named, key)
  })

  test('every list matches the document, with and without fields', { timeout: 60_000 }, async () => {
    const documented = await Documented.by(stage)
    const { key } = await busyTestKey(stage)
    const lists = operationsOf(documented.document).filter(({ operation }) => operation.parameters.some(({ name }) => name === 'fields'))
    expect(lists.length).toBeGreaterThan(10)
    for (const named of lists) {
      const example = String(named.operation.parameters.find(({ name }) => name === 'fields')?.example)
      const few = example.split(',')
      // Unpaginated lists take no limit.
      const limit = named.operation.parameters.some(({ name }) => name === 'limit') ? 'limit=1' : ''
      for (const fields of [few.slice(0, 1), few]) {
        const target = withQuery(withQuery(exampleTarget(named), limit), `fields=${fields.join()}`)
        const answer = await stage.send(named.method, target, key)
        expect([target, answer.body.data.length > 0, ...answer.body.data.map(Object.keys)]).toEqual([target, true, ...answer.body.data.map(() => fields)])
        documented.expect(answer, named, target)
      }
      const whole = withQuery(exampleTarget(named), limit)
      documented.expect(await stage.send(named.method, whole, key), named, whole)
    }
  })

  test('every operation matches the document with a live key', { timeout: 60_000 }, async () => {
    const documented = await Documented.by(stage)
    const { key } = await stage.live({ credits: 10_000 })
    const live = { sourceKey: await stage.productKey(), slug: (await stage.get('/reference/providers', key)).body.data[0].slug }
    for (const named of operationsOf(documented.document)) {
      const target = exampleTarget(named, live)
      documented.expect(await stage.send(named.method, target, key), named, target)
    }
  })

  test('refusals of every operation match the document', { timeout: 60_000 }, async () => {
    const documented = await Documented.by(stage)
    const callers = await refusedCallers(stage)
    const attempts = operationsOf(documented.document).flatMap((named) => callers.map((caller) => [named, ...caller] as const))
    for (const [named, name, caller, query] of attempts) {
      const target = withQuery(exampleTarget(named), query)
      documented.expect(await stage.send(named.method, target, caller?.key ?? null), named, `${name}: ${target}`)
    }
  })

  test('a 429 matches the document', async () => {
    const documented = await Documented.by(stage)
    const { key } = await stage.live({ perMinute: 1 })
    const [ping] = operationsOf(documented.document)
    // The minute may change between two calls, so it takes up to four calls to exceed a limit of one.
    const answers = [await stage.get('/ping', key), await stage.get('/ping', key), await stage.get('/ping', key), await stage.get('/ping', key)]
    const limited = answers.find(({ status }) => status === 429)
    if (!(ping && limited)) throw new Error('No call exceeded the limit.')
    documented.expect(limited, ping, 'over the limit')
  })

  test('limit has no maximum in the document, and large values are accepted', async () => {
    const documented = await Documented.by(stage)
    const limit = operationsOf(documented.document)
      .find(({ path }) => path === '/rates')
      ?.operation.parameters.find(({ name }) => name === 'limit')
    expect([limit?.schema['minimum'], limit?.schema['maximum']]).toEqual([1, undefined])
    const { key } = await stage.test()
    for (const digits of [15, 16, 40]) expect((await stage.get(`/rates?limit=${'9'.repeat(digits)}`, key)).body.meta.limit).toBe(50)
  })
})
