import { expect, test } from 'vitest'
import { goodPassword, type Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData, getError } from '../portal/support/visitor.ts'
import { codeAt, stepAt } from '../support/totp.ts'

const fixture = portalFixture()

const liveKey = { mode: 'live', name: 'A key', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }

/** Backdates a sign-in by 11 minutes; it counts as recent for ten. */
const makeStale = ({ id }: Member) =>
  fixture.sql("UPDATE portal_session SET created_at = now() - interval '11 minutes', reauthenticated_at = NULL WHERE account_id = $1", [id])

async function staleMember(): Promise<Member> {
  const member = await fixture.member()
  await fixture.sql('UPDATE wallet SET month_cap = 50 WHERE account_id = $1', [member.id])
  await makeStale(member)
  return member
}

const cardless = { thresholdCredits: 10, amountPence: 1_000, ceilingPence: 5_000 }
const aWebhook = { url: 'https://hooks.example.com/', types: ['rate.changed'], providers: '', accountTypes: [], minChange: '', description: '' }
const guarded: [procedure: string, input: object | undefined][] = [
  ['keys.create', liveKey],
  ['billing.setCap', { capCredits: 51 }],
  ['billing.setCap', { capCredits: null }],
  ['billing.startTopUp', { key: 'key_1', amountPence: 1_000, savesCard: true }],
  ['billing.setAutoTopUp', { isOn: true, ...cardless }],
  ['billing.removeCard', undefined],
  ['billing.customerPage', undefined],
  ['security.changeEmail', { email: 'moved@example.test' }],
  ['security.beginSecondFactor', undefined],
  ['security.confirmSecondFactor', { code: '123456' }],
  ['security.beginConnect', { provider: 'oidc' }],
  ['security.disconnect', { issuer: 'https://id.example' }],
  ['session.endAll', undefined],
  ['webhooks.create', aWebhook],
  ['webhooks.update', { ...aWebhook, id: 'whk_none' }],
  ['webhooks.rotate', { id: 'whk_none' }],
  ['oauth.approve', { ...liveKey, request: {} }],
  ['team.setSingleSignOn', { issuer: 'https://login.example.com', clientId: 'client', clientSecret: 'secret' }],
  ['team.requireSingleSignOn', { isRequired: true }],
  ['team.removeSingleSignOn', undefined],
]

test.each(guarded)('%s %j needs a recent sign-in', async (procedure, input) => {
  const { visitor, id } = await staleMember()
  await fixture.sql('INSERT INTO webhook_account (account_id, is_on) VALUES ($1, true) ON CONFLICT (account_id) DO UPDATE SET is_on = true', [id])
  const refused = await visitor.call(procedure, 'mutation', input)
  expect([refused.status, getError(refused).data.proof]).toEqual([403, 'password'])
})

test('a console call that may cost credits needs a recent sign-in; a free one does not', async () => {
  const member = await fixture.member()
  const { id: keyId } = getData(await member.visitor.call('keys.create', 'mutation', liveKey))
  await makeStale(member)
  const headers = { origin: member.visitor.origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const send = (target: string, maxCredits: number) =>
    member.visitor.send('/console/call', { method: 'POST', body: JSON.stringify({ target, keyId, maxCredits }), headers })
  const refused = await send('/rates?limit=3', 3)
  const message = `This call may cost credits. Confirm it's you at ${member.visitor.origin}/sign-in/confirm, then send the call again.`
  expect([refused.status, await refused.json()]).toEqual([403, { message }])
  expect((await send('/ping', 0)).status).toBe(200)
  await member.visitor.call('security.reauthenticate', 'mutation', { password: goodPassword, code: '' })
  expect((await send('/rates?limit=3', 3)).status).toBe(200)
})

const unchangedTerms = { accountName: '', rate: '', boostRate: '', boostDuration: '', minBalance: '', maxBalance: '' }

type AdminCall = [procedure: string, input: object]
const guardedAdminCalls: AdminCall[] = [
  ['admin.accounts.setPlan', { plan: 'business' }],
  ['admin.accounts.setLimits', { perMinute: 90, perDay: null }],
  ['admin.accounts.setWebhooks', { isOn: true }],
  ['admin.accounts.block', { customerMessage: '' }],
  ['admin.accounts.unblock', {}],
  ['admin.accounts.revokeKey', { id: 'key_none' }],
  ['admin.accounts.endSessions', {}],
  ['admin.credits.adjust', { key: 'key_of_the_form', credits: 50, note: '' }],
  ['admin.credits.decide', { id: 'adj_none', isApproved: true }],
  ['admin.review.approve', {}],
  ['admin.review.decline', { customerMessage: 'Not enough details.' }],
  ['admin.viewing.begin', {}],
  ['admin.changelog.publish', { id: 'chg_none', revision: 1 }],
  ['admin.incidents.open', { title: 'Rates are delayed', startedAt: '', impact: 'degraded', state: 'monitoring', body: 'Text.' }],
  ['admin.incidents.update', { id: 'inc_none', impact: 'degraded', state: 'monitoring', body: 'Text.' }],
  ['admin.licences.publish', { id: 'lic_none', revision: 1 }],
  ['admin.endpoints.setAvailability', { endpoint: 'fx.rates', from: 'open', to: 'test-only', title: 'Exchange rates', body: 'Text.' }],
  ['admin.imports.publish', { feed: '1' }],
  ['admin.imports.decline', { feed: '1' }],
  ['admin.products.correct', { sourceKey: 'none', seen: '', until: '', ...unchangedTerms }],
  ['admin.products.withdraw', { sourceKey: 'none', seen: '', until: '' }],
  ['admin.products.endCorrection', { sourceKey: 'none' }],
]

test.each(guardedAdminCalls)('%s needs a recent administrator sign-in', async (procedure, input) => {
  const [admin, { publicId: account }] = [await fixture.administrator(), await fixture.member()]
  await makeStale(admin)
  const refused = await admin.visitor.call(procedure, 'mutation', { account, reason: 'Of the tests.', ...input })
  expect([refused.status, getError(refused).data.proof]).toEqual([403, 'code'])
})

test('closing the account needs a recent sign-in', async () => {
  const { visitor, email } = await staleMember()
  expect(getError(await visitor.call('security.closeAccount', 'mutation', { email })).data.proof).toBe('password')
  expect((await visitor.call('security.read', 'query')).status).toBe(200)
})

test('rotating a live key needs a recent sign-in; a test key does not', async () => {
  const member = await fixture.member()
  const ids: string[] = []
  for (const mode of ['live', 'test']) ids.push(getData(await member.visitor.call('keys.create', 'mutation', { ...liveKey, mode })).id)
  await makeStale(member)
  const rotations = await Promise.all(ids.map((id) => member.visitor.call('keys.rotate', 'mutation', { id, overlapHours: 0 })))
  expect(rotations.map(({ status }) => status)).toEqual([403, 200])
})

test("ending another device's session needs a recent sign-in; signing out does not", async () => {
  const member = await staleMember()
  const other = fixture.visitor()
  await fixture.signIn(other, member.email)
  const isOther = ({ isThis }: { isThis: boolean }) => !isThis
  const sessions = getData(await member.visitor.call('session.list', 'query')) as { id: string; isThis: boolean }[]
  const end = (id = '') => member.visitor.call('session.end', 'mutation', { id })
  const refused = await end(sessions.find(isOther)?.id)
  expect([refused.status, getError(refused).data.proof]).toEqual([403, 'password'])
  expect((await other.open('/portal')).path).toBe('/portal')
  expect((await end(sessions.find(({ isThis }) => isThis)?.id)).status).toBe(200)
  expect((await member.visitor.open('/portal')).path).toMatch(/^\/sign-in/)
})

test('lowering a cap and creating a test key need no recent sign-in', async () => {
  const { visitor } = await staleMember()
  expect((await visitor.call('billing.setCap', 'mutation', { capCredits: 49 })).status).toBe(200)
  expect((await visitor.call('keys.create', 'mutation', { ...liveKey, mode: 'test' })).status).toBe(200)
})

test('confirming the password counts as a recent sign-in for ten minutes', async () => {
  const { visitor, id } = await staleMember()
  const confirm = (password: string) => visitor.call('security.reauthenticate', 'mutation', { password, code: '' })
  expect(getError(await confirm('not the password')).data.fields).toEqual({ identityPassword: 'Current password is not correct.' })
  expect((await visitor.call('keys.create', 'mutation', liveKey)).status).toBe(403)
  expect((await confirm(goodPassword)).status).toBe(200)
  expect((await visitor.call('keys.create', 'mutation', liveKey)).status).toBe(200)
  await fixture.sql("UPDATE portal_session SET reauthenticated_at = now() - interval '11 minutes' WHERE account_id = $1", [id])
  expect((await visitor.call('keys.create', 'mutation', liveKey)).status).toBe(403)
})

test('an account with two-factor sign-in confirms its identity with a code, not the password', async () => {
  const member = await fixture.member()
  const { visitor } = member
  const { secret } = getData(await visitor.call('security.beginSecondFactor', 'mutation'))
  await visitor.call('security.confirmSecondFactor', 'mutation', { code: codeAt(secret, stepAt(Date.now())) })
  await makeStale(member)
  expect(getError(await visitor.call('keys.create', 'mutation', liveKey)).data.proof).toBe('code')
  const confirm = (typed: object) => visitor.call('security.reauthenticate', 'mutation', { password: '', code: '', ...typed })
  expect((await confirm({ password: goodPassword })).status).toBe(400)
  expect((await confirm({ code: codeAt(secret, stepAt(Date.now()) + 1) })).status).toBe(200)
  expect((await visitor.call('keys.create', 'mutation', liveKey)).status).toBe(200)
})

test('an account without a password confirms its identity with its identity provider', async () => {
  const member = await staleMember()
  await fixture.sql('UPDATE account SET password_hash = NULL WHERE id = $1', [member.id])
  expect(getError(await member.visitor.call('keys.create', 'mutation', liveKey)).data.proof).toBe('provider')
  const page = await member.visitor.submitForm(await member.visitor.open('/portal/keys/new'), 'Create test key', { ...liveKey })
  expect(page.text).toContain("Confirm it's you")
})

test('a form is submitted after the identity confirmation', async () => {
  const { visitor } = await staleMember()
  const typed = { mode: 'live', name: 'Nightly job', scopes: ['rates:read'], cap: '40' }
  const page = await visitor.open('/portal/keys/new')
  const asked = await visitor.submitForm(page, 'Create test key', typed)
  expect(asked.text).toContain("Confirm it's you")
  const wrong = await visitor.submitForm(page, 'Create test key', { ...typed, identityPassword: 'not the password' })
  expect(wrong.text).toContain('There is a problem Current password is not correct.')
  const made = await visitor.submitForm(page, 'Create test key', { ...typed, identityPassword: goodPassword })
  expect(made.result.key).toMatch(/^svc_live_/)
  const [key] = getData(await visitor.call('keys.list', 'query'))
  expect(key).toMatchObject({ mode: 'live', name: 'Nightly job', scopes: ['rates:read'], capCredits: 40 })
})

test('a two-factor set-up starts after the identity confirmation', async () => {
  const { visitor } = await staleMember()
  const page = await visitor.open('/portal/settings/security')
  expect((await visitor.submitForm(page, 'Set up two-factor sign-in')).text).toContain("Confirm it's you")
  const started = await visitor.submitForm(page, 'Set up two-factor sign-in', { identityPassword: goodPassword })
  expect(started.result).toMatchObject({ secret: expect.any(String), picture: expect.stringMatching(/^data:image\/svg/) })
})
