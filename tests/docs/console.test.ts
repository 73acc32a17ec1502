import { afterAll, beforeAll, expect, test } from 'vitest'
import { blockAccount, serviceAccount, unblockAccount } from '#server/accounts/accounts.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { revokeAllKeys } from '#server/keys/manage-own-keys.ts'
import { consoleKey } from '#server/runtime/console-key.ts'
import { closeAbandoned, emptyAccount } from '#server/self-service/close-account.ts'
import { Fixture } from '../v1/support/fixture.ts'

const fixture = new Fixture('next')
const secret = 'the secret of this service, for the console'
beforeAll(() => fixture.open({ TRUST_PROXY: '127.0.0.1,::1', NEXTAUTH_SECRET: secret }))
afterAll(() => fixture.close())

type Answer = { status: number; headers: [string, string][]; body: string; tookMs: number }

async function send(body: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${fixture.service.origin}/console/call`, { method: 'POST', body, headers })
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

const call = (target: string, headers: Record<string, string> = {}) => send(JSON.stringify({ target }), headers)

const from = (address: string) => ({ 'X-Forwarded-For': address })

test('returns the response that a test key would get, and its duration', async () => {
  const { key } = await fixture.test()
  const { status, headers, body, tookMs } = await call('/rates?limit=3', from('203.0.113.1'))
  const expected = await fixture.get('/rates?limit=3', key)
  expect(status).toBe(200)
  expect(JSON.parse(body).data).toEqual(expected.body.data)
  expect(JSON.parse(body).meta).toMatchObject({ sample: true, creditsCharged: 0 })
  const shown = new Headers(headers)
  expect(shown.get('x-svc-mode')).toBe('test')
  expect(shown.get('x-svc-credits-charged')).toBe('0')
  expect(shown.get('content-length')).toBe(String(Buffer.byteLength(body)))
  expect(tookMs).toBeGreaterThanOrEqual(0)
})

test('never returns live data, regardless of the credentials in the request', async () => {
  const live = await fixture.live()
  const product = await fixture.productKey('live')
  const answers = [
    await call(`/rates/${product}`, { ...from('203.0.113.2'), Authorization: `Bearer ${live.key}`, Cookie: `key=${live.key}` }),
    await call(`/rates/${product}?api_key=${live.key}`, from('203.0.113.2')),
    await send(JSON.stringify({ target: `/rates/${product}`, key: live.key, headers: { authorization: `Bearer ${live.key}` } }), from('203.0.113.2')),
  ]
  for (const { status, body } of answers) expect([status, JSON.parse(body).error]).toEqual([404, 'not_found'])
  expect(await fixture.balance(live.account)).toBe(100)
  const [made] = await fixture.sql<{ modes: string[] }>(
    `SELECT array_agg(DISTINCT k.mode::text) AS modes FROM request_log r JOIN api_key k ON k.id = r.key_id JOIN account a ON a.id = k.account_id WHERE a.email = 'console@site.invalid'`,
  )
  expect(made?.modes).toEqual(['test'])
})

test('concurrent first calls create one key, and the service account has no password and no credits', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, at) => call('/ping', from(`203.0.113.${10 + at}`))))
  const rows = await fixture.sql(
    `SELECT a.password_hash, a.email_verified_at, w.balance::int, (SELECT count(*)::int FROM api_key k WHERE k.account_id = a.id) AS keys
     FROM account a JOIN wallet w ON w.account_id = a.id WHERE a.email = 'console@site.invalid'`,
  )
  expect(rows).toEqual([{ password_hash: null, email_verified_at: null, balance: 0, keys: 1 }])
})

test('keeps working after the age at which other unconfirmed accounts are closed', async () => {
  await call('/ping', from('203.0.113.32'))
  await fixture.sql("UPDATE account SET created_at = now() - interval '31 days' WHERE email = 'console@site.invalid'")
  await closeAbandoned({ pool: fixture.pool })
  expect((await call('/ping', from('203.0.113.33'))).status).toBe(200)
  expect(await fixture.sql("SELECT FROM account WHERE email = 'console@site.invalid' AND closed_at IS NULL")).toHaveLength(1)
})

const email = 'console@site.invalid'

/** Gets the console's key as the first console call after a restart does. */
const getKeyAfterRestart = () => consoleKey(fixture.pool, secret)()

/** Closes the console's account like any other account. */
const closeIt = async () => {
  const id = await serviceAccount(fixture.pool, email)
  await inTransaction(fixture.pool, async (client) => {
    await revokeAllKeys(client, id)
    await emptyAccount(client, id)
  })
}

const endIt = () =>
  fixture.sql(`WITH k AS (UPDATE api_key SET revoked_at = now() WHERE account_id = (SELECT id FROM account WHERE email = '${email}') RETURNING id)
    UPDATE key_meter m SET version = m.version + 1, ends_at = 'epoch' FROM k WHERE m.key_id = k.id`)

test.each([
  ['account was closed', closeIt],
  ['key was revoked', endIt],
])('works again in every process after a restart, even if its %s', async (_, lose) => {
  await call('/ping', from('203.0.113.60'))
  await lose()
  expect((await call('/ping', from('203.0.113.61'))).status).toBe(403)
  await Promise.all(Array.from({ length: 4 }, getKeyAfterRestart))
  expect(await fixture.sql('SELECT FROM account WHERE email = $1 AND closed_at IS NULL', [email])).toHaveLength(1)
  expect((await call('/ping', from('203.0.113.62'))).status).toBe(200)
  const kept = await fixture.sql(
    `SELECT a.email, a.closed_at, k.revoked_at, m.ends_at, m.account_id = k.account_id AS is_one FROM api_key k
     JOIN key_meter m ON m.key_id = k.id JOIN account a ON a.id = k.account_id WHERE k.name = 'Console of the site'`,
  )
  expect(kept).toEqual([{ email, closed_at: null, revoked_at: null, ends_at: null, is_one: true }])
})

test("keeps the console's account blocked after a restart", async () => {
  await call('/ping', from('203.0.113.63'))
  await blockAccount(fixture.pool, email, null)
  await getKeyAfterRestart()
  expect((await call('/ping', from('203.0.113.64'))).status).toBe(403)
  await unblockAccount(fixture.pool, email)
  expect((await call('/ping', from('203.0.113.65'))).status).toBe(200)
})

test('returns API errors unchanged, and 404 for malformed console requests', async () => {
  const typo = await call('/rates?tpye=notice', from('203.0.113.30'))
  expect([typo.status, JSON.parse(typo.body)]).toMatchObject([400, { error: 'invalid_request', message: expect.stringContaining('"type"') }])
  for (const body of [
    '',
    'no JSON',
    '[]',
    '{"target":7}',
    '{"target":"rates"}',
    '{"target":"https://other.example/v1/rates"}',
    `{"target":"/${'a'.repeat(5_000)}"}`,
  ]) {
    expect([body.slice(0, 40), (await send(body, from('203.0.113.31'))).status]).toEqual([body.slice(0, 40), 404])
  }
})

test('limits each address separately, and returns 429 over the limit', async () => {
  const { limit } = { limit: 30 }
  let last: Answer | null = null
  let sent = 0
  // The rate limit count restarts if a new minute begins between the calls.
  while (last?.status !== 429 && sent < 3 * limit) {
    last = await call('/ping', from('203.0.113.40'))
    sent++
  }
  const shown = new Headers(last?.headers)
  const fault = JSON.parse(last?.body ?? '{}')
  expect(last?.status).toBe(429)
  expect(sent).toBeGreaterThan(limit)
  expect(fault).toMatchObject({
    error: 'rate_limited',
    message: `Too many calls. Try again in ${fault.retryAfter} seconds.`,
    requestId: expect.stringMatching(/^req_[0-9a-f]{32}$/),
  })
  expect(shown.get('retry-after')).toBe(String(fault.retryAfter))
  expect([shown.get('x-ratelimit-limit'), shown.get('x-ratelimit-remaining')]).toEqual([String(limit), '0'])
  expect((await call('/ping', from('203.0.113.41'))).status).toBe(200)
})

test('the page makes no call until the form is submitted', async () => {
  const read = async (query: string) => (await fetch(`${fixture.service.origin}/reference/service-ping${query}`, { headers: from('203.0.113.50') })).text()
  expect(await read('')).toContain('Example response')
  const answered = await read('?send=1')
  expect(answered).not.toContain('Example response')
  expect(answered).toContain('&quot;ok&quot;: ')
})

test('links to the former console lead to the page of the endpoint, with the parameters of the call', async () => {
  const follow = async (query: string) => {
    const { status, headers } = await fetch(`${fixture.service.origin}/console${query}`, { redirect: 'manual' })
    return [status, headers.get('location')]
  }
  expect(await follow('')).toEqual([308, '/reference/rates-list'])
  expect(await follow('?endpoint=simulate')).toEqual([308, '/reference/simulate'])
  expect(await follow('?endpoint=rates-list&type=notice&limit=2&send=1')).toEqual([308, '/reference/rates-list?type=notice&limit=2&send=1'])
  for (const endpoint of ['nothing', '//evil.test', '../portal', '%0d%0aSet-Cookie:a=b'])
    expect(await follow(`?endpoint=${endpoint}`)).toEqual([308, '/reference/rates-list'])
})

test("fills in the fields from the URL's parameters, and ignores unknown ones", async () => {
  const html = await (await fetch(`${fixture.service.origin}/reference/rates-list?type=notice&amount=500&other=%22%3E%3Cscript%3E`)).text()
  expect(html).toMatch(/<option value="notice" selected=""/)
  expect(html).toMatch(/name="amount"[^>]* value="500"|value="500"[^>]* name="amount"|id="field-amount"[^>]*value="500"/)
  expect(html).toContain('GET /')
  expect(html).not.toContain('"><script>')
})
