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

/** Callers who are refused, each for a reason of its own: who, and what is added to the query. */
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
  test('every operation answers a test key as the document says, and its example call is answered', { timeout: 60_000 }, async () => {
    const documented = await Documented.by(stage)
    const { key } = await busyTestKey(stage)
    for (const named of operationsOf(documented.document)) await checkSampleCall(stage, documented, named, key)
  })

  test('every list answers as the document says, whether fields trims its rows or not', { timeout: 60_000 }, async () => {
    const documented = await Documented.by(stage)
    const { key } = await busyTestKey(stage)
    const lists = operationsOf(documented.document).filter(({ operation }) => operation.parameters.some(({ name }) => name === 'fields'))
    expect(lists.length).toBeGreaterThan(10)
    for (const named of lists) {
      const example = String(named.operation.parameters.find(({ name }) => name === 'fields')?.example)
      const few = example.split(',')
      // A list that comes whole takes no limit.
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

  test('every operation answers a live key as the document says', { timeout: 60_000 }, async () => {
    const documented = await Documented.by(stage)
    const { key } = await stage.live({ credits: 10_000 })
    const live = { sourceKey: await stage.productKey(), slug: (await stage.get('/reference/providers', key)).body.data[0].slug }
    for (const named of operationsOf(documented.document)) {
      const target = exampleTarget(named, live)
      documented.expect(await stage.send(named.method, target, key), named, target)
    }
  })

  test('every operation refuses as the document says', { timeout: 60_000 }, async () => {
    const documented = await Documented.by(stage)
    const callers = await refusedCallers(stage)
    const attempts = operationsOf(documented.document).flatMap((named) => callers.map((caller) => [named, ...caller] as const))
    for (const [named, name, caller, query] of attempts) {
      const target = withQuery(exampleTarget(named), query)
      documented.expect(await stage.send(named.method, target, caller?.key ?? null), named, `${name}: ${target}`)
    }
  })

  test('a limit that is reached is told as the document says', async () => {
    const documented = await Documented.by(stage)
    const { key } = await stage.live({ perMinute: 1 })
    const [ping] = operationsOf(documented.document)
    // The minute may turn between two calls, so it takes up to four to meet a limit of one.
    const answers = [await stage.get('/ping', key), await stage.get('/ping', key), await stage.get('/ping', key), await stage.get('/ping', key)]
    const limited = answers.find(({ status }) => status === 429)
    if (!(ping && limited)) throw new Error('No call was over the limit.')
    documented.expect(limited, ping, 'over the limit')
  })

  test('a limit has no maximum in the document, and none is refused for being large', async () => {
    const documented = await Documented.by(stage)
    const limit = operationsOf(documented.document)
      .find(({ path }) => path === '/rates')
      ?.operation.parameters.find(({ name }) => name === 'limit')
    expect([limit?.schema['minimum'], limit?.schema['maximum']]).toEqual([1, undefined])
    const { key } = await stage.test()
    for (const digits of [15, 16, 40]) expect((await stage.get(`/rates?limit=${'9'.repeat(digits)}`, key)).body.meta.limit).toBe(50)
  })
})
