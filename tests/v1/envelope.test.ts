import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { type ApiAnswer, type Fixture, onEachMount } from './support/fixture.ts'
import { configChanged } from './support/operator.ts'
import { launchedCalls } from './support/target.ts'

const isoUtc = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

async function everyAnswer(fixture: Fixture): Promise<{ path: string; kind: string; answer: ApiAnswer }[]> {
  const { key } = await fixture.live({ credits: 10_000 })
  const answers = []
  for (const { path, kind } of await launchedCalls(fixture)) answers.push({ path, kind, answer: await fixture.get(path, key) })
  for (const { path, answer } of answers) expect(answer.status, path).toBe(200)
  return answers
}

onEachMount((fixture) => {
  verifies(['envelope/data-and-meta', 'envelope/attribution'], async () => {
    for (const { path, kind, answer } of await everyAnswer(fixture)) {
      expect(answer.headers.get('content-type'), path).toBe('application/json; charset=utf-8')
      expect(Object.keys(answer.body), path).toEqual(['data', 'meta'])
      const changes = ['/rates', '/providers', '/switch-offers'].includes(path.split('?')[0] ?? '') ? ['updatedUntil'] : []
      const paging = kind === 'list' ? ['limit', 'nextCursor', ...changes] : []
      const names = ['requestId', 'generatedAt', 'creditsCharged', 'creditsBalance', 'attribution', ...paging, 'sample']
      expect(Object.keys(answer.body.meta).toSorted(), path).toEqual(names.toSorted())
      expect(answer.body.meta.attribution, path).toBe('Data: Savings Rates Data API, used under the Data Licence v2026-09')
      expect(answer.body.meta.sample, path).toBe(false)
    }
  })

  verifies(['envelope/data-is-object-for-single-items', 'envelope/data-is-array-for-lists'], async () => {
    for (const { path, kind, answer } of await everyAnswer(fixture)) {
      expect(Array.isArray(answer.body.data) ? 'list' : typeof answer.body.data, path).toBe(kind === 'list' ? 'list' : 'object')
    }
  })

  verifies(['envelope/request-id', 'envelope/request-id-equals-header', 'headers/request-id'], async () => {
    const seen = new Set<string>()
    const answers = await everyAnswer(fixture)
    for (const { path, answer } of answers) {
      expect(answer.body.meta.requestId, path).toMatch(/^req_[0-9a-f]{32}$/)
      expect(answer.headers.get('x-svc-request-id'), path).toBe(answer.body.meta.requestId)
      seen.add(answer.body.meta.requestId)
    }
    expect(seen.size).toBe(answers.length)
  })

  verifies(['envelope/generated-at', 'formats/dates-iso-8601-utc'], async () => {
    const before = Date.now()
    const { key } = await fixture.live()
    await configChanged(fixture)
    const product = await fixture.productKey()
    const rate = await fixture.get(`/rates/${product}`, key)
    const link = await fixture.get(`/rates/${product}/link`, key)
    const me = await fixture.get('/me', key)
    const fscs = await fixture.get('/reference/fscs', key)
    const moments = [rate.body.meta.generatedAt, link.body.meta.generatedAt, me.body.meta.generatedAt, fscs.body.meta.generatedAt]
    for (const moment of moments) {
      expect(moment).toMatch(isoUtc)
      expect(Date.parse(moment)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(moment)).toBeLessThanOrEqual(Date.now())
    }
    for (const moment of [rate.body.data.updatedAt, link.body.data.checkedAt, me.body.data.key.createdAt, me.body.data.usage.asOf])
      expect(moment).toMatch(isoUtc)
    for (const row of fscs.body.data) expect(row.verifiedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })

  verifies(['envelope/credits-charged', 'envelope/credits-balance', 'headers/credits-charged', 'headers/credits-balance'], async () => {
    const { key, account } = await fixture.live({ credits: 1_000 })
    const product = await fixture.productKey()
    const prices: [string, number][] = [
      ['/ping', 0],
      ['/me', 0],
      ['/rates?limit=7', 7],
      [`/rates/${product}`, 1],
      [`/rates/${product}/link`, 1],
      ['/reference/fscs', 1],
    ]
    let balance = 1_000
    for (const [path, price] of prices) {
      const { body, headers } = await fixture.get(path, key)
      balance -= price
      expect({ path, charged: body.meta.creditsCharged, balance: body.meta.creditsBalance }).toEqual({ path, charged: price, balance })
      expect(headers.get('x-svc-credits-charged'), path).toBe(String(price))
      expect(headers.get('x-svc-credits-balance'), path).toBe(String(balance))
      expect(await fixture.balance(account), path).toBe(balance)
    }
  })

  verifies(['envelope/limit-on-lists', 'envelope/next-cursor-on-lists', 'envelope/next-cursor-null-at-end'], async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    const first = await fixture.get('/rates?type=lifetime-isa&limit=20', key)
    expect(first.body.data).toHaveLength(20)
    expect(first.body.meta.limit).toBe(20)
    expect(first.body.meta.nextCursor).toMatch(/^[A-Za-z0-9_-]{20,}$/)
    const last = await fixture.get(`/rates?type=lifetime-isa&limit=20&cursor=${first.body.meta.nextCursor}`, key)
    expect(last.body.data).toHaveLength(10)
    expect(last.body.meta).toMatchObject({ limit: 20, nextCursor: null })
    const exact = await fixture.get('/rates?type=lifetime-isa&limit=30', key)
    expect(exact.body.data).toHaveLength(30)
    expect(exact.body.meta.nextCursor).toBeNull()
    const whole = await fixture.get('/reference/account-types', key)
    expect(whole.body.meta).toMatchObject({ limit: 10, nextCursor: null })
  })

  verifies(['envelope/sample-on-test-keys', 'headers/mode-test', 'headers/sample-data'], async () => {
    const account = await fixture.account()
    for (const { path } of await launchedCalls(fixture, 'sample')) {
      // One test key per call, because ten calls a minute are not enough.
      const { key } = await fixture.getKey(account, { mode: 'test' })
      const answer = await fixture.get(path, key)
      expect([path, answer.status]).toEqual([path, 200])
      expect(answer.body.meta.sample, path).toBe(true)
      expect(answer.headers.get('x-svc-mode'), path).toBe('test')
      expect(answer.headers.get('x-svc-sample-data'), path).toBe('true')
    }
    const test = await fixture.test()
    const refused = await fixture.get('/rates?limit=0', test.key)
    expect([refused.status, refused.headers.get('x-svc-mode'), refused.headers.get('x-svc-sample-data')]).toEqual([400, 'test', 'true'])
    const { key } = await fixture.live()
    const live = await fixture.get('/ping', key)
    expect([live.headers.get('x-svc-mode'), live.headers.get('x-svc-sample-data')]).toEqual([null, null])
  })

  verifies(['headers/rate-limit-limit', 'headers/rate-limit-remaining', 'headers/rate-limit-reset', 'headers/etag', 'request/etag-weak'], async () => {
    for (const { path, answer } of await everyAnswer(fixture)) {
      expect(answer.headers.get('x-ratelimit-limit'), path).toBe('600')
      expect(answer.headers.get('x-ratelimit-remaining'), path).toMatch(/^5\d\d$/)
      expect(Number(answer.headers.get('x-ratelimit-reset')), path).toBeGreaterThanOrEqual(1)
      expect(Number(answer.headers.get('x-ratelimit-reset')), path).toBeLessThanOrEqual(60)
      expect(answer.headers.get('etag'), path).toMatch(/^W\/"[^"]+"$/)
    }
  })

  verifies(['request/cache-control', 'request/vary'], async () => {
    const { key } = await fixture.live()
    for (const [path, status] of [
      ['/ping', 200],
      ['/rates', 200],
      ['/rates/none', 404],
      ['/rates?limit=0', 400],
    ] as const) {
      const answer = await fixture.get(path, key)
      expect(answer.status).toBe(status)
      expect(answer.headers.get('cache-control'), path).toBe('private, no-cache')
      // On its own mount, Next adds other names to Vary, but these two must be among them.
      const vary = (answer.headers.get('vary') ?? '').split(',').map((name) => name.trim())
      expect(vary, path).toEqual(expect.arrayContaining(['Authorization', 'Accept-Encoding']))
    }
  })

  verifies('headers/cache-says-shared', async () => {
    await configChanged(fixture)
    const one = await fixture.live()
    const other = await fixture.live()
    const first = await fixture.get('/rates?limit=4', one.key)
    const second = await fixture.get('/rates?limit=4', other.key)
    expect([first.headers.get('x-svc-cache'), second.headers.get('x-svc-cache')]).toEqual(['miss', 'hit'])
    expect((await fixture.get('/me', one.key)).headers.get('x-svc-cache')).toBe('miss')
    expect((await fixture.get('/me', one.key)).headers.get('x-svc-cache')).toBe('miss')
  })

  verifies(
    ['request/generated-at-of-shared-result', 'request/balance-of-this-request', 'sharing/each-request-charged', 'sharing/each-request-counted'],
    async () => {
      await configChanged(fixture)
      const one = await fixture.live({ credits: 50 })
      const other = await fixture.live({ credits: 80 })
      const first = await fixture.get('/rates?limit=5', one.key)
      const second = await fixture.get('/rates?limit=5', other.key)
      const third = await fixture.get('/rates?limit=5', other.key)
      expect([second.headers.get('x-svc-cache'), third.headers.get('x-svc-cache')]).toEqual(['hit', 'hit'])
      expect(second.body.data).toEqual(first.body.data)
      expect([second.body.meta.generatedAt, third.body.meta.generatedAt]).toEqual([first.body.meta.generatedAt, first.body.meta.generatedAt])
      expect([first, second, third].map(({ body }) => [body.meta.creditsCharged, body.meta.creditsBalance])).toEqual([
        [5, 45],
        [5, 75],
        [5, 70],
      ])
      expect(new Set([first, second, third].map(({ body }) => body.meta.requestId)).size).toBe(3)
      const counted = await fixture.sql('SELECT r.status, r.credits FROM request_log r WHERE r.account_id = $1 ORDER BY r.id', [other.account.id])
      expect(counted).toEqual([
        { status: 200, credits: 5 },
        { status: 200, credits: 5 },
      ])
    },
  )
})
