/** Tests single sign-on with the provider of an organisation, over HTTP with a real provider. */
import { expect, test } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import type { Member } from './support/portal-fixture.ts'
import { singleSignOnForFile } from './support/single-sign-on.ts'
import { addInvitation, addMembership, teamMember } from './support/teams.ts'
import { getData, getError } from './support/visitor.ts'

const { fixture, setUp, goThrough, link, signIn, addPerson } = singleSignOnForFile()

const links = (account: Member) =>
  fixture.sql<{ member_id: number; subject: string }>('SELECT member_id, subject FROM linked_sign_in WHERE account_id = $1 ORDER BY created_at', [account.id])

const actions = async (account: Member) =>
  (await fixture.sql<{ action: string }>("SELECT action FROM audit_entry WHERE account_id = $1 AND action LIKE 'single%' ORDER BY id", [account.id])).map(
    ({ action }) => action,
  )

verifies('teams/single-sign-on', async () => {
  const owner = await fixture.member()
  const member = await teamMember(fixture, owner, 'developer')
  const { clientSecret } = await setUp(owner)
  const sub = addPerson()
  expect((await link(member.visitor, sub)).text).toContain('Account connected.')
  expect((await fixture.mailbox.next(member.email)).subject).toBe('Single sign-on was connected to your account')
  expect(await links(owner)).toEqual([{ member_id: member.id, subject: sub }])
  const { visitor, page } = await signIn(owner, sub)
  expect(page.path).toBe('/portal')
  // The session has access to the organisation's account only, not to the user's other accounts.
  expect(getData(await visitor.call('profile.read', 'query'))).toMatchObject({ email: owner.email })
  expect(getData(await visitor.call('session.accounts', 'query'))).toEqual([{ publicId: owner.publicId, label: owner.email, role: 'developer' }])
  expect((await visitor.call('session.switchAccount', 'mutation', { account: member.publicId })).status).toBe(404)
  for (const [name, kind] of [
    ['security.read', 'query'],
    ['session.list', 'query'],
    ['session.endAll', 'mutation'],
  ] as const)
    expect(getError(await visitor.call(name, kind)).message).toContain('You signed in with single sign-on')
  const changed = await visitor.call('security.changePassword', 'mutation', { currentPassword: '', password: 'another good password' })
  expect(changed.status).toBe(403)
  expect((await visitor.open('/portal/settings/security')).text).toContain('You signed in with single sign-on')
  expect((await visitor.open('/portal/settings/members')).text).not.toContain(clientSecret)
  expect(await actions(owner)).toEqual(['single-sign-on.set', 'single-sign-on.link'])
  const rows = await fixture.sql<{ row: string }>(
    "SELECT encode(client_secret, 'escape') || (SELECT string_agg(e::text, '') FROM audit_entry e) AS row FROM single_sign_on",
  )
  expect([rows.length > 0, rows.some(({ row }) => row.includes(clientSecret)), fixture.notices().includes(clientSecret)]).toEqual([true, false, false])
})

verifies('teams/single-sign-on-trust', async () => {
  const owner = await fixture.member()
  const member = await teamMember(fixture, owner, 'developer')
  await setUp(owner)
  // The provider asserts the addresses of the owner, of a member and of somebody else.
  for (const email of [owner.email, member.email, (await fixture.member()).email, fixture.newEmail()]) {
    const { visitor, page } = await signIn(owner, addPerson(email))
    expect(page.path).toBe(`/sign-in?organisation=${owner.publicId}&error=unlinked`)
    expect(page.text).toContain("You haven't connected single sign-on to your account yet.")
    expect((await visitor.open('/portal')).path).toMatch(/^\/sign-in/)
  }
  // A signed-in browser links an identity only if the person has just started linking it.
  const { page } = await signIn(owner, addPerson(member.email), member.visitor)
  expect(page.text).toContain("You haven't connected single sign-on yet.")
  expect(await links(owner)).toEqual([])
  // An identity linked in one organisation is unknown in another, even if both use the same issuer.
  const other = await fixture.member()
  await setUp(other)
  const sub = addPerson()
  await link(member.visitor, sub)
  expect((await signIn(other, sub)).page.path).toContain('error=unlinked')
  // Only people with access to the account can link an identity.
  const [outsider, unknown] = [await fixture.member(), addPerson()]
  const begun = await outsider.visitor.call('security.beginConnect', 'mutation', { provider: `org-${owner.publicId}` })
  expect((await goThrough(outsider.visitor, getData(begun).next, unknown)).text).toContain("The account wasn't connected.")
  // An identity can be linked to only one person.
  expect((await link(owner.visitor, sub)).text).toContain("The account wasn't connected.")
  expect(getData(await owner.visitor.call('session.current', 'query'))).toMatchObject({ email: owner.email })
  expect(await links(owner)).toEqual([{ member_id: member.id, subject: sub }])
})

test('an invited person can join through the provider, but only with the invited address', async () => {
  const owner = await fixture.member()
  await setUp(owner)
  const email = fixture.newEmail()
  await addInvitation(fixture, owner, email, `join-${owner.id}`)
  const path = `/join/join-${owner.id}`
  const other = await goThrough(fixture.visitor(), path, addPerson())
  expect([other.path, other.text]).toEqual([`${path}?error=other-email`, expect.stringContaining('a different email address from the one that was invited')])
  const [visitor, sub] = [fixture.visitor(), addPerson(email.toUpperCase())]
  const finish = await goThrough(visitor, path, sub)
  expect([finish.path, finish.text]).toEqual(['/sign-up/finish', expect.stringContaining(email)])
  expect((await visitor.submitForm(finish, 'Create account')).text).toContain('Accept the Data Licence to continue.')
  expect((await visitor.submitForm(finish, 'Create account', { licence: 'yes' })).path).toBe('/portal')
  expect(getData(await visitor.call('team.read', 'query'))).toMatchObject({ role: 'developer', members: [{ email }], invitations: [] })
  const [person] = await fixture.sql<{ id: number; is_confirmed: boolean }>(
    'SELECT id, email_verified_at IS NOT NULL AS is_confirmed FROM account WHERE email = $1',
    [email],
  )
  expect([person?.is_confirmed, await links(owner)]).toEqual([true, [{ member_id: person?.id, subject: sub }]])
  expect((await visitor.call('session.endAll', 'mutation')).status).toBe(403)
  expect((await signIn(owner, sub)).page.path).toBe('/portal')
  expect((await fixture.visitor().open(path)).text).toContain('already been accepted')
})

test('an invited person who already has a login must sign in with it first', async () => {
  const [owner, member] = [await fixture.member(), await fixture.member()]
  await setUp(owner)
  await addInvitation(fixture, owner, member.email, `first-${owner.id}`)
  const page = await goThrough(fixture.visitor(), `/join/first-${owner.id}`, addPerson(member.email))
  expect([page.path, page.text]).toEqual([`/join/first-${owner.id}?error=sign-in-first`, expect.stringContaining('You already have an account')])
  expect(await links(owner)).toEqual([])
  expect((await member.visitor.submitForm(await member.visitor.open(`/join/first-${owner.id}`), 'Accept invitation')).path).toBe('/portal')
})

test('a user with two-factor sign-in enters a code after signing in at the provider', async () => {
  const owner = await fixture.member()
  await setUp(owner)
  const sub = addPerson()
  await link(owner.visitor, sub)
  await fixture.sql("INSERT INTO second_factor (account_id, secret, since) VALUES ($1, '\\x00', now())", [owner.id])
  const { visitor, page } = await signIn(owner, sub)
  expect(page.path).toBe('/sign-in/code')
  expect((await visitor.open('/portal')).path).toMatch(/^\/sign-in/)
})

test('an administrator has no administrator rights in a single sign-on session', async () => {
  const [owner, admin] = [await fixture.member(), await fixture.administrator()]
  await setUp(owner)
  await addMembership(fixture, owner, admin, 'read_only')
  const sub = addPerson()
  await link(admin.visitor, sub)
  await fixture.sql('DELETE FROM second_factor WHERE account_id = $1', [admin.id])
  const { visitor } = await signIn(owner, sub)
  expect(getData(await visitor.call('session.current', 'query'))).toMatchObject({ isAdmin: false })
  expect((await visitor.open('/admin')).status).toBe(404)
  expect(getData(await admin.visitor.call('admin.accounts.read', 'query', { account: owner.publicId }))).not.toMatchObject({ singleSignOn: null })
})

test('unknown organisations get the same responses as those without single sign-on', async () => {
  const { publicId } = await fixture.member()
  const pages = await Promise.all(['acc_0000000000000000', publicId, 'x', '%00'].map((id) => fixture.visitor().open(`/sign-in?organisation=${id}`)))
  for (const { status, text } of pages) expect([status, text]).toEqual([200, pages[0]?.text])
  expect(pages[0]?.text).toContain("This organisation doesn't use single sign-on.")
  const answers = await Promise.all(['acc_0000000000000000', publicId].map((id) => fixture.visitor().send(`/api/auth/callback/org-${id}?code=x&state=y`)))
  expect(answers.map(({ status }) => status)).toEqual([answers[0]?.status, answers[0]?.status])
})
