import { expect, test } from 'vitest'
import { answerNextAuth } from '#server/auth/next-auth-handler.ts'
import { goodPassword, type Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData, getError, type Page, type Visitor } from '../portal/support/visitor.ts'
import { codeAt, stepAt } from '../support/totp.ts'

const fixture = portalFixture()

/** Returns the authenticator code of the current or a later time step; each code works only once. */
const codeNow = (secret: string, steps = 0): string => codeAt(secret, stepAt(Date.now()) + steps)

/** Sets up two-factor sign-in and returns its secret and its recovery codes. */
async function turnOnSecondFactor({ visitor }: Member): Promise<{ secret: string; codes: string[] }> {
  const { secret } = getData(await visitor.call('security.beginSecondFactor', 'mutation'))
  const codes = getData(await visitor.call('security.confirmSecondFactor', 'mutation', { code: codeNow(secret) }))
  return { secret, codes }
}

/** Returns a copy of a browser, to simulate a stolen session cookie. */
function getCopy(visitor: Visitor): Visitor {
  const copy = fixture.visitor()
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
  return copy
}

const age = (id: number, column: string, span: string) =>
  fixture.sql(`UPDATE portal_session SET ${column} = now() - $2::interval WHERE account_id = $1`, [id, span])
const isSignedIn = async (visitor: Visitor): Promise<boolean> => (await visitor.call('security.read', 'query')).status === 200
const accounts = (visitor: Visitor) => visitor.call('admin.accounts.list', 'query', { text: '', state: null, plan: null, cursor: null })

test('turning on two-factor sign-in ends every session except this one', async () => {
  const member = await fixture.member()
  const other = fixture.visitor()
  await fixture.signIn(other, member.email)
  await turnOnSecondFactor(member)
  expect([await isSignedIn(member.visitor), await isSignedIn(other)]).toEqual([true, false])
})

test('turning off two-factor sign-in requires a code and ends every other session', async () => {
  const member = await fixture.member()
  const { secret, codes } = await turnOnSecondFactor(member)
  const other = fixture.visitor()
  await other.submitForm(await fixture.signIn(other, member.email), 'Sign in', { code: codes[0] ?? '' })
  const turnOff = (input: object) => member.visitor.call('security.turnOffSecondFactor', 'mutation', input)
  const refusals = [await turnOff({ currentPassword: goodPassword }), await turnOff({ code: '000000' })]
  expect(refusals.map((answer) => getError(answer).data.fields)).toEqual([
    { code: 'Enter a code from your app, or a recovery code.' },
    { code: 'Code is not correct.' },
  ])
  expect((await turnOff({ code: codeNow(secret, 1) })).status).toBe(200)
  expect([await isSignedIn(member.visitor), await isSignedIn(other)]).toEqual([true, false])
})

test.each([
  ['security.renewRecoveryCodes', {}],
  ['security.changeEmail', { email: 'moved@example.test' }],
])('%s needs a code from an account with two-factor sign-in', async (procedure, input) => {
  const member = await fixture.member()
  const { codes } = await turnOnSecondFactor(member)
  const call = (more: object) => member.visitor.call(procedure, 'mutation', { ...input, ...more })
  expect(getError(await call({ currentPassword: goodPassword })).data.fields).toEqual({ code: 'Enter a code from your app, or a recovery code.' })
  expect((await call({ code: codes[0] })).status).toBe(200)
})

test('the admin area requires a session that passed two-factor sign-in', async () => {
  const admin = await fixture.administrator()
  expect((await admin.visitor.open('/admin/accounts')).text).not.toContain('Enter your code first')
  await fixture.sql('UPDATE portal_session SET second_factor_at = NULL WHERE account_id = $1', [admin.id])
  expect((await admin.visitor.open('/admin/accounts')).text).toContain('Enter your code first')
  const refused = await accounts(admin.visitor)
  expect([refused.status, getError(refused).message]).toEqual([403, 'Sign in again with a code from your authenticator app to use the admin area.'])
})

test('hides the admin area from a session started before two-factor sign-in was turned on', async () => {
  const admin = await fixture.member({ isAdmin: true })
  const early = fixture.visitor()
  await fixture.signIn(early, admin.email)
  await turnOnSecondFactor(admin)
  expect((await early.open('/admin')).status).toBe(404)
  expect((await admin.visitor.open('/admin')).text).not.toContain('Enter your code first')
})

test('opens the admin area once a code is entered', async () => {
  const admin = await fixture.member({ isAdmin: true })
  const { codes } = await turnOnSecondFactor(admin)
  await fixture.sql('UPDATE portal_session SET second_factor_at = NULL WHERE account_id = $1', [admin.id])
  const page = await admin.visitor.open('/sign-in/confirm?next=/admin')
  const wrong = await admin.visitor.submitForm(page, 'Confirm and continue', { identityCode: '000000' })
  expect(wrong.text).toContain('Code is not correct.')
  const done = await admin.visitor.submitForm(wrong, 'Confirm and continue', { identityCode: codes[0] ?? '' })
  expect([done.path, done.text.includes('Enter your code first')]).toEqual(['/admin', false])
})

test.each([
  ['member', 'seen_at', '13 days 23 hours', true],
  ['member', 'seen_at', '14 days 1 minute', false],
  ['member', 'created_at', '29 days', true],
  ['member', 'created_at', '30 days 1 minute', false],
  ['administrator', 'seen_at', '59 minutes', true],
  ['administrator', 'seen_at', '61 minutes', false],
  ['administrator', 'created_at', '11 hours 59 minutes', true],
  ['administrator', 'created_at', '12 hours 1 minute', false],
] as const)('accepts a %s session with %s %s ago: %s', async (who, column, span, isValid) => {
  const { visitor, id } = await fixture[who]()
  await age(id, column, span)
  expect(await isSignedIn(visitor)).toBe(isValid)
})

test("updates the session's last use at most every five minutes", async () => {
  const { visitor, id } = await fixture.member()
  const seenAt = async () => (await fixture.sql<{ seen_at: Date }>('SELECT seen_at FROM portal_session WHERE account_id = $1', [id]))[0]?.seen_at.getTime()
  await age(id, 'seen_at', '4 minutes')
  const before = await seenAt()
  await visitor.open('/portal')
  expect(await seenAt()).toBe(before)
  await age(id, 'seen_at', '6 minutes')
  await visitor.open('/portal')
  expect(Date.now() - ((await seenAt()) ?? 0)).toBeLessThan(60_000)
})

/**
 * Returns a sign-in page opened without the member's session, as if it had been open in another tab before the member signed in. Opened now, it would redirect.
 */
async function openSignIn({ visitor }: Member): Promise<Page> {
  const other = fixture.visitor()
  const page = await other.open('/sign-in')
  for (const [name, value] of other.cookies) visitor.cookies.set(name, value)
  return page
}

test("ends the browser's previous session when signing in again", async () => {
  const member = await fixture.member()
  const page = await openSignIn(member)
  const thief = getCopy(member.visitor)
  expect(await isSignedIn(thief)).toBe(true)
  expect((await member.visitor.submitForm(page, 'Sign in', { email: member.email, password: goodPassword })).path).toBe('/portal')
  expect([await isSignedIn(member.visitor), await isSignedIn(thief)]).toEqual([true, false])
})

test("ends the browser's previous session when signing in again with a code", async () => {
  const member = await fixture.member()
  const { codes } = await turnOnSecondFactor(member)
  const page = await openSignIn(member)
  const thief = getCopy(member.visitor)
  const asked = await member.visitor.submitForm(page, 'Sign in', { email: member.email, password: goodPassword })
  expect((await member.visitor.submitForm(asked, 'Sign in', { code: codes[0] ?? '' })).path).toBe('/portal')
  expect([await isSignedIn(member.visitor), await isSignedIn(thief)]).toEqual([true, false])
})

/** Signs in at next-auth's own endpoint with these request headers. */
async function postCredentials(visitor: Visitor, email: string, headers: Record<string, string>): Promise<Response> {
  const { csrfToken } = (await (await visitor.send('/api/auth/csrf')).json()) as { csrfToken: string }
  const body = new URLSearchParams({ csrfToken, email, password: goodPassword, json: 'true' })
  return visitor.send('/api/auth/callback/credentials', { method: 'POST', body, headers })
}

test("ends the browser's previous session at the next-auth credentials callback", async () => {
  const member = await fixture.member()
  const thief = getCopy(member.visitor)
  expect((await postCredentials(member.visitor, member.email, { origin: fixture.origin })).status).toBe(200)
  expect([await isSignedIn(member.visitor), await isSignedIn(thief)]).toEqual([true, false])
})

test.each([{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'https://other.example' }, {}])(
  'rejects a post with %j at the next-auth credentials callback',
  async (headers) => {
    const [visitor, { email }] = [fixture.visitor(), await fixture.member()]
    expect((await postCredentials(visitor, email, headers as Record<string, string>)).status).toBe(403)
    expect(await isSignedIn(visitor)).toBe(false)
  },
)

test.each([[['callback', 'credentials']], [['callback', 'credentials', 'x']], [['callback', 'credentials', '']]])(
  'rejects a sign-in from another site at %j',
  async (nextauth) => {
    const deps = { publicUrl: 'https://api.example' } as Parameters<typeof answerNextAuth>[0]
    const request = new Request('https://api.example/api/auth', { method: 'POST', headers: { origin: 'https://elsewhere.example' } })
    const answer = await answerNextAuth(
      deps,
      { address: null } as Parameters<typeof answerNextAuth>[1],
      request,
      { params: Promise.resolve({ nextauth }) },
      expect.unreachable,
    )
    expect(answer.status).toBe(403)
  },
)
