import { afterAll, beforeAll, expect, test } from 'vitest'
import { webhookSecret } from '../billing/support/stripe-objects.ts'
import { StripeServer, testKey } from '../billing/support/stripe-server.ts'
import { goodPassword, type Member, PortalFixture } from './support/portal-fixture.ts'
import { getData, type Page } from './support/visitor.ts'

const fixture = new PortalFixture()
let stripe: StripeServer

beforeAll(async () => {
  stripe = await StripeServer.open()
  await fixture.open({ NODE_ENV: '', STRIPE_SECRET_KEY: testKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: stripe.base })
})
afterAll(async () => {
  await fixture.close()
  await stripe.close()
})

type Fields = Record<string, string | readonly string[]>
type Case = { readonly path: string; readonly button: string; readonly fields: Fields }

/** Forms that an attacker would target, one of each kind. `id` and `end` are the id and the last four characters of the member's key, which is named Mine. */
const forms: Record<string, (member: Member, id: string, end: string) => Case> = {
  'sign up': () => ({ path: '/sign-up', button: 'Create account', fields: { email: fixture.newEmail(), password: goodPassword, licence: 'yes' } }),
  'sign in': ({ email }) => ({ path: '/sign-in', button: 'Sign in', fields: { email, password: goodPassword } }),
  reset: ({ email }) => ({ path: '/reset', button: 'Send reset link', fields: { email } }),
  'sign out': () => ({ path: '/portal', button: 'Sign out', fields: {} }),
  'create a key': () => ({ path: '/portal/keys/new', button: 'Create test key', fields: { mode: 'live', name: 'Theirs', scopes: ['rates:read'] } }),
  'rotate a key': (_, id) => ({ path: `/portal/keys/${id}`, button: 'Rotate key', fields: { overlap: '24' } }),
  'revoke a key': (_, id, end) => ({ path: `/portal/keys/${id}`, button: 'Revoke key', fields: { id, name: `Mine ${end}` } }),
  rename: () => ({ path: '/portal/settings', button: 'Save name', fields: { name: 'Theirs' } }),
  'change the email': () => ({
    path: '/portal/settings/security',
    button: 'Send link to new address',
    fields: { email: 'evil@example.test', currentPassword: goodPassword },
  }),
  'change the password': () => ({
    path: '/portal/settings/security',
    button: 'Change password',
    fields: { password: "an attacker's password", currentPassword: goodPassword },
  }),
  'sign out everywhere': () => ({ path: '/portal/settings/security', button: 'Sign out everywhere', fields: {} }),
  'close the account': ({ email }) => ({ path: '/portal/settings/account', button: 'Close account', fields: { email, currentPassword: goodPassword } }),
  'set alerts': () => ({ path: '/portal/billing/alerts', button: 'Save alerts', fields: { thresholds: '7' } }),
  'top up': () => ({ path: '/portal/billing/top-up?amount=20', button: 'Pay £20', fields: {} }),
}

/** Tables that these forms change. */
const watchedTables = ['account', 'api_key', 'key_meter', 'portal_session', 'audit_entry', 'email', 'top_up', 'balance_alert']

async function everything(): Promise<string[]> {
  const tables = await fixture.sql<{ name: string }>("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename = ANY ($1)", [
    watchedTables,
  ])
  const rows = await Promise.all(
    tables.map(({ name }) => {
      // The time of a session's last use changes with every request, and queued emails may be sent in the meantime.
      const row = { portal_session: "to_jsonb(t) - 'seen_at' - 'address'", email: 'to_jsonb(t.id)' }[name] ?? 'to_jsonb(t)'
      return fixture.sql<{ row: string }>(`SELECT '${name} ' || (${row})::text AS row FROM ${name} t`)
    }),
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .toSorted()
}

/** Origins other than our own, as browsers report them. */
const foreignOrigins: Record<string, Record<string, string>> = {
  'another site': { origin: 'https://evil.example' },
  'another site with Sec-Fetch-Site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'another site with a null origin': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  'another host of the same site': { origin: 'null', 'sec-fetch-site': 'same-site' },
}

const isRefused = ({ status, text }: Page) => status >= 400 || text.includes('This form was sent from another site.')

test.each(Object.keys(forms))('%s: a request from another site is rejected and changes nothing', async (name) => {
  const member = await fixture.member()
  const typed = { mode: 'live', name: 'Mine', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }
  const { id, key } = getData(await member.visitor.call('keys.create', 'mutation', typed))
  const { path, button, fields } = forms[name]?.(member, id, key.slice(-4)) ?? expect.unreachable()
  const isPublic = ['/sign-up', '/sign-in', '/reset'].includes(path)
  const visitor = isPublic ? fixture.visitor() : member.visitor
  const page = await visitor.open(path)
  const before = await everything()
  const cookies = [...visitor.cookies]
  for (const [from, headers] of Object.entries(foreignOrigins)) {
    const answer = await visitor.submitForm(page, button, fields, headers)
    expect([from, isRefused(answer), /svc_live_\w{36}/.test(answer.text)]).toEqual([from, true, false])
    expect([from, [...visitor.cookies]]).toEqual([from, cookies])
  }
  expect(await everything()).toEqual(before)
  // The same form works from our own origin, so it was rejected only because of its origin.
  await visitor.submitForm(page, button, fields)
  expect(await everything()).not.toEqual(before)
})

test("rejects reports to next-auth's log endpoint, which would fill the log", async () => {
  const headers = { origin: fixture.origin, 'content-type': 'application/x-www-form-urlencoded' }
  const { status } = await fixture.visitor().send('/api/auth/_log', { method: 'POST', headers, body: 'level=error&code=x' })
  expect(status).toBe(404)
})

test('the sign-in form works with a query in the URL', async () => {
  const { email } = await fixture.member()
  const visitor = fixture.visitor()
  const page = await visitor.open('/sign-in?callbackUrl=x')
  expect((await visitor.submitForm(page, 'Sign in', { email, password: goodPassword })).path).toBe('/portal')
})
