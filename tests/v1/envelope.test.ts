import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { sharedFactsChanged } from './support/operator.ts'
import { type ApiAnswer, onEachMount, type Stage } from './support/stage.ts'
import { launchedCalls } from './support/target.ts'

const isoUtc = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

async function everyAnswer(stage: Stage): Promise<{ path: string; kind: string; answer: ApiAnswer }[]> {
  const { key } = await stage.live({ credits: 10_000 })
  const answers = []
  for (const { path, kind } of await launchedCalls(stage)) answers.push({ path, kind, answer: await stage.get(path, key) })
  for (const { path, answer } of answers) expect(answer.status, path).toBe(200)
  return answers
}

onEachMount((stage) => {
  verifies(['envelope/data-and-meta', 'envelope/attribution'], async () => {
    for (const { path, kind, answer } of await everyAnswer(stage)) {
      expect(answer.headers.get('content-type'), path).toBe('application/json; charset=utf-8')
      expect(Object.keys(answer.body), path).toEqual(['data', 'meta'])
      const paging = kind === 'list' ? ['limit', 'nextCursor'] : []
      const names = ['requestId', 'generatedAt', 'creditsCharged', 'creditsBalance', 'attribution', ...paging, 'sample']
      expect(Object.keys(answer.body.meta).toSorted(), path).toEqual(names.toSorted())
      expect(answer.body.meta.attribution, path).toBe('Data: Savings Rates Data API, used under the Data Licence v2026-09')
      expect(answer.body.meta.sample, path).toBe(false)
    }
  })

  verifies(['envelope/data-is-object-for-single-items', 'envelope/data-is-array-for-lists'], async () => {
    for (const { path, kind, answer } of await everyAnswer(stage)) {
      expect(Array.isArray(answer.body.data) ? 'list' : typeof answer.body.data, path).toBe(kind === 'list' ? 'list' : 'object')
    }
  })

  verifies(['envelope/request-id', 'envelope/request-id-equals-header', 'headers/request-id'], async () => {
    const seen = new Set<string>()
    const answers = await everyAnswer(stage)
    for (const { path, answer } of answers) {
      expect(answer.body.meta.requestId, path).toMatch(/^req_[0-9a-f]{32}$/)
      expect(answer.headers.get('x-svc-request-id'), path).toBe(answer.body.meta.requestId)
      seen.add(answer.body.meta.requestId)
    }
    expect(seen.size).toBe(answers.length)
  })

  verifies(['envelope/generated-at', 'formats/dates-iso-8601-utc'], async () => {
    const before = Date.now()
    const { key } = await stage.live()
    await sharedFactsChanged(stage)
    const product = await stage.productKey()
    const rate = await stage.get(`/rates/${product}`, key)
    const link = await stage.get(`/rates/${product}/link`, key)
    const me = await stage.get('/me', key)
    const fscs = await stage.get('/reference/fscs', key)
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
    const { key, account } = await stage.live({ credits: 1_000 })
    const product = await stage.productKey()
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
      const { body, headers } = await stage.get(path, key)
      balance -= price
      expect({ path, charged: body.meta.creditsCharged, balance: body.meta.creditsBalance }).toEqual({ path, charged: price, balance })
      expect(headers.get('x-svc-credits-charged'), path).toBe(String(price))
      expect(headers.get('x-svc-credits-balance'), path).toBe(String(balance))
      expect(await stage.balance(account), path).toBe(balance)
    }
  })

  verifies(['envelope/limit-on-lists', 'envelope/next-cursor-on-lists', 'envelope/next-cursor-null-at-end'], async () => {
    const { key } = await stage.live({ credits: 1_000 })
    const first = await stage.get('/rates?type=lifetime-isa&limit=20', key)
    expect(first.body.data).toHaveLength(20)
    expect(first.body.meta.limit).toBe(20)
    expect(first.body.meta.nextCursor).toMatch(/^[A-Za-z0-9_-]{20,}$/)
    const last = await stage.get(`/rates?type=lifetime-isa&limit=20&cursor=${first.body.meta.nextCursor}`, key)
    expect(last.body.data).toHaveLength(10)
    expect(last.body.meta).toMatchObject({ limit: 20, nextCursor: null })
    const exact = await stage.get('/rates?type=lifetime-isa&limit=30', key)
    expect(exact.body.data).toHaveLength(30)
    expect(exact.body.meta.nextCursor).toBeNull()
    const whole = await stage.get('/reference/account-types', key)
    expect(whole.body.meta).toMatchObject({ limit: 10, nextCursor: null })
  })

  verifies(['envelope/sample-on-test-keys', 'headers/mode-test', 'headers/sample-data'], async () => {
    const account = await stage.account()
    for (const { path } of await launchedCalls(stage, 'sample')) {
      // One test key per call, because ten calls a minute are not enough.
      const { key } = await stage.keyOf(account, { mode: 'test' })
      const answer = await stage.get(path, key)
      expect([path, answer.status]).toEqual([path, 200])
      expect(answer.body.meta.sample, path).toBe(true)
      expect(answer.headers.get('x-svc-mode'), path).toBe('test')
      expect(answer.headers.get('x-svc-sample-data'), path).toBe('true')
    }
    const test = await stage.test()
    const refused = await stage.get('/rates?limit=0', test.key)
    expect([refused.status, refused.headers.get('x-svc-mode'), refused.headers.get('x-svc-sample-data')]).toEqual([400, 'test', 'true'])
    const { key } = await stage.live()
    const live = await stage.get('/ping', key)
    expect([live.headers.get('x-svc-mode'), live.headers.get('x-svc-sample-data')]).toEqual([null, null])
  })

  verifies(['headers/rate-limit-limit', 'headers/rate-limit-remaining', 'headers/rate-limit-reset', 'headers/etag', 'request/etag-weak'], async () => {
    for (const { path, answer } of await everyAnswer(stage)) {
      expect(answer.headers.get('x-ratelimit-limit'), path).toBe('600')
      expect(answer.headers.get('x-ratelimit-remaining'), path).toMatch(/^5\d\d$/)
      expect(Number(answer.headers.get('x-ratelimit-reset')), path).toBeGreaterThanOrEqual(1)
      expect(Number(answer.headers.get('x-ratelimit-reset')), path).toBeLessThanOrEqual(60)
      expect(answer.headers.get('etag'), path).toMatch(/^W\/"[^"]+"$/)
    }
  })

  verifies(['request/cache-control', 'request/vary'], async () => {
    const { key } = await stage.live()
    for (const [path, status] of [
      ['/ping', 200],
      ['/rates', 200],
      ['/rates/none', 404],
      ['/rates?limit=0', 400],
    ] as const) {
      const answer = await stage.get(path, key)
      expect(answer.status).toBe(status)
      expect(answer.headers.get('cache-control'), path).toBe('private, no-cache')
      // Next adds more values on its mount; these two must be among them.
      const vary = (answer.headers.get('vary') ?? '').split(',').map((name) => name.trim())
      expect(vary, path).toEqual(expect.arrayContaining(['Authorization', 'Accept-Encoding']))
    }
  })

  verifies('headers/cache-says-shared', async () => {
    await sharedFactsChanged(stage)
    const one = await stage.live()
    const other = await stage.live()
    const first = await stage.get('/rates?limit=4', one.key)
    const second = await stage.get('/rates?limit=4', other.key)
    expect([first.headers.get('x-svc-cache'), second.headers.get('x-svc-cache')]).toEqual(['miss', 'hit'])
    expect((await stage.get('/me', one.key)).headers.get('x-svc-cache')).toBe('miss')
    expect((await stage.get('/me', one.key)).headers.get('x-svc-cache')).toBe('miss')
  })

  verifies(
    ['request/generated-at-of-shared-result', 'request/balance-of-this-request', 'sharing/each-request-charged', 'sharing/each-request-counted'],
    async () => {
      await sharedFactsChanged(stage)
      const one = await stage.live({ credits: 50 })
      const other = await stage.live({ credits: 80 })
      const first = await stage.get('/rates?limit=5', one.key)
      const second = await stage.get('/rates?limit=5', other.key)
      const third = await stage.get('/rates?limit=5', other.key)
      expect([second.headers.get('x-svc-cache'), third.headers.get('x-svc-cache')]).toEqual(['hit', 'hit'])
      expect(second.body.data).toEqual(first.body.data)
      expect([second.body.meta.generatedAt, third.body.meta.generatedAt]).toEqual([first.body.meta.generatedAt, first.body.meta.generatedAt])
      expect([first, second, third].map(({ body }) => [body.meta.creditsCharged, body.meta.creditsBalance])).toEqual([
        [5, 45],
        [5, 75],
        [5, 70],
      ])
      expect(new Set([first, second, third].map(({ body }) => body.meta.requestId)).size).toBe(3)
      const counted = await stage.sql('SELECT r.status, r.credits FROM request_log r WHERE r.account_id = $1 ORDER BY r.id', [other.account.id])
      expect(counted).toEqual([
        { status: 200, credits: 5 },
        { status: 200, credits: 5 },
      ])
    },
  )
})
