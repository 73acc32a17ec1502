/** Tests the keys of applications: connecting again replaces the earlier key, and applications can revoke their key. */
import { expect, test } from 'vitest'
import { forgetOAuth, Registration, registerClient } from '#server/self-service/oauth/oauth-clients.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData } from '../portal/support/visitor.ts'
import { verifies } from '../requirements/verifies.ts'
import { newConnection } from './support/oauth-connection.ts'

const fixture = portalFixture()

const statusOf = async (key: string) => (await fetch(`${fixture.origin}/v1/ping`, { headers: { authorization: `Bearer ${key}` } })).status

const revoke = async (values: Readonly<Record<string, string>>) =>
  (await fetch(`${fixture.origin}/oauth/revoke`, { method: 'POST', body: new URLSearchParams(values) })).status

verifies('tools/oauth-reconnect', async () => {
  const member = await fixture.member({ credits: 50 })
  const connection = await newConnection(fixture)
  const live = { mode: 'live', cap: '5' }
  const first = await connection.connect(member, live)
  const call = await fetch(`${fixture.origin}/v1/rates?limit=4`, { headers: { authorization: `Bearer ${first}` } })
  expect(call.headers.get('x-svc-credits-charged')).toBe('4')
  const page = await member.visitor.open(`/portal/connect?${new URLSearchParams(connection.newRequest().parameters)}`)
  expect(page.text).toContain('Its current key stops working as soon as it receives the new one.')
  const second = await connection.connect(member, live)
  expect([await statusOf(first), await statusOf(second)]).toEqual([403, 200])
  // The cap of 5 credits applies to both keys together.
  const cut = await fetch(`${fixture.origin}/v1/rates?limit=4`, { headers: { authorization: `Bearer ${second}` } })
  expect(cut.headers.get('x-svc-credits-charged')).toBe('1')
  const other = await (await newConnection(fixture)).connect(member, live)
  expect([await statusOf(second), await statusOf(other)]).toEqual([200, 200])
  const actions = await fixture.sql("SELECT action, after->>'redirectUri' AS uri FROM audit_entry WHERE account_id = $1 AND action LIKE 'key.%' ORDER BY id", [
    member.id,
  ])
  const create = { action: 'key.create', uri: connection.redirectUri }
  expect(actions).toEqual([create, create, { action: 'key.revoke', uri: null }, create])
})

test('leaves one key if an application connects several times concurrently', async () => {
  const member = await fixture.member()
  const connection = await newConnection(fixture)
  const keys = await Promise.all(Array.from({ length: 4 }, () => connection.connect(member)))
  expect((await Promise.all(keys.map(statusOf))).toSorted()).toEqual([200, 403, 403, 403])
})

test('a rotated key still belongs to its application', async () => {
  const member = await fixture.member()
  const connection = await newConnection(fixture)
  await connection.connect(member)
  const [{ id }] = getData(await member.visitor.call('keys.list', 'query'))
  const rotated = getData(await member.visitor.call('keys.rotate', 'mutation', { id, overlapHours: 0 })).key
  expect(await statusOf(rotated)).toBe(200)
  await connection.connect(member)
  expect(await statusOf(rotated)).toBe(403)
})

verifies('tools/oauth-revoke', async () => {
  const member = await fixture.member()
  const [connection, other] = [await newConnection(fixture), await newConnection(fixture)]
  const key = await connection.connect(member)
  for (const values of [
    { token: key, client_id: other.clientId },
    { token: 'none', client_id: connection.clientId },
    { token: key, client_id: '\u0000' },
  ])
    expect([await revoke(values), await statusOf(key)]).toEqual([200, 200])
  expect(await revoke({ token: key })).toBe(400)
  const own = await fixture.member()
  const byHand = getData(
    await own.visitor.call('keys.create', 'mutation', { mode: 'test', name: 'Own', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }),
  )
  expect([await revoke({ token: byHand.key, client_id: connection.clientId }), await statusOf(byHand.key)]).toEqual([200, 200])
  expect([await revoke({ token: key, client_id: connection.clientId }), await statusOf(key)]).toEqual([200, 403])
  expect(await revoke({ token: key, client_id: connection.clientId })).toBe(200)
})

test('lets the consent page keep its opener window, unlike other pages', async () => {
  const opener = async (path: string) => (await fetch(`${fixture.origin}${path}`, { redirect: 'manual' })).headers.get('cross-origin-opener-policy')
  const path = `/portal/connect?${new URLSearchParams((await newConnection(fixture)).newRequest().parameters)}`
  const next = `next=${encodeURIComponent(path)}`
  const kept = [path, `/sign-in?${next}`, `/sign-up?email=a&${next}`]
  expect(await Promise.all(kept.map(opener))).toEqual(kept.map(() => 'unsafe-none'))
  const others = ['/portal/keys', '/sign-in', `/portal/billing?${next}`, `/portal/connected?${next}`, `/docs?${next}`]
  expect(await Promise.all(others.map(opener))).toEqual(others.map(() => 'same-origin'))
})

test('keeps an application while its key works', async () => {
  const member = await fixture.member()
  const connection = await newConnection(fixture)
  const key = await connection.connect(member)
  const { client_id } = await registerClient(fixture.pool, Registration.parse({ redirect_uris: ['https://a.example/cb'] }))
  await fixture.sql("UPDATE oauth_client SET last_used_at = now() - interval '91 days'")
  await fixture.sql('DELETE FROM oauth_code')
  await forgetOAuth(fixture.pool)
  const left = await fixture.sql<{ id: string }>('SELECT public_id AS id FROM oauth_client')
  expect([left.some(({ id }) => id === connection.clientId), left.some(({ id }) => id === client_id)]).toEqual([true, false])
  expect(await statusOf(key)).toBe(200)
})
