import { expect, test } from 'vitest'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { newKey } from '#server/keys/key-secret.ts'
import { createKey, createPartnerKey, type PartnerKeyRequest, revokeKey } from '#server/keys/keys.ts'
import { runCli } from '../published/support/run-cli.ts'
import { verifies } from '../requirements/verifies.ts'
import type { AccountOptions } from '../support/accounts.ts'
import { type ApiAnswer, type Caller, type Fixture, onEachMount } from '../v1/support/fixture.ts'
import { configChanged, inOneMinute } from '../v1/support/operator.ts'

const deprecation = '@1795219200'
const sunset = 'Wed, 30 Jun 2027 23:59:59 GMT'
const plenty = { credits: 100_000, perMinute: 10_000, perDay: 100_000 }

async function partner(fixture: Fixture, options: AccountOptions = {}, request: Partial<PartnerKeyRequest> = {}): Promise<Caller> {
  const account = await fixture.account({ credits: 7, ...options })
  const { id, key } = await createPartnerKey(fixture.pool, { accountId: account.id, ...request })
  return { account, key, keyId: id }
}

function send(fixture: Fixture, method: string, path: string, key: string | null, headers: Record<string, string> = {}): Promise<ApiAnswer> {
  return fixture.raw(method, `/api/v1${path}`, { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers })
}

const get = (fixture: Fixture, path: string, key: string | null, headers: Record<string, string> = {}) => send(fixture, 'GET', path, key, headers)

/** Fetches all rows of a v1 list, page by page. */
async function rowsOfV1(fixture: Fixture, path: string, key: string): Promise<object[]> {
  const rows: object[] = []
  let cursor: string | null = null
  do {
    const { body }: ApiAnswer = await fixture.get(`${path}limit=50${cursor === null ? '' : `&cursor=${cursor}`}`, key)
    rows.push(...body.data)
    cursor = body.meta.nextCursor
  } while (cursor !== null)
  return rows
}

const getCode = ({ status, body }: ApiAnswer) => [status, body?.error]

onEachMount((fixture) => {
  verifies(['legacy/still-works', 'legacy/rates-bare-array'], 'returns all rates of v1 as a bare array', async () => {
    const [{ key }, live] = [await partner(fixture), await fixture.live(plenty)]
    const answer = await get(fixture, '/rates', key)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(answer.body.length).toBeGreaterThan(100)
    expect(answer.body).toEqual(await rowsOfV1(fixture, '/rates?', live.key))
    // Next sends chunked responses, without a Content-Length.
    if (fixture.mount === 'lean') expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.text)))
  })

  test('filters rates by type and provider like v1', async () => {
    const [{ key }, live] = [await partner(fixture), await fixture.live(plenty)]
    const { slug } = (await fixture.get('/reference/providers', live.key)).body.data[0]
    for (const query of ['type=notice', `provider=${slug}`, `type=easy-access&provider=${slug}`]) {
      expect((await get(fixture, `/rates?${query}`, key)).body, query).toEqual(await rowsOfV1(fixture, `/rates?${query}&`, live.key))
    }
    expect(getCode(await get(fixture, '/rates?type=easy-acces', key))).toEqual([400, 'invalid_request'])
    expect(getCode(await get(fixture, '/rates?provider=nobody', key))).toEqual([400, 'invalid_request'])
  })

  verifies('legacy/providers-bare-array', 'returns all providers of v1 as a bare array', async () => {
    const [{ key }, live] = [await partner(fixture), await fixture.live(plenty)]
    const answer = await get(fixture, '/providers', key)
    expect(answer.status).toBe(200)
    expect(answer.body.length).toBeGreaterThan(10)
    expect(answer.body).toEqual(await rowsOfV1(fixture, '/providers?', live.key))
  })

  test('ignores unknown parameters', async () => {
    const { key } = await partner(fixture)
    const plain = await get(fixture, '/providers', key)
    for (const query of ['?page=1&per_page=20', '?', '?limit=0&type=notice', '?a=1&a=2&b=']) {
      const answer = await get(fixture, `/providers${query}`, key)
      expect([query, answer.status, answer.headers.get('etag')]).toEqual([query, 200, plain.headers.get('etag')])
    }
    // The v1 headers X-SVC-Max-Credits and Idempotency-Key are ignored, because nothing is charged.
    expect((await get(fixture, '/providers', key, { 'x-svc-max-credits': 'none', 'idempotency-key': '' })).status).toBe(200)
  })

  test('returns 304 for an unchanged response', async () => {
    const { key } = await partner(fixture)
    const tag = (await get(fixture, '/rates', key)).headers.get('etag') ?? ''
    const again = await get(fixture, '/rates', key, { 'if-none-match': tag })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  verifies(
    ['legacy/deprecation-header', 'legacy/sunset-header', 'legacy/successor-link'],
    'sends the retirement dates and the successor with every response',
    async () => {
      const { key } = await partner(fixture)
      const tag = (await get(fixture, '/rates', key)).headers.get('etag') ?? ''
      const successor = (path: string) => `<https://api.example.test/v1${path}>; rel="successor-version"`
      const calls: [ApiAnswer, number, string][] = [
        [await get(fixture, '/rates', key), 200, successor('/rates')],
        [await get(fixture, '/rates', key, { 'if-none-match': tag }), 304, successor('/rates')],
        [await get(fixture, '/providers', key), 200, successor('/providers')],
        [await get(fixture, '/rates', null), 401, successor('/rates')],
        [await get(fixture, '/rates?type=none', key), 400, successor('/rates')],
        [await get(fixture, '', key), 404, successor('')],
        [await get(fixture, '/none', key), 404, successor('')],
        [await get(fixture, '/rates/abc', key), 404, successor('')],
        [await send(fixture, 'POST', '/rates', key), 404, successor('')],
        [await send(fixture, 'HEAD', '/rates', key), 200, successor('/rates')],
      ]
      for (const [{ status, headers }, expected, link] of calls) {
        expect([status, headers.get('deprecation'), headers.get('sunset'), headers.get('link')]).toEqual([expected, deprecation, sunset, link])
      }
    },
  )

  verifies('legacy/not-metered', 'charges nothing at any balance', async () => {
    const { key, account } = await partner(fixture, { credits: 0 })
    const { status, headers } = await get(fixture, '/rates', key)
    expect([status, headers.get('x-svc-credits-charged'), headers.get('x-svc-credits-balance')]).toEqual([200, '0', '0'])
    expect(await fixture.balance(account)).toBe(0)
    expect(await fixture.ledger(account)).toEqual([])
    const rows = await fixture.sql('SELECT endpoint, status, credits, units FROM request_log WHERE account_id = $1', [account.id])
    expect(rows).toEqual([{ endpoint: 101, status: 200, credits: 0, units: 1 }])
  })

  verifies(
    'legacy/rate-limited',
    'limits a key per minute and an account per day',
    inOneMinute(async () => {
      const { key } = await partner(fixture, { perMinute: 2 })
      const first = await get(fixture, '/rates', key)
      expect([first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')]).toEqual(['2', '1'])
      expect((await get(fixture, '/providers', key)).status).toBe(200)
      const over = await get(fixture, '/rates', key)
      expect(getCode(over)).toEqual([429, 'rate_limited'])
      expect(over.headers.get('retry-after')).toBe(String(over.body.retryAfter))
      const daily = await partner(fixture, { perDay: 1 })
      expect((await get(fixture, '/providers', daily.key)).status).toBe(200)
      expect(getCode(await get(fixture, '/providers', daily.key))).toEqual([429, 'rate_limited'])
    }),
  )

  const command = (email: string, ...args: string[]) => runCli(fixture.databaseUrl, '--json', 'key', 'create', '--account', email, '--mode', 'partner', ...args)

  verifies(
    'legacy/keys-issued-by-admin',
    'lets only an operator create a partner key',
    async () => {
      const { id, email } = await fixture.account()
      const [made, ...refused] = await Promise.all([
        command(email),
        command(email, '--scopes', 'all').catch((error: Error & { stdout: string }) => error.stdout),
        command(email, '--spend-cap', '5').catch((error: Error & { stdout: string }) => error.stdout),
      ])
      const { key, ...shown } = JSON.parse(made)
      expect(shown).toEqual({ id: expect.stringMatching(/^key_\w{16}$/) })
      expect(key).toMatch(/^svc_partner_[0-9A-Za-z]{36}$/)
      expect((await get(fixture, '/rates', key)).status).toBe(200)
      for (const text of refused) expect(JSON.parse(text)).toEqual({ error: "Partner keys don't support --scopes or --spend-cap." })
      // The portal creates keys with `createKey`, and the database rejects any mode other than live and test.
      await expect(createKey(fixture.pool, { accountId: id, mode: 'partner' as Mode, scopes: ['rates:read'] })).rejects.toThrow('mode')
    },
    60_000,
  )

  test('each API rejects keys of the other API, even if they are cached', async () => {
    const account = await fixture.account()
    const { key } = await createPartnerKey(fixture.pool, { accountId: account.id })
    const [live, sample] = [await fixture.getKey(account), await fixture.getKey(account, { mode: 'test' })]
    for (let round = 0; round < 2; round++) {
      expect((await get(fixture, '/rates', key)).status).toBe(200)
      expect(getCode(await fixture.get('/rates', key))).toEqual([401, 'invalid_api_key'])
      expect(getCode(await fixture.get('/ping', key))).toEqual([401, 'invalid_api_key'])
      for (const other of [live.key, sample.key]) {
        expect((await fixture.get('/ping', other)).status).toBe(200)
        expect(getCode(await get(fixture, '/rates', other))).toEqual([401, 'invalid_api_key'])
      }
    }
    const tools = await fixture.raw('POST', '/mcp', { authorization: `Bearer ${key}`, 'content-type': 'application/json' })
    expect(tools.status).toBe(401)
  })

  test('makes the same checks as v1, in the same order', async () => {
    expect(getCode(await get(fixture, '/none', null))).toEqual([401, 'missing_api_key'])
    expect(getCode(await get(fixture, '/none', newKey('partner')))).toEqual([401, 'invalid_api_key'])
    const revoked = await partner(fixture)
    await get(fixture, '/rates', revoked.key)
    await revokeKey(fixture.pool, revoked.keyId)
    expect(getCode(await get(fixture, '/none', revoked.key))).toEqual([403, 'key_revoked'])
    expect(getCode(await get(fixture, '/rates', (await partner(fixture, { approved: false })).key))).toEqual([403, 'account_blocked'])
    const elsewhere = await partner(fixture, {}, { addresses: ['203.0.113.0/24'] })
    expect(getCode(await get(fixture, '/rates', elsewhere.key))).toEqual([403, 'ip_not_allowed'])
    const { key } = await partner(fixture)
    const missing = await get(fixture, '/ratess', key)
    expect(missing.body).toEqual({
      error: 'not_found',
      message: 'This route does not exist. Did you mean "/api/v1/rates"?',
      requestId: missing.headers.get('x-svc-request-id'),
      docs: 'https://api.example.test/docs/errors/not_found',
    })
    expect((await send(fixture, 'POST', '/rates', key)).headers.get('allow')).toBe('GET, HEAD')
  })

  test('reflects market changes immediately', async () => {
    const { key } = await partner(fixture)
    const [first] = (await get(fixture, '/rates', key)).body
    await fixture.sql('UPDATE product SET account_name = $2 WHERE source_key = $1', [first.sourceKey, 'Renamed'])
    await fixture.sql('UPDATE service_state SET market_version = market_version + 1')
    await configChanged(fixture)
    expect((await get(fixture, '/rates', key)).body[0].accountName).toBe('Renamed')
  })
})
