/** Tests the editing of keys in the portal, with calls to both mounts in separate processes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeLimits } from '#server/accounts/accounts.ts'
import { verifies } from '../requirements/verifies.ts'
import { call } from '../support/accounts.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { createKey } from './support/key-calls.ts'
import type { Member } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData, getError } from './support/visitor.ts'

const fixture = portalFixture()
let lean: ServiceProcess
let dataDir = ''

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-edit-key-'))
  lean = await startProcess({ databaseUrl: fixture.databaseUrl, mount: 'lean', dataDir })
})
afterAll(async () => {
  await lean.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Calls the API on both mounts, one after the other, and returns each status with the error code. */
async function answers(key: string, path = '/rates?limit=1'): Promise<unknown[]> {
  const statuses: unknown[] = []
  for (const api of [lean.api, fixture.service.api]) {
    const { status, body } = await call(api, path, key)
    statuses.push(status === 200 ? 200 : `${status} ${body.error}${body.reason === undefined || body.reason === null ? '' : ` ${body.reason}`}`)
  }
  return statuses
}

const both = (answer: unknown) => [answer, answer]
const form = { name: 'A key', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }
const update = ({ visitor }: Member, id: string, typed: Partial<typeof form> = {}) => visitor.call('keys.update', 'mutation', { ...form, id, ...typed })
const read = async ({ visitor }: Member, id: string) => getData(await visitor.call('keys.read', 'query', { id }))
const getFields = (answer: { status: number; body: unknown }) => getError(answer).data.fields
const newKey = async ({ visitor }: Member, typed: Parameters<typeof createKey>[1] = {}) => getData(await createKey(visitor, typed))

const audited = ({ id }: Member) =>
  fixture.sql<{ subject: string; before: object; after: object; actor: string }>(
    "SELECT subject, before, after, actor FROM audit_entry WHERE account_id = $1 AND action = 'key.update' ORDER BY id",
    [id],
  )

verifies('keys/edited-in-portal', async () => {
  const member = await fixture.member()
  const { id, key } = await newKey(member, { scopes: ['rates:read', 'providers:read'] })
  expect([await answers(key), await answers(key, '/providers?limit=1')]).toEqual([both(200), both(200)])
  expect((await update(member, id, { scopes: ['providers:read'] })).status).toBe(200)
  expect(await answers(key)).toEqual(both('403 insufficient_scope'))
  await update(member, id, { addresses: '203.0.113.0/24' })
  expect(await answers(key)).toEqual(both('403 ip_not_allowed'))
  await update(member, id, { addresses: '127.0.0.0/8\n::1' })
  expect(await answers(key)).toEqual(both(200))
  await update(member, id, { cap: '0' })
  expect(await answers(key)).toEqual(both('402 insufficient_credits spend_cap'))
  await update(member, id, { name: 'Shop', cap: '50', expires: '2035-01-31' })
  expect(await answers(key)).toEqual(both(200))
  expect(await read(member, id)).toMatchObject({ name: 'Shop', scopes: ['rates:read'], addresses: [], capCredits: 50, state: 'active' })
  expect(new Date((await read(member, id)).expiresAt).toISOString()).toBe('2035-01-31T00:00:00.000Z')
})

verifies('keys/edit-audited', async () => {
  const member = await fixture.member()
  const { id } = await newKey(member, { name: 'A key', cap: '5' })
  // Saving without changes writes nothing.
  await update(member, id, { cap: '5' })
  await update(member, id, { name: 'Shop', cap: '9' })
  expect(await audited(member)).toEqual([{ subject: id, actor: 'account', before: { name: 'A key', capCredits: 5 }, after: { name: 'Shop', capCredits: 9 } }])
  expect((await member.visitor.open('/portal/settings/account')).text).toContain('Key edited')
})

verifies('keys/wider-access-needs-recent-sign-in', async () => {
  const member = await fixture.member()
  const limits = { scopes: ['rates:read'], addresses: '127.0.0.0/8', cap: '50', expires: '2035-01-31' }
  const live = await newKey(member, limits)
  const sample = await newKey(member, { mode: 'test' })
  await fixture.sql("UPDATE portal_session SET created_at = now() - interval '11 minutes', reauthenticated_at = NULL WHERE account_id = $1", [member.id])
  const wider = [
    { scopes: ['rates:read', 'cards:read'] },
    { addresses: '' },
    { addresses: '127.0.0.0/8\n203.0.113.7' },
    { addresses: '126.0.0.0/7' },
    { cap: '51' },
    { cap: '' },
    { expires: '2035-02-01' },
    { expires: '' },
  ]
  for (const change of wider) {
    const answer = await update(member, live.id, { ...limits, ...change })
    expect([change, answer.status, getError(answer).data.proof]).toEqual([change, 403, 'password'])
  }
  expect(await audited(member)).toEqual([])
  // Each of these narrows the access or leaves it as it is.
  for (const change of [{ name: 'Other' }, { addresses: '127.0.0.1' }, { cap: '49' }, { expires: '2035-01-30' }])
    expect([change, (await update(member, live.id, { ...limits, addresses: '127.0.0.1', cap: '49', expires: '2035-01-30', ...change })).status]).toEqual([
      change,
      200,
    ])
  expect((await update(member, sample.id, { scopes: ['rates:read', 'cards:read'], expires: '' })).status).toBe(200)
})

test('rejects keys of other accounts and keys that have ended, and invalid fields by name', async () => {
  const [member, other] = [await fixture.member(), await fixture.member()]
  const { id } = await newKey(member)
  for (const unknown of [id, 'key_0000000000000000']) expect((await update(other, unknown)).status).toBe(404)
  const faults = getFields(await update(member, id, { name: ' ', scopes: [], addresses: 'nonsense', cap: '-1', expires: '2020-01-01' }))
  expect(Object.keys(faults)).toEqual(['name', 'scopes', 'addresses', 'cap', 'expires'])
  await member.visitor.call('keys.revoke', 'mutation', { id })
  expect(getFields(await update(member, id))).toEqual({ form: 'This key no longer works. Create a new one.' })
  // Test keys have neither IP addresses nor a cap.
  const sample = await newKey(member, { mode: 'test' })
  await update(member, sample.id, { name: 'Sample', addresses: '203.0.113.7', cap: '1' })
  expect(await read(member, sample.id)).toMatchObject({ name: 'Sample', addresses: [], capCredits: null })
})

test('keeps the exact time of an expiry whose day is unchanged', async () => {
  const member = await fixture.member()
  const { id } = await newKey(member)
  const at = new Date(Date.now() + 60_000)
  await fixture.sql('UPDATE api_key SET expires_at = $2 WHERE public_id = $1', [id, at])
  expect((await update(member, id, { name: 'Other', expires: at.toISOString().slice(0, 10) })).status).toBe(200)
  expect(new Date((await read(member, id)).expiresAt)).toEqual(at)
})

test('calls that start after a scope is removed are rejected, however many run at the same time', async () => {
  const member = await fixture.member({ credits: 1_000 })
  await changeLimits(fixture.pool, member.email, { perMinute: 10_000 })
  const { id, key } = await newKey(member, { scopes: ['rates:read', 'providers:read'] })
  let isChanged = false
  const late: unknown[] = []
  const work = async (api: string) => {
    for (let n = 0; n < 40; n++) {
      const isLate = isChanged
      const { status } = await call(api, '/rates?limit=1', key)
      if (isLate) late.push(status)
    }
  }
  const calls = [lean.api, lean.api, fixture.service.api].map(work)
  await update(member, id, { scopes: ['providers:read'] })
  isChanged = true
  await Promise.all(calls)
  expect(late.length).toBeGreaterThan(20)
  expect(new Set(late)).toEqual(new Set([403]))
})

test('spends exactly up to a cap that is raised and lowered during calls', async () => {
  const member = await fixture.member({ credits: 1_000 })
  await changeLimits(fixture.pool, member.email, { perMinute: 10_000 })
  const { id, key } = await newKey(member, { cap: '10' })
  const spend = async (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => call(n % 2 ? lean.api : fixture.service.api, '/rates?limit=1', key)))
  const paid = (calls: Awaited<ReturnType<typeof spend>>) => calls.filter(({ status }) => status === 200).length
  const first = spend(30)
  await update(member, id, { cap: '20' })
  const [some, more] = [paid(await first), paid(await spend(30))]
  expect(some + more).toBe(20)
  const during = spend(30)
  await update(member, id, { cap: '5' })
  await update(member, id, { cap: '25' })
  expect(paid(await during) + paid(await spend(30))).toBe(5)
  expect((await read(member, id)).spentCredits).toBe(25)
  expect(await fixture.sql('SELECT balance::int FROM wallet WHERE account_id = $1', [member.id])).toEqual([{ balance: 975 }])
})

verifies('keys/edited-cap-stays-shared', async () => {
  const member = await fixture.member()
  const old = await newKey(member, { cap: '2' })
  const made = getData(await member.visitor.call('keys.rotate', 'mutation', { id: old.id, overlapHours: 24 }))
  expect([await answers(old.key), await answers(made.key)]).toEqual([both(200), both('402 insufficient_credits spend_cap')])
  await update(member, made.id, { cap: '4' })
  expect((await read(member, old.id)).capCredits).toBe(4)
  expect([await answers(made.key), await answers(old.key)]).toEqual([both(200), both('402 insufficient_credits spend_cap')])
  expect(await answers(made.key)).toEqual(both('402 insufficient_credits spend_cap'))
  expect(getFields(await update(member, old.id, { cap: '9' }))).toEqual({ form: 'This key was replaced. Edit the new key.' })
  await update(member, made.id)
  expect([await answers(made.key), await answers(old.key)]).toEqual([both(200), both(200)])
})

verifies('portal/old-key-ended-early', async () => {
  const member = await fixture.member()
  const old = await newKey(member, { name: 'Feed' })
  const made = getData(await member.visitor.call('keys.rotate', 'mutation', { id: old.id, overlapHours: 24 }))
  await newKey(member, { name: 'Another' })
  const list: string = (await member.visitor.open('/portal/keys')).html
  const places = ['Another', made.id, old.id].map((text) => list.indexOf(`${text}`))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  const page = await member.visitor.open(`/portal/keys/${made.id}`)
  expect(page.text).toContain('The old key still works')
  await member.visitor.submitForm(page, 'Revoke the old key now')
  expect([await answers(old.key), await answers(made.key)]).toEqual([both('403 key_revoked'), both(200)])
  expect((await member.visitor.open(`/portal/keys/${made.id}`)).text).not.toContain('Revoke the old key now')
})
