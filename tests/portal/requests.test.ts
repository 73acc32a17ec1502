import { expect, test } from 'vitest'
import { getCurl } from '#components/portal/snippets.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import type { Member } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData } from './support/visitor.ts'

const fixture = portalFixture()

const everything = { search: null, endpoint: null, status: null, key: null, before: null, limit: 50 }
const form = { name: 'Price page', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }
const pollOptions = { timeout: 10_000, interval: 50 }

async function createKey({ visitor }: Member, mode: 'live' | 'test' = 'live'): Promise<{ id: string; key: string }> {
  return getData(await visitor.call('keys.create', 'mutation', { ...form, mode }))
}

async function call(key: string, target: string, headers: Record<string, string> = {}): Promise<{ id: string; status: number; headers: Headers }> {
  const answer = await fetch(`${fixture.origin}/v1${target}`, { headers: { authorization: `Bearer ${key}`, ...headers } })
  await answer.text()
  return { id: answer.headers.get('x-svc-request-id') ?? '', status: answer.status, headers: answer.headers }
}

const list = async ({ visitor }: Member, question: object = {}) => getData(await visitor.call('requests.list', 'query', { ...everything, ...question }))
const read = async ({ visitor }: Member, id: string) => getData(await visitor.call('requests.read', 'query', { id }))
const getIds = async (member: Member, question: object = {}): Promise<string[]> => (await list(member, question)).requests.map(({ id }: { id: string }) => id)

test('lists calls, newest first, with price breakdown and balance', async () => {
  const member = await fixture.member({ credits: 20 })
  const { key } = await createKey(member)
  const first = await call(key, '/rates?limit=5')
  const second = await call(key, '/ping')
  const { requests, older } = await list(member)
  expect(older).toBeNull()
  expect(requests.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
  expect(requests[1]).toMatchObject({
    endpoint: { id: 'rates.list', name: 'GET /rates' },
    status: 200,
    error: null,
    key: { name: 'Price page', mode: 'live' },
    charge: { units: 5, per: 'row', unitCredits: 1, credits: 5, freeBy: null },
    balanceAfter: 15,
  })
  expect((await member.visitor.open(`/portal/requests/${first.id}`)).text).toContain('5 rows × 1 credit = 5')
  const found = await member.visitor.open(`/portal/requests?search=${first.id}`)
  expect(found.text).toContain('5 rows × 1')
  expect(found.html.match(/href="\/portal\/requests\/req_/g)).toHaveLength(1)
})

test('shows 0 credits and the reason for errors, 304s, test calls and replays', async () => {
  const member = await fixture.member({ credits: 20 })
  const [live, sample] = [await createKey(member), await createKey(member, 'test')]
  const paid = await call(live.key, '/rates?limit=2', { 'idempotency-key': 'once' })
  const replay = await call(live.key, '/rates?limit=2', { 'idempotency-key': 'once' })
  const unchanged = await call(live.key, '/rates?limit=2', { 'if-none-match': paid.headers.get('etag') ?? '' })
  const wrong = await call(live.key, '/rates?tpye=notice')
  const free = await call(sample.key, '/rates?limit=2')
  expect([paid, replay, unchanged, wrong, free].map(({ status }) => status)).toEqual([200, 200, 304, 400, 200])
  const reasons = async (id: string) => (await read(member, id)).charge
  expect(await reasons(paid.id)).toMatchObject({ credits: 2, freeBy: null })
  expect(await reasons(replay.id)).toMatchObject({ credits: 0, units: 2, freeBy: 'replay' })
  expect(await reasons(unchanged.id)).toMatchObject({ credits: 0, freeBy: 'unchanged' })
  expect(await reasons(wrong.id)).toMatchObject({ credits: 0, freeBy: 'error' })
  expect(await reasons(free.id)).toMatchObject({ credits: 0, freeBy: 'test' })
  expect((await member.visitor.open(`/portal/requests/${replay.id}`)).text).toContain('Free: replayed response')
})

test('stores the request without keys, and shows it as a curl command', async () => {
  const member = await fixture.member()
  const { key } = await createKey(member, 'test')
  const wrong = await call(key, `/rates?tpye=notice&api_key=${key}`, { 'user-agent': `agent ${key}`, 'x-svc-max-credits': '5' })
  await expect.poll(async () => (await read(member, wrong.id)).target, pollOptions).toBe('/rates?tpye=notice&api_key=…')
  const request = await read(member, wrong.id)
  expect(request.message).toContain('Did you mean "type"?')
  expect(request.headers).toMatchObject({ 'user-agent': 'agent svc_test_…', 'x-svc-max-credits': '5' })
  const plain = await call(key, '/rates?type=notice&limit=1', { 'idempotency-key': "it's one" })
  await expect.poll(async () => (await read(member, plain.id)).target, pollOptions).not.toBeNull()
  const page = await member.visitor.open(`/portal/requests/${plain.id}`)
  expect(page.text).toContain('Copy as curl')
  expect(getCurl(await read(member, plain.id), 'https://api.example.test/v1')).toBe(
    ['curl "https://api.example.test/v1/rates?type=notice&limit=1"', '-H "Authorization: Bearer $SVC_API_KEY"', `-H 'Idempotency-Key: it'\\''s one'`].join(
      ' \\\n  ',
    ),
  )
  for (const text of [page.html, JSON.stringify(await fixture.sql('SELECT * FROM request_detail'))]) expect(text).not.toContain(key)
})

test('quotes any path safely in curl commands', () => {
  const made = getCurl({ method: 'GET', target: '/rates/$(id)`id`"[1]', headers: {} }, 'https://api.example.test/v1')
  expect(made).toContain(`curl --globoff 'https://api.example.test/v1/rates/$(id)\`id\`"[1]'`)
  expect(getCurl({ method: 'GET', target: `/rates?q=${'x'.repeat(20)}…`, headers: {} }, 'https://api.example.test/v1')).toBeNull()
  expect(getCurl({ method: 'GET', target: null, headers: null }, 'https://api.example.test/v1')).toBeNull()
})

test('filters calls and finds them by id prefix before and after the usage roll-up', async () => {
  const member = await fixture.member()
  const [one, other] = [await createKey(member, 'test'), await createKey(member, 'test')]
  const calls = [
    await call(one.key, '/ping'),
    await call(one.key, '/rates?limit=1'),
    await call(other.key, '/rates?limit=0'),
    await call(other.key, '/nowhere'),
  ]
  const [ping, rates, wrong, lost] = calls.map(({ id }) => id)
  await expect.poll(() => getIds(member, { search: 'nowhere' }), pollOptions).toEqual([lost])
  const expectMatches = async () => {
    expect(await getIds(member, { endpoint: 'rates.list' })).toEqual([wrong, rates])
    expect(await getIds(member, { status: 404 })).toEqual([lost])
    expect(await getIds(member, { key: one.id })).toEqual([rates, ping])
    expect(await getIds(member, { key: other.id, endpoint: 'rates.list', status: 400 })).toEqual([wrong])
    expect(await getIds(member, { endpoint: 'unknown' })).toEqual([lost])
    expect(await getIds(member, { endpoint: 'no.such' })).toEqual([])
    expect(await getIds(member, { search: ping })).toEqual([ping])
    expect(await getIds(member, { search: ping?.slice(4) })).toEqual([ping])
    expect(await getIds(member, { search: 'LIMIT=1' })).toEqual([rates])
    expect(await getIds(member, { search: '/rates', key: other.id })).toEqual([wrong])
    expect(await getIds(member, { status: '4xx' })).toEqual([lost, wrong])
    expect(await getIds(member, { status: '5xx' })).toEqual([])
    expect(await getIds(member, { search: 'req_0000' })).toEqual([])
    expect(await getIds(member, { search: 'nonsense' })).toEqual([])
  }
  await expectMatches()
  await expect.poll(async () => getData(await member.visitor.call('account.overview', 'query')).requestsToday, pollOptions).toBe(4)
  await expectMatches()
  expect((await member.visitor.open('/portal/requests?status=500')).text).toContain('No requests match.')
})

test('paginates the log in order and lists each request once', async () => {
  const member = await fixture.member()
  const { key } = await createKey(member, 'test')
  const made: string[] = []
  for (let index = 0; index < 9; index++) made.unshift((await call(key, '/ping')).id)
  const seen: string[] = []
  let before: string | null = null
  do {
    const page = await list(member, { before, limit: 4 })
    expect(page.requests.length).toBeLessThanOrEqual(4)
    seen.push(...page.requests.map(({ id }: { id: string }) => id))
    before = page.older
  } while (before !== null)
  expect(seen).toEqual(made)
})

test('limits the list and the search to a period', async () => {
  const member = await fixture.member()
  const { key } = await createKey(member, 'test')
  const { id } = await call(key, '/ping')
  await expect.poll(() => getIds(member, { search: '/ping' }), pollOptions).toEqual([id])
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  for (const search of [null, '/ping']) {
    expect(await getIds(member, { search, from: at(-1), to: at(1) })).toEqual([id])
    expect(await getIds(member, { search, from: at(1) })).toEqual([])
    expect(await getIds(member, { search, to: at(-1) })).toEqual([])
  }
})

test('finds text that is percent-encoded in the request', async () => {
  const member = await fixture.member()
  const { key } = await createKey(member, 'test')
  const { id } = await call(key, '/rates?provider=Bank%20of+Brindle&tpye=1')
  await expect.poll(() => getIds(member, { search: 'bank of' }), pollOptions).toEqual([id])
  expect(await getIds(member, { search: 'of Brindle' })).toEqual([id])
  expect(await getIds(member, { search: '%' })).toEqual([id])
  expect(await getIds(member, { search: '_' })).toEqual([])
})

test("returns the same 404 for other accounts' requests, expired ones and unknown ids", async () => {
  const [one, two] = [await fixture.member(), await fixture.member()]
  const { id: keyId, key } = await createKey(one, 'test')
  const { id } = await call(key, '/ping')
  const monthAgo = Date.now() - 31 * 86_400_000
  const old = `${monthAgo.toString(16).padStart(12, '0')}70008000000000000000`
  await fixture.sql(
    `INSERT INTO request_log (id, account_id, key_id, balance, at, credits, units, endpoint, status, error)
     SELECT $1, account_id, id, 0, to_timestamp($2::float8 / 1000), 0, 0, 1, 200, 0 FROM api_key WHERE public_id = $3`,
    [old, monthAgo, keyId],
  )
  expect(await getIds(one)).toEqual([id])
  expect(await getIds(two)).toEqual([])
  expect(await getIds(two, { search: id })).toEqual([])
  expect(await getIds(two, { key: keyId })).toEqual([])
  const unknown = `req_${'0'.repeat(32)}`
  const pages = await Promise.all([
    two.visitor.open(`/portal/requests/${id}`),
    two.visitor.open(`/portal/requests/${unknown}`),
    one.visitor.open(`/portal/requests/req_${old}`),
    one.visitor.open('/portal/requests/nonsense'),
  ])
  for (const page of pages) {
    expect([page.status, page.html.includes('<title>Page not found'), page.text.includes('/ping')]).toEqual([404, true, false])
    expect(page.text).toContain('Page not found Go to the overview')
  }
  expect((await one.visitor.open(`/portal/requests/${id}`)).status).toBe(200)
})

test('shows the first steps to a new account, then recent usage and requests', async () => {
  const member = await fixture.member({ credits: 30 })
  const fresh = await member.visitor.open('/portal')
  expect(fresh.text).toContain('Make your first call')
  expect(fresh.text).not.toContain('Recent requests')
  const { key } = await createKey(member)
  await call(key, '/rates?limit=3')
  await expect.poll(async () => getData(await member.visitor.call('account.overview', 'query')).creditsToday, pollOptions).toBe(3)
  const page = await member.visitor.open('/portal')
  for (const text of ['Credits, last 24 hours', 'Recent requests', '3 rows × 1', 'Create key']) expect(page.text).toContain(text)
  // The line can break after the slash of the path.
  expect(page.text).toMatch(/GET \/ ?rates/)
  await fixture.sql('UPDATE wallet SET balance = 0 WHERE account_id = $1', [member.id])
  const empty = await member.visitor.open('/portal')
  expect(empty.text).toContain('Your balance is 0. Live calls return 402 until you top up.')
  expect(empty.html).toContain('href="/portal/billing/top-up"')
})

test('shows how many rejected requests are not listed, counting only those that match the filters', async () => {
  const member = await fixture.member()
  const [first, second] = [await createKey(member), await createKey(member)]
  const { id } = await call(first.key, '/ping')
  // The log stores endpoints as numbers; unknown paths are 0.
  const numbers = Object.fromEntries(operations.map((operation) => [operation.id, operation.no]))
  await fixture.sql(
    `INSERT INTO refused_calls (account_id, hour, key_id, endpoint, status, requests)
     SELECT $1, now() - c.ago::interval, k.id, c.endpoint, c.status, c.requests
     FROM (VALUES ($2, $4::int, 429, 5, '1 hour'), ($3, $5::int, 402, 30, '1 hour'), ($3, 0, 404, 700, '1 hour'), ($3, 0, 404, 9000, '31 days'))
       AS c(key, endpoint, status, requests, ago) JOIN api_key k ON k.public_id = c.key`,
    [member.id, first.id, second.id, numbers['service.ping'], numbers['rates.list']],
  )
  const note = async (query: string) => /aren't listed: ([^.]*)\./.exec((await member.visitor.open(`/portal/requests${query}`)).text)?.[1] ?? null
  expect(await note('')).toBe('30 with 402, 700 with 404, 5 with 429')
  expect(await note('?status=429')).toBe('5 with 429')
  expect(await note(`?key=${second.id}`)).toBe('30 with 402, 700 with 404')
  expect(await note(`?key=${second.id}&endpoint=rates.list`)).toBe('30 with 402')
  expect(await note('?endpoint=unknown')).toBe('700 with 404')
  for (const query of ['?status=200', `?search=${id}`, '?endpoint=no.such', '?key=key_0000000000000000'])
    expect([query, await note(query)]).toEqual([query, null])
})
