import { expect, test } from 'vitest'
import { readEmail } from '#server/accounts/email-address.ts'
import { goodPassword } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'

const portal = portalFixture()

test.each([
  'a@b@example.com',
  'ada@example.com\r\nBcc: eve@example.com',
  '<ada@example.com>',
  'Ada <ada@example.com>',
  'eve,ada@example.com',
  'eve;ada@example.com',
  'group:ada@example.com',
  '"ada"@example.com',
  'ada(comment)@example.com',
  'ada\u0000@example.com',
  'ada\u007f@example.com',
])('rejects %j as an email address', (text) => expect(readEmail(text)).toBeNull())

test.each(["o'hara@example.com", 'ada+savings@example.com', 'ada.l@mail.example.com', 'zoë@example.com'])('accepts %j as an email address', (text) =>
  expect(readEmail(text)).toBe(text),
)

test('sends no email if a sign-up address contains a second recipient', async () => {
  const email = portal.newEmail()
  const page = await portal.signUp(portal.visitor(), `other,${email}`)
  expect(page.text).toContain('Enter an email address like name@example.com.')
  expect(await portal.sql('SELECT FROM account WHERE email LIKE $1', [`%${email}`])).toEqual([])
})

test('ignores fields that a procedure does not declare', async () => {
  const member = await portal.member()
  const read = () => portal.sql("SELECT to_jsonb(account) - 'name' - 'version' AS row FROM account WHERE id = $1", [member.id])
  const before = await read()
  const more = { role: 'admin', plan: 'enterprise', state: 'open', accountId: 1, account_id: 1, is_admin: true, credits: 1_000_000 }
  expect((await member.visitor.call('profile.rename', 'mutation', { name: 'Ada', ...more })).status).toBe(200)
  expect(await read()).toEqual(before)
  expect(await portal.sql('SELECT name FROM account WHERE id = $1', [member.id])).toEqual([{ name: 'Ada' }])
})

test('does not allow GET for a mutation', async () => {
  const { visitor, id } = await portal.member()
  const input = encodeURIComponent(JSON.stringify({ name: 'Changed' }))
  const response = await visitor.send(`/api/trpc/profile.rename?input=${input}`, { headers: { origin: visitor.origin, 'sec-fetch-site': 'same-origin' } })
  expect(response.status).toBe(405)
  expect(await portal.sql("SELECT FROM account WHERE id = $1 AND name = 'Changed'", [id])).toEqual([])
})

test('does not rebuild references, sets and maps in the input of a procedure', async () => {
  const visitor = portal.visitor()
  const headers = { origin: visitor.origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const body = JSON.stringify({ json: { email: 'ada@example.test' }, meta: { values: { email: ['set'] } } })
  const response = await visitor.send('/api/trpc/passwordReset.request', { method: 'POST', body, headers })
  // As plain JSON, the body lacks the email.
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('email')])
})

test('answers HEAD without an error', async () => {
  const { visitor } = await portal.member()
  const response = await visitor.send('/api/trpc/profile.read', { method: 'HEAD', headers: { origin: visitor.origin } })
  expect(response.status).toBeLessThan(300)
})

test.each(['/status/subscribe', '/theme'])('%s accepts a body that is not a form as an empty form', async (path) => {
  const visitor = portal.visitor()
  const headers = { origin: visitor.origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  expect((await visitor.send(path, { method: 'POST', body: '{}', headers, redirect: 'manual' })).status).toBe(303)
})

/** Bodies that attempt prototype pollution or unsafe deserialisation. */
const hostileBodies = [
  '{"name":"Ada","__proto__":{"isAdmin":true}}',
  '{"name":"Ada","constructor":{"prototype":{"isAdmin":true}}}',
  '{"json":{"name":"Ada","__proto__":{"isAdmin":true}}}',
  '{"json":{"name":"Ada","constructor":{"prototype":{"isAdmin":true}}}}',
  '{"json":{"name":"Ada"},"meta":{"values":{"__proto__.isAdmin":["Date"]}}}',
  '{"json":{"name":"Ada"},"meta":{"values":{"constructor.prototype.isAdmin":["map"]}}}',
  '{"json":{"name":"Ada"},"meta":{"values":{"name":[["custom","Process"]]}}}',
  '{"json":{"name":"Ada"},"meta":{"values":{"name":[["class","Account"]]}}}',
  '{"json":{"name":"Ada"},"meta":{"referentialEqualities":{"name":["__proto__.isAdmin"]}}}',
]

test.each(hostileBodies)("%s does not modify the service's own objects", async (body) => {
  const { visitor } = await portal.member()
  const headers = { origin: visitor.origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const response = await visitor.send('/api/trpc/profile.rename', { method: 'POST', body, headers })
  await response.body?.cancel()
  const other = await portal.member()
  expect((await other.visitor.call('profile.read', 'query')).status).toBe(200)
  expect((await other.visitor.call('admin.accounts.list', 'query', {})).status).toBe(404)
})

test('signs in with a password of 64 characters, but not with an extra or missing character', async () => {
  const email = portal.newEmail()
  const password = `${goodPassword} ${'and one pear fell '.repeat(3)}`.padEnd(64, 'x').slice(0, 64)
  const visitor = portal.visitor()
  await portal.signUp(visitor, email, password)
  await portal.confirm(visitor, email)
  expect((await portal.signIn(portal.visitor(), email, password.slice(0, -1))).text).toContain('Email address or password is not correct.')
  expect((await portal.signIn(portal.visitor(), email, `${password}x`)).text).toContain('Email address or password is not correct.')
  expect((await portal.signIn(portal.visitor(), email, password)).path).toBe('/portal')
})
