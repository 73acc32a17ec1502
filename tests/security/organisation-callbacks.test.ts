/** Tests which unauthenticated requests reach an organisation's provider, and what an unfinished sign-in can do later. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { IdentityProvider } from '../portal/support/identity-provider.ts'
import { type Member, PortalFixture } from '../portal/support/portal-fixture.ts'
import { singleSignOn } from '../portal/support/single-sign-on.ts'
import { addInvitation, linkSignIn, teamMember } from '../portal/support/teams.ts'
import { getData, type Visitor } from '../portal/support/visitor.ts'
import { verifies } from '../requirements/verifies.ts'
import { clientId, TokenIssuer } from './support/token-issuer.ts'

const portal = new PortalFixture()
const issuer = new TokenIssuer()
const provider = new IdentityProvider()
const { setUp, goThrough, link, signIn, addPerson } = singleSignOn(portal, provider)

beforeAll(async () => {
  await issuer.open()
  await portal.open(async (origin) => {
    await provider.open(origin)
    return { NODE_ENV: '', WEBHOOKS_ALLOW_PRIVATE: 'true' }
  })
})
afterAll(async () => {
  await portal.close()
  await provider.close()
  await issuer.close()
})
beforeEach(() => {
  issuer.namedIssuer = null
})

/** Returns an owner whose account has the provider of `issuer`. */
async function ownerWithIssuer(): Promise<Member> {
  const owner = await portal.member()
  const saved = await owner.visitor.call('team.setSingleSignOn', 'mutation', { issuer: issuer.issuer, clientId, clientSecret: 'a secret of the tests' })
  expect(saved.status).toBe(200)
  await linkSignIn(portal, owner, owner, 'somebody')
  issuer.requested.length = 0
  return owner
}

const start = async ({ publicId }: Member, visitor = portal.visitor()) =>
  visitor.submitForm(await visitor.open(`/sign-in?organisation=${publicId}`), 'Continue with single sign-on')

const discovery = '/.well-known/openid-configuration'

verifies('teams/single-sign-on-callback', async () => {
  const owner = await ownerWithIssuer()
  const [action, other] = [`/org-${owner.publicId}`, await ownerWithIssuer()]
  const callback = `/api/auth/callback${action}?code=x&state=y`
  expect((await portal.visitor().open(callback)).path).toBe(`/sign-in?organisation=${owner.publicId}&error=code`)
  const forged = portal.visitor()
  forged.cookies.set('svc.state', 'x')
  await forged.open(callback)
  // A sign-in that this browser has begun with another organisation.
  const begun = portal.visitor()
  await start(other, begun)
  issuer.requested.length = 0
  expect((await begun.open(callback)).path).toBe(`/sign-in?organisation=${owner.publicId}&error=code`)
  for (const path of [`/api/auth/signin${action}`, `/api/auth/signout${action}`, `/api/auth/session${action}`, `/api/auth/error${action}`])
    await portal.visitor().send(path)
  for (const path of [callback, `/api/auth/session${action}`]) await portal.visitor().send(path, { method: 'POST', headers: { origin: portal.origin } })
  expect(issuer.requested).toEqual([])
  await Promise.all([start(owner), start(owner), start(owner)])
  await start(owner)
  expect(issuer.requested).toEqual([discovery])
})

test('fetches a rejected discovery document again on the next attempt, and truncates the log message', async () => {
  const owner = await ownerWithIssuer()
  issuer.namedIssuer = `https://login.example.com/${'x'.repeat(2_000 - 26)}`
  expect((await start(owner)).path).toContain('error=provider')
  expect(portal.notices()).toContain("The identity provider's discovery document names a different issuer")
  expect(portal.notices()).not.toContain('x'.repeat(200))
  // The message can contain 200 characters of the issuer, but the log is limited to 200 in total.
  expect(portal.notices()).not.toContain('x'.repeat(150))
  issuer.namedIssuer = null
  expect((await start(owner)).html).toContain('http-equiv="refresh"')
  expect(issuer.requested).toEqual([discovery, discovery])
})

test('a blocked account has no single sign-on, and a person can still unlink from it', async () => {
  const owner = await portal.member()
  const member = await teamMember(portal, owner, 'developer')
  await setUp(owner)
  await link(member.visitor, addPerson())
  const page = await portal.visitor().open(`/sign-in?organisation=${owner.publicId}`)
  expect(page.text).toContain(new URL(provider.issuer).host)
  await portal.sql("UPDATE account SET state = 'blocked' WHERE id = $1", [owner.id])
  expect((await portal.visitor().open(`/sign-in?organisation=${owner.publicId}`)).text).toContain("doesn't use single sign-on")
  expect((await portal.visitor().open(`/api/auth/callback/org-${owner.publicId}?code=x&state=y`)).path).not.toContain('organisation=')
  expect((await member.visitor.call('security.disconnect', 'mutation', { issuer: `org-${owner.publicId}` })).status).toBe(200)
  expect(await portal.sql('SELECT FROM linked_sign_in WHERE account_id = $1', [owner.id])).toEqual([])
})

test("doesn't complete an invitation after the client that identified the person is replaced", async () => {
  const owner = await portal.member()
  const { issuer: url, clientSecret } = await setUp(owner)
  const email = portal.newEmail()
  await addInvitation(portal, owner, email, `late-${owner.id}`)
  const visitor = portal.visitor()
  const finish = await goThrough(visitor, `/join/late-${owner.id}`, addPerson(email))
  expect(finish.path).toBe('/sign-up/finish')
  const changed = await owner.visitor.call('team.setSingleSignOn', 'mutation', { issuer: url, clientId: 'another', clientSecret })
  expect(changed.status).toBe(200)
  expect((await visitor.submitForm(finish, 'Create account', { licence: 'yes' })).path).toBe(`/join/late-${owner.id}?error=sign-in-first`)
  expect(await portal.sql('SELECT FROM linked_sign_in WHERE account_id = $1', [owner.id])).toEqual([])
  expect(await portal.sql('SELECT FROM account WHERE email = $1', [email])).toEqual([])
})

const linkedTo = ({ id }: Member) => portal.sql<{ subject: string }>('SELECT subject FROM linked_sign_in WHERE account_id = $1', [id])

const begin = async (visitor: Visitor, { publicId }: Member): Promise<string> =>
  getData(await visitor.call('security.beginConnect', 'mutation', { provider: `org-${publicId}` })).next

test('links only the provider that the user chose, and only while none is linked', async () => {
  const [owner, other] = [await portal.member(), await portal.member()]
  const member = await teamMember(portal, owner, 'developer')
  await portal.sql("INSERT INTO membership (account_id, member_id, role) VALUES ($1, $2, 'developer')", [other.id, member.id])
  await setUp(owner)
  await setUp(other)
  await begin(member.visitor, owner)
  expect((await member.visitor.open(`/sign-in/connect?provider=org-${other.publicId}`)).path).toBe('/portal/settings/security')
  expect((await signIn(other, addPerson(), member.visitor)).page.text).toContain("You haven't connected single sign-on yet")
  expect(await linkedTo(other)).toEqual([])
  const sub = addPerson()
  await goThrough(member.visitor, await begin(member.visitor, owner), sub)
  expect(await linkedTo(owner)).toEqual([{ subject: sub }])
  const again = await goThrough(member.visitor, await begin(member.visitor, owner), addPerson())
  expect(again.text).toContain("The account wasn't connected.")
  expect(await linkedTo(owner)).toEqual([{ subject: sub }])
})

test('the email after a password reset names the linked organisations', async () => {
  const owner = await portal.member()
  const member = await teamMember(portal, owner, 'developer')
  await portal.sql("UPDATE account SET name = 'Harbour Street Labs' WHERE id = $1", [owner.id])
  await setUp(owner)
  await goThrough(member.visitor, await begin(member.visitor, owner), addPerson(), 'Continue with Harbour Street Labs')
  const visitor = portal.visitor()
  await visitor.submitForm(await visitor.open('/reset'), 'Send reset link', { email: member.email })
  const received = await portal.mailbox.next(member.email, 2)
  const page = await visitor.open(/https?:\/\/[^\s]+(\/reset\/[^\s]+)/.exec(received.text)?.[1] ?? '')
  await visitor.submitForm(page, 'Save password', { password: 'seven yellow pears hung' })
  expect((await portal.mailbox.next(member.email, 3)).text.replace(/\s+/g, ' ')).toContain('sign in with Harbour Street Labs')
})
