/** Tests the account search, which must not put keys or full email addresses in URLs. */
import { expect, test } from 'vitest'
import { createKey } from '#server/keys/keys.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData } from '../portal/support/visitor.ts'
import { call } from '../support/accounts.ts'

const fixture = portalFixture()

test('finds an account by email, id, key or request id, without putting the key in a URL', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  const { id, key } = await createKey(fixture.pool, { accountId: member.id, mode: 'live', scopes: ['rates:read'], name: 'Server' })
  const { headers } = await call(`${fixture.origin}/v1`, '/rates?limit=2', key)
  const request = headers.get('x-svc-request-id') ?? ''
  const list = await admin.visitor.open('/admin/accounts')
  const found = async (search: string) => (await admin.visitor.submitForm(list, 'Find', { search })).result
  const account = member.publicId
  for (const search of [member.email, ` ${member.email.toUpperCase()} `, member.publicId, id, key])
    expect([search, await found(search)]).toEqual([search, { account, request: null }])
  await expect.poll(() => found(request)).toEqual({ account, request })
  const hint = key.slice(-4)
  for (const search of [hint, `svc_live_…${hint}`]) expect(await found(search)).toEqual({ hint })
  expect(await found('@example.test')).toEqual({ email: '@example.test' })
  expect((await admin.visitor.open(`/admin/accounts?hint=${hint}`)).text).toContain(member.email)
  for (const search of ['acc_0', 'key_0', `req_${'0'.repeat(32)}`, key.replace(/.$/, '!'), 'svc_live_0', 'two words']) {
    const page = await admin.visitor.submitForm(list, 'Find', { search })
    expect([search, page.text.includes('No matches.')]).toEqual([search, true])
  }
  expect(admin.visitor.ways.filter((way) => way.includes('svc_live_'))).toEqual([])
})

test('never puts a full email address in a URL', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  const list = await admin.visitor.open('/admin/accounts')
  const find = (search: string) => admin.visitor.submitForm(list, 'Find', { search })
  const [name = '', domain = ''] = member.email.split('@')
  expect((await find(name)).result).toEqual({ email: name })
  expect((await find(`${name}@${domain.slice(0, 3)}`)).result).toEqual({ account: member.publicId, request: null })
  const unknown = await find(`nobody-of-this-name@${domain}`)
  expect(unknown.text).toContain('No matches.')
  // Creates two unconfirmed accounts with the same email.
  const twice = await fixture.sql<{ id: string }>(
    `WITH a AS (INSERT INTO account (public_id, email, plan, state) SELECT 'acc_two' || $1 || 'n' || i, 'two-' || $1 || '@example.test', 'hobby', 'review'
       FROM generate_series(1, 2) i RETURNING id, public_id), w AS (INSERT INTO wallet (account_id, minute_limit, day_limit) SELECT id, 60, 1000 FROM a)
     SELECT public_id AS id FROM a ORDER BY id`,
    [String(process.pid)],
  )
  const ids = twice.map(({ id }) => id)
  expect((await find(`two-${process.pid}@example.test`)).result).toEqual({ ids })
  const both = await admin.visitor.open(`/admin/accounts?ids=${ids.join('%2C')}`)
  for (const { id } of twice) expect(both.html).toContain(`/admin/accounts/${id}`)
  expect(both.text).not.toContain(member.email)
  expect(admin.visitor.ways.filter((way) => /[^=]%40|@/.test(way))).toEqual([])
  expect((await admin.visitor.open(`/admin/accounts?email=${encodeURIComponent(member.email)}`)).text).not.toContain('Emails starting with')
})

test('filters the list by query string and lists every account once across pages', async () => {
  const [admin, domain] = [await fixture.administrator(), `many-${process.pid}.example.test`]
  await fixture.sql(
    `WITH a AS (
       INSERT INTO account (public_id, email, plan, state, email_verified_at, approved_at)
       SELECT 'acc_m' || $2 || 'n' || i, 'one-of-' || i || '@' || $1, (CASE WHEN i % 2 = 0 THEN 'business' ELSE 'hobby' END)::plan,
         (CASE WHEN i <= 60 THEN 'open' WHEN i = 61 THEN 'blocked' ELSE 'review' END)::account_state, CASE WHEN i = 63 THEN NULL ELSE now() END, now()
       FROM generate_series(1, 64) i RETURNING id)
     INSERT INTO wallet (account_id, minute_limit, day_limit) SELECT id, 60, 1000 FROM a`,
    [domain, String(process.pid)],
  )
  const ask = async (given: object) => {
    const all = { standing: null, plan: null, email: `@${domain}`, hint: null, ids: null, below: null, ...given }
    return getData(await admin.visitor.call('admin.accounts.list', 'query', all)) as { accounts: { id: string; email: string }[]; next: string | null }
  }
  const first = await ask({})
  const second = await ask({ below: first.next })
  expect([first.accounts.length, second.accounts.length, second.next]).toEqual([50, 14, null])
  expect(new Set([...first.accounts, ...second.accounts].map(({ id }) => id)).size).toBe(64)
  const count = async (given: object) => (await ask(given)).accounts.length
  expect(
    await Promise.all([{ standing: 'blocked' }, { standing: 'review' }, { standing: 'unconfirmed' }, { standing: 'open', plan: 'business' }].map(count)),
  ).toEqual([1, 2, 1, 30])
  expect(await Promise.all([{ email: 'one-of-1' }, { email: 'one_of_1' }, { email: 'one-of-64' }].map(count))).toEqual([11, 0, 1])
  const page = await admin.visitor.open(`/admin/accounts?email=%40${domain}&standing=blocked`)
  expect(page.text).toContain(`one-of-61@${domain}`)
  expect(page.text).not.toContain(`one-of-60@${domain}`)
})

test("hides the service's own accounts from the list", async () => {
  const admin = await fixture.administrator()
  await fixture.sql(
    `WITH a AS (INSERT INTO account (public_id, email, plan, state) VALUES ('acc_internal' || $1, 'internal-' || $1 || '@site.invalid', 'hobby', 'review') RETURNING id)
     INSERT INTO wallet (account_id, minute_limit, day_limit) SELECT id, 60, 1000 FROM a`,
    [String(process.pid)],
  )
  expect((await admin.visitor.open('/admin/accounts')).text).not.toContain('@site.invalid')
  expect((await admin.visitor.open('/admin/accounts?email=%40site.invalid')).text).toContain('No accounts match.')
})
