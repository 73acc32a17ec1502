import { describe, expect, test } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { type ApiAnswer, onEachMount } from './support/fixture.ts'
import { launchedCalls } from './support/target.ts'

/** Headers that differ between two requests with the same response. Next sends bodies in chunks, without their length. */
const ofRequest = /^(?:date|transfer-encoding|x-svc-request-id|x-svc-credits-balance|x-svc-cache|x-ratelimit-(?:remaining|reset)|ratelimit)$/

const lastingHeaders = ({ headers }: ApiAnswer) => [...headers].filter(([name]) => !ofRequest.test(name))

onEachMount((fixture) => {
  const send = (method: string, path: string, key: string | null, headers: Record<string, string> = {}) =>
    fixture.raw(method, path, { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers })

  verifies('request/head', async () => {
    const { account } = await fixture.test()
    for (const { path } of await launchedCalls(fixture, 'sample')) {
      if (path === '/me') continue
      // A new key for each endpoint: test keys may make ten calls a minute.
      const { key } = await fixture.getKey(account, { mode: 'test' })
      const [head, get] = [await send('HEAD', `/v1${path}`, key), await send('GET', `/v1${path}`, key)]
      const isAboutRequest = path === '/ping'
      const kept = (answer: ApiAnswer) => lastingHeaders(answer).filter(([name]) => !(isAboutRequest && name === 'etag'))
      expect([path, head.status, head.text]).toEqual([path, 200, ''])
      expect(kept(head)).toEqual(kept(get))
      if (fixture.mount === 'lean') expect(head.headers.get('content-length'), path).toBe(String(Buffer.byteLength(get.text)))
    }
  })

  verifies('request/head', 'works with a live key on free endpoints, in every format, and for errors', async () => {
    const { key } = await fixture.live({ credits: 0 })
    const sample = await fixture.test()
    const cases: [string, string | null, Record<string, string>, number][] = [
      ['/v1/me', key, {}, 200],
      ['/v1/rates?limit=2', sample.key, { accept: 'text/csv' }, 200],
      ['/v1/rates?limit=0', key, {}, 400],
      ['/v1/rates/none', key, {}, 404],
      ['/v1/none', key, {}, 404],
      ['/v1/market/overview', key, {}, 403],
      ['/v1/rates', null, {}, 401],
    ]
    for (const [path, caller, headers, status] of cases) {
      const [head, get] = [await send('HEAD', path, caller, headers), await send('GET', path, caller, headers)]
      expect([path, head.status, head.text, head.headers.get('content-type')]).toEqual([path, status, '', get.headers.get('content-type')])
      if (path !== '/v1/me') expect([path, head.headers.get('content-length')]).toEqual([path, get.headers.get('content-length')])
    }
    const wrong = await send('HEAD', '/v1/assistant', key)
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([404, 'POST'])
  })

  verifies('request/head-free', async () => {
    const { key, account } = await fixture.live({ credits: 3 })
    const before = await fixture.ledger(account)
    for (const { path } of (await launchedCalls(fixture)).filter((one) => one.path !== '/ping' && one.path !== '/me')) {
      const head = await send('HEAD', `/v1${path}`, key)
      expect([path, head.status, head.text, head.headers.get('x-svc-credits-charged')]).toEqual([path, 200, '', '0'])
      for (const name of ['etag', 'content-length', 'link', 'x-svc-next-cursor', 'x-svc-limit-reduced', 'transfer-encoding'])
        expect(head.headers.get(name), `${path} ${name}`).toBeNull()
      expect(head.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(head.headers.get('x-svc-credits-balance')).toBe('3')
      expect(head.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/)
    }
    expect([await fixture.balance(account), await fixture.ledger(account)]).toEqual([3, before])
    // Every HEAD counts as a request.
    const [row] = await fixture.sql<{ calls: string }>('SELECT count(*) AS calls FROM request_log WHERE account_id = $1 AND credits = 0', [account.id])
    expect(Number(row?.calls)).toBeGreaterThan(15)
  })

  verifies('request/head-free', 'ignores the balance and the spending headers, but not the other checks', async () => {
    const { key } = await fixture.live({ credits: 0, plan: 'hobby' })
    expect((await send('HEAD', '/v1/rates', key, { 'x-svc-max-credits': '0', 'idempotency-key': 'head' })).status).toBe(200)
    expect((await send('HEAD', '/v1/rates', key, { 'x-svc-max-credits': 'many' })).status).toBe(400)
    expect((await send('HEAD', '/v1/history', key)).status).toBe(403)
    expect((await send('HEAD', '/v1/rates', key, { accept: 'text/csv' })).headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    // The Idempotency-Key is still unused.
    const paid = await fixture.live({ credits: 10 })
    await send('HEAD', '/v1/rates?limit=2', paid.key, { 'idempotency-key': 'order' })
    const get = await fixture.get('/rates?limit=3', paid.key, { 'idempotency-key': 'order' })
    expect([get.status, get.body.meta.creditsCharged]).toEqual([200, 3])
  })

  verifies('request/head-free', 'returns 304 for a current ETag, and keeps the connection open', async () => {
    const { key } = await fixture.live()
    const etag = (await fixture.get('/rates?limit=2', key)).headers.get('etag') ?? ''
    for (const [tag, status] of [
      [etag, 304],
      ['W/"other"', 200],
      ['*', 200],
    ] as const) {
      const head = await send('HEAD', '/v1/rates?limit=2', key, { 'if-none-match': tag })
      expect([tag, head.status, head.headers.get('etag'), head.headers.get('connection')]).toEqual([tag, status, status === 304 ? etag : null, 'keep-alive'])
    }
  })

  describe('outside the API', () => {
    // The plain listener serves no pages here.
    const pages = fixture.mount === 'next' ? ['/docs', '/robots.txt', '/api/search?q=isa'] : []
    test.each(['/healthz', '/readyz', '/api/developer/openapi.json', '/api/developer/postman.json', ...pages])(
      'HEAD %s has the status and type of GET, and no body',
      async (path) => {
        const [head, get] = [await send('HEAD', path, null), await send('GET', path, null)]
        expect([head.status, head.text, head.headers.get('content-type')]).toEqual([get.status, '', get.headers.get('content-type')])
        expect(get.status).toBe(200)
      },
    )

    test('HEAD /mcp returns 405 with Allow and no body', async () => {
      const answer = await send('HEAD', '/mcp', null)
      expect([answer.status, answer.text, answer.headers.get('allow')]).toEqual([405, '', 'POST'])
    })
  })
})
