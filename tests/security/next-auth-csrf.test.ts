import { expect, test } from 'vitest'
import { goodPassword } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import type { Visitor } from '../portal/support/visitor.ts'

const fixture = portalFixture()

const post = (visitor: Visitor, path: string, fields: Record<string, string>) =>
  visitor.send(`/api/auth/${path}`, { method: 'POST', body: new URLSearchParams(fields), headers: { origin: fixture.origin } })

const getToken = async (visitor: Visitor): Promise<string> => ((await (await visitor.send('/api/auth/csrf')).json()) as { csrfToken: string }).csrfToken

const isSignedIn = async (visitor: Visitor): Promise<boolean> => 'user' in ((await (await visitor.send('/api/auth/session')).json()) as object)

test('the sign-in form contains the token of the CSRF cookie that the page sets', async () => {
  const visitor = fixture.visitor()
  const { html } = await visitor.open('/sign-in')
  const cookie = decodeURIComponent(visitor.cookies.get('svc.csrf') ?? '')
  expect(cookie).toMatch(/^[0-9a-f]{64}\|[0-9a-f]{64}$/)
  expect(/name="csrfToken" value="([^"]*)"/.exec(html)?.[1]).toBe(cookie.split('|')[0])
  expect(await getToken(visitor)).toBe(cookie.split('|')[0])
})

test.each(['missing', "another browser's", 'forged'])('a sign-in with a token that is %s creates no session', async (which) => {
  const [{ email }, visitor] = [await fixture.member(), fixture.visitor()]
  const own = await getToken(visitor)
  const tokens: Record<string, string> = { missing: '', "another browser's": await getToken(fixture.visitor()), forged: 'f'.repeat(64) }
  const response = await post(visitor, 'callback/credentials', { csrfToken: tokens[which] ?? '', email, password: goodPassword })
  expect(response.headers.get('location')).toMatch(/\/api\/auth\/signin\?csrf=true$/)
  expect(await isSignedIn(visitor)).toBe(false)
  await post(visitor, 'callback/credentials', { csrfToken: own, email, password: goodPassword })
  expect(await isSignedIn(visitor)).toBe(true)
})

test('replaces a CSRF cookie that was not created with the secret, and rejects its token', async () => {
  const [{ email }, visitor] = [await fixture.member(), fixture.visitor()]
  const token = 'a'.repeat(64)
  visitor.cookies.set('svc.csrf', encodeURIComponent(`${token}|${'b'.repeat(64)}`))
  await post(visitor, 'callback/credentials', { csrfToken: token, email, password: goodPassword })
  expect(await isSignedIn(visitor)).toBe(false)
  expect(visitor.cookies.get('svc.csrf')).not.toContain(token)
})

test('a sign-out request without the token does not end the session', async () => {
  const { visitor } = await fixture.member()
  const csrfToken = await getToken(visitor)
  await post(visitor, 'signout', { csrfToken: '', callbackUrl: '/sign-in' })
  expect(await isSignedIn(visitor)).toBe(true)
  expect((await post(visitor, 'signout', { csrfToken, callbackUrl: '/sign-in' })).headers.get('location')).toBe('/sign-in')
  expect(await isSignedIn(visitor)).toBe(false)
})

test('ignores a return address on another site', async () => {
  const [{ email }, visitor] = [await fixture.member(), fixture.visitor()]
  const fields = { csrfToken: await getToken(visitor), email, password: goodPassword, callbackUrl: 'https://evil.example/' }
  expect((await post(visitor, 'callback/credentials', fields)).headers.get('location')).toBe('/portal')
})
