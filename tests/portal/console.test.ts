import { expect, test } from 'vitest'
import { approveAccount, blockAccount } from '#server/accounts/accounts.ts'
import { defaultLimit, maximumLimit } from '#server/api/contract/endpoint.ts'
import { creditLimit } from '#server/api/contract/request-bounds.ts'
import { createPartnerKey } from '#server/keys/keys.ts'
import { readBody } from '../support/accounts.ts'
import { readLedger } from '../support/read-ledger.ts'
import type { Member } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData, type Visitor } from './support/visitor.ts'

const fixture = portalFixture()

const everyScope = ['rates:read', 'history:read', 'providers:read', 'offers:read', 'cards:read', 'market:read']
const form = { mode: 'live', name: 'A key', scopes: everyScope, addresses: '', cap: '', expires: '' }

/** Creates a key of a member through the portal. */
const createKey = async ({ visitor }: Pick<Member, 'visitor'>, typed: Partial<typeof form> = {}): Promise<{ id: string; key: string }> =>
  getData(await visitor.call('keys.create', 'mutation', { ...form, ...typed }))

type Asked = { target: string; keyId: string; maxCredits?: unknown }

const ours = (visitor: Visitor) => ({ origin: visitor.origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' })

const send = (visitor: Visitor, asked: Asked, headers: Record<string, string> = ours(visitor)) =>
  visitor.send('/console/call', { method: 'POST', body: JSON.stringify(asked), headers })

/** Makes a call through the console and returns the response that it shows. */
async function shown(visitor: Visitor, asked: Asked) {
  const response = await send(visitor, asked)
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const { status, headers, body } = (await response.json()) as { status: number; headers: [string, string][]; body: string }
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  return { status, headers: new Headers(headers), body: readBody(body) as any }
}

/** Returns the status and message of a console request that is rejected without a call. */
async function refused(visitor: Visitor, asked: Asked, headers?: Record<string, string>): Promise<[status: number, message: string]> {
  const response = await send(visitor, asked, headers)
  return [response.status, ((await response.json()) as { message: string }).message]
}

/** Makes the same call over HTTP, without the console. */
const overHttp = (key: string, target: string, headers: Record<string, string> = {}) =>
  fixture.visitor().send(`/v1${target}`, { headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity', ...headers } })

const getLog = (accountId: number) =>
  fixture.sql<{ key: string }>(
    `SELECT k.public_id AS key, r.endpoint, r.status, r.error, r.units, r.credits, r.balance::int FROM request_log r JOIN api_key k ON k.id = r.key_id
     WHERE r.account_id = $1 ORDER BY r.id`,
    [accountId],
  )

const getDetails = (accountId: number) => fixture.sql('SELECT target, headers, message FROM request_detail WHERE account_id = $1 ORDER BY id', [accountId])

test('a call with a live key has the same response, log entry and charge as over HTTP', async () => {
  const [one, two] = [await fixture.member(), await fixture.member()]
  const [byConsole, byProgram] = [await createKey(one), await createKey(two)]
  const answer = await shown(one.visitor, { target: '/rates?limit=3', keyId: byConsole.id, maxCredits: 3 })
  const expected = await overHttp(byProgram.key, '/rates?limit=3', { 'x-svc-max-credits': '3' })
  const body = (await expected.json()) as { data: unknown }
  expect([answer.status, answer.body.data]).toEqual([200, body.data])
  expect(answer.body.meta).toMatchObject({ sample: false, creditsCharged: 3, creditsBalance: 97 })
  for (const name of ['etag', 'x-svc-credits-charged', 'x-svc-credits-balance', 'x-ratelimit-limit', 'ratelimit-policy', 'content-length']) {
    expect([name, answer.headers.get(name)]).toEqual([name, expected.headers.get(name)])
  }
  const product = answer.body.data[0].sourceKey
  await shown(one.visitor, { target: `/rates/${product}?tpye=1`, keyId: byConsole.id, maxCredits: 1 })
  await overHttp(byProgram.key, `/rates/${product}?tpye=1`, { 'x-svc-max-credits': '1' })
  const [rows, sameRows] = [await getLog(one.id), await getLog(two.id)]
  expect(rows).toMatchObject([
    { key: byConsole.id, status: 200, credits: 3, balance: 97 },
    { key: byConsole.id, status: 400, credits: 0, balance: 97 },
  ])
  expect(rows.map((row) => ({ ...row, key: byProgram.id }))).toEqual(sameRows)
  expect(await readLedger(fixture.pool, one.id)).toEqual(await readLedger(fixture.pool, two.id))
  await expect.poll(() => getDetails(one.id)).toHaveLength(2)
  await expect.poll(() => getDetails(two.id)).toEqual(await getDetails(one.id))
  expect((await getDetails(one.id))[0]).toMatchObject({ headers: { 'user-agent': expect.stringContaining('Chrome'), 'x-svc-max-credits': '3' } })
  const uses = () =>
    fixture.sql('SELECT u.address FROM key_use u JOIN api_key k ON k.id = u.key_id WHERE k.account_id = ANY($1) ORDER BY k.id', [[one.id, two.id]])
  await expect.poll(uses, { timeout: 10_000 }).toEqual([{ address: '127.0.0.1' }, { address: '127.0.0.1' }])
})

test('never charges more than the maximum shown on the button', async () => {
  const member = await fixture.member()
  const { id } = await createKey(member)
  const cut = await shown(member.visitor, { target: '/rates?limit=50', keyId: id, maxCredits: 2 })
  expect([cut.status, cut.body.data.length, cut.headers.get('x-svc-limit-reduced'), cut.body.meta.creditsCharged]).toEqual([200, 2, '2', 2])
  const fixed = await shown(member.visitor, { target: '/simulate?rate=4.50&amount=1000&months=12', keyId: id, maxCredits: 1 })
  expect([fixed.status, fixed.body]).toMatchObject([402, { error: 'insufficient_credits', reason: 'max_credits', required: 2 }])
  const nothing = await shown(member.visitor, { target: '/rates', keyId: id, maxCredits: 0 })
  expect([nothing.status, nothing.body.error]).toEqual([402, 'insufficient_credits'])
  const free = await shown(member.visitor, { target: '/ping', keyId: id, maxCredits: 0 })
  expect([free.status, free.body.data.mode]).toEqual([200, 'live'])
  expect(await fixture.balance(member.id)).toBe(98)
  const rows = (await getLog(member.id)).length
  const file = { target: '/snapshots/rates', keyId: id, maxCredits: 100 }
  expect(await refused(member.visitor, file)).toEqual([400, 'The console can’t download paid files. Copy the curl command and run it on your machine.'])
  const message = 'A call with a live key must state its maximum cost in "maxCredits".'
  for (const maxCredits of [undefined, null, -1, 1.5, '5', {}, 1e12]) {
    expect(await refused(member.visitor, { target: '/rates', keyId: id, maxCredits })).toEqual([400, message])
  }
  expect([await fixture.balance(member.id), (await getLog(member.id)).length]).toEqual([98, rows])
})

test('the maximum on the button is the price of a call that returns all requested rows', async () => {
  const { key } = await createKey(await fixture.member({ credits: 500 }))
  for (const limit of [undefined, '1', '3', '50', '51', '999999999999999', '0', '-1', '1.5', 'many', '9999999999999999']) {
    const credits = creditLimit({ credits: 1, sizes: { usual: defaultLimit, most: maximumLimit } }, limit)
    const answer = await overHttp(key, limit === undefined ? '/rates' : `/rates?limit=${limit}`)
    expect([limit, Number(answer.headers.get('x-svc-credits-charged'))]).toEqual([limit, credits])
  }
  expect(creditLimit({ credits: 2, sizes: null }, '3')).toBe(2)
})

test("rejects other accounts' keys and partner keys as unknown", async () => {
  const [one, two] = [await fixture.member(), await fixture.member()]
  const [theirs, partner] = [await createKey(two), await createPartnerKey(fixture.pool, { accountId: one.id })]
  for (const keyId of [theirs.id, partner.id, 'key_0000000000000000', theirs.key, '', '\u0000']) {
    expect(await refused(one.visitor, { target: '/rates', keyId, maxCredits: 10 })).toEqual([
      404,
      "This key doesn't belong to your account or no longer works. Choose another key.",
    ])
  }
  expect([await getLog(one.id), await getLog(two.id)]).toEqual([[], []])
  expect([await fixture.balance(one.id), await fixture.balance(two.id)]).toEqual([100, 100])
})

test('accepts calls only from our own pages, and only with a session', async () => {
  const member = await fixture.member()
  const { id, key } = await createKey(member)
  const asked = { target: '/rates', keyId: id, maxCredits: 10 }
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { 'content-type': 'text/plain' },
  ] as Record<string, string>[]) {
    expect([headers, await refused(member.visitor, asked, headers)]).toEqual([headers, [403, 'Calls with a key can only be sent from this site.']])
  }
  const message = 'You are signed out. Sign in to call with your key.'
  const signedOut = fixture.visitor()
  expect(await refused(signedOut, asked)).toEqual([401, message])
  expect(await refused(signedOut, asked, { ...ours(signedOut), authorization: `Bearer ${key}` })).toEqual([401, message])
  const [session] = getData(await member.visitor.call('session.list', 'query'))
  await member.visitor.call('session.end', 'mutation', { id: session.id })
  expect(await refused(member.visitor, asked)).toEqual([401, message])
  expect([await getLog(member.id), await fixture.balance(member.id)]).toEqual([[], 100])
})

test('checks each call as the API does, so that a revoked key or a blocked account is rejected on the next call', async () => {
  const { visitor, email, id } = await fixture.newcomer()
  const [live, bound, sample] = [
    await createKey({ visitor }),
    await createKey({ visitor }, { addresses: '203.0.113.0/24' }),
    await createKey({ visitor }, { mode: 'test' }),
  ]
  const call = async (keyId: string, target = '/rates?limit=1') => {
    const { status, body } = await shown(visitor, { target, keyId, maxCredits: 10 })
    return [status, body.error ?? null, body.reason ?? null]
  }
  expect(await call(live.id)).toEqual([403, 'account_blocked', 'review_pending'])
  await approveAccount(fixture.pool, email)
  expect(await call(live.id)).toEqual([200, null, null])
  expect(await call(bound.id)).toEqual([403, 'ip_not_allowed', null])
  expect(await call(live.id, '/market/overview')).toEqual([403, 'endpoint_restricted', null])
  expect(await call(live.id, '/history')).toEqual([403, 'plan_upgrade_required', null])
  await visitor.call('keys.revoke', 'mutation', { id: live.id })
  expect(await call(live.id)).toEqual([403, 'key_revoked', null])
  const { body, headers } = await shown(visitor, { target: '/rates?limit=1', keyId: sample.id })
  expect([body.meta.sample, headers.get('x-svc-mode'), headers.get('x-ratelimit-limit')]).toEqual([true, 'test', '10'])
  await blockAccount(fixture.pool, email, 'Resale')
  expect((await shown(visitor, { target: '/ping', keyId: sample.id })).body).toMatchObject({ error: 'account_blocked', reason: 'Resale' })
  expect(await fixture.balance(id)).toBe(19)
})

test('a call made by loading the page always uses sample data', async () => {
  const member = await fixture.member()
  const { id } = await createKey(member)
  const page = await member.visitor.open(`/reference/service-ping?send=1&keyId=${id}&call-with=${id}&maxCredits=10`)
  expect(page.text).toContain('"mode": "test"')
  expect([await getLog(member.id), await fixture.balance(member.id)]).toEqual([[], 100])
})
