import { expect, test } from 'vitest'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { makeCookie } from '#server/auth/cookies.ts'
import { authSecret } from '../support/service-process.ts'
import type { Member } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData, getError } from './support/visitor.ts'

const fixture = portalFixture()

/** Ends all sessions of a member while pages are still open, as happens when the member signs out everywhere from another device. */
const signOutElsewhere = ({ id }: Member) => fixture.sql('UPDATE portal_session SET ended_at = now() WHERE account_id = $1', [id])

/** Returns the data that the forms below would change. */
const readState = ({ id }: Member) =>
  fixture.sql(
    `SELECT (SELECT to_jsonb(a)::text FROM account a WHERE a.id = $1) AS account,
            (SELECT jsonb_agg(to_jsonb(k) ORDER BY k.id)::text FROM api_key k WHERE k.account_id = $1) AS keys,
            (SELECT count(*) FROM balance_alert b WHERE b.account_id = $1) AS alerts,
            (SELECT count(*) FROM audit_entry) AS entries`,
    [id],
  )

type Case = { readonly path: string; readonly button: string; readonly fields?: Record<string, string | readonly string[]> }

const forms: Record<string, (key: string) => Case> = {
  'create a key': () => ({ path: '/portal/keys/new', button: 'Create test key', fields: { name: 'Late', scopes: ['rates:read'] } }),
  'rotate a key': (key) => ({ path: `/portal/keys/${key}`, button: 'Rotate key' }),
  'revoke a key': (key) => ({ path: `/portal/keys/${key}`, button: 'Revoke key' }),
  rename: () => ({ path: '/portal/settings', button: 'Save name', fields: { name: 'Late' } }),
  'set alerts': () => ({ path: '/portal/billing/alerts', button: 'Save alerts', fields: { thresholds: '7' } }),
}

test.each(Object.keys(forms))('%s: submitted after the session has ended, is rejected and changes nothing', async (name) => {
  const member = await fixture.member()
  const typed = { mode: 'test', name: 'Mine', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }
  const { id } = getData(await member.visitor.call('keys.create', 'mutation', typed))
  const { path, button, fields } = forms[name]?.(id) ?? expect.unreachable()
  const page = await member.visitor.open(path)
  await signOutElsewhere(member)
  const before = await readState(member)
  const answer = await member.visitor.submitForm(page, button, fields)
  expect([answer.status, answer.text.startsWith("There is a problem You've been signed out. Sign in to continue.")]).toEqual([401, true])
  expect(await readState(member)).toEqual(before)
})

test('an admin form does nothing after the session has ended, and a portal query tells the page that the user is signed out', async () => {
  const [admin, other] = [await fixture.administrator(), await fixture.member({ isApproved: false })]
  const path = `/admin/accounts/${other.publicId}`
  const page = await admin.visitor.open(path)
  await signOutElsewhere(admin)
  const before = await readState(other)
  const answer = await admin.visitor.submitForm(page, 'Approve account', { reason: 'Known to us.' })
  expect([answer.status, getError(await admin.visitor.call('account.overview', 'query')).message]).toEqual([
    404,
    "You've been signed out. Sign in to continue.",
  ])
  expect(await readState(other)).toEqual(before)
})

test('returns 404 for admin pages after sign-out, and ignores admin forms from anyone but administrators', async () => {
  const [admin, other] = [await fixture.administrator(), await fixture.member({ isApproved: false })]
  const page = await admin.visitor.open(`/admin/accounts/${other.publicId}`)
  await signOutElsewhere(admin)
  expect((await admin.visitor.open(page.path)).status).toBe(404)
  for (const visitor of [fixture.visitor(), other.visitor]) {
    expect((await visitor.submitForm(page, 'Approve account', { reason: 'Mine.' })).status).toBe(404)
  }
})

test('an admin form does nothing on a known device if the administrator signed out in another tab', async () => {
  const [admin, other] = [await fixture.administrator(), await fixture.member({ isApproved: false })]
  const page = await admin.visitor.open(`/admin/accounts/${other.publicId}`)
  const { name, value } = await makeCookie({ secret: authSecret, publicUrl: fixture.origin } as AuthContext, 'device', {
    id: 'a-device',
    accounts: [admin.publicId],
  })
  admin.visitor.cookies.clear()
  admin.visitor.cookies.set(name, value)
  expect((await admin.visitor.submitForm(page, 'Approve account', { reason: 'Known to us.' })).status).toBe(404)
  expect(getError(await admin.visitor.call('account.overview', 'query')).message).toBe("You've been signed out. Sign in to continue.")
})

test.each([
  ['/portal?_rsc=1abc2', '/portal'],
  ['/portal/usage?days=30&_rsc=1abc2', '/portal/usage?days=30'],
  ['/portal/usage?_rsc=1abc2&days=30', '/portal/usage?days=30'],
])('%s: omits the _rsc parameter from the return path after signing in', async (asked, page) => {
  expect((await fixture.visitor().open(asked)).path).toBe(`/sign-in?next=${encodeURIComponent(page)}`)
})
