/** Tests invitations to an account, changes of its members and transfers of its ownership. */
import { expect, test } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { linkIn } from './support/mailbox.ts'
import type { Member } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { addInvitation, addMembership, teamMember } from './support/teams.ts'
import { getData, getError } from './support/visitor.ts'

const fixture = portalFixture()

const team = async ({ visitor }: Member) => getData(await visitor.call('team.read', 'query'))
const invite = ({ visitor }: Member, email: string, role = 'developer') => visitor.call('team.invite', 'mutation', { email, role })
const accept = ({ visitor }: Member, token: string) => visitor.call('team.accept', 'mutation', { token })
const tokenOf = (link: string) => link.split('/join/')[1] ?? ''

const gone = 'This invitation has expired, been revoked or already been accepted. If you’ve accepted it, sign in. Otherwise, ask for a new one.'

verifies('teams/invitation', async () => {
  const owner = await fixture.member()
  const email = fixture.newEmail()
  expect((await invite(owner, email, 'billing')).status).toBe(200)
  const link = linkIn(await fixture.mailbox.next(email))
  expect(link).toContain('/join/')
  // The person has no account yet: they sign up from the invitation and return to it.
  const visitor = fixture.visitor()
  const page = await visitor.open(link)
  expect(page.text).toContain(`${owner.email} invited ${email} to join. Role: billing.`)
  const next = encodeURIComponent(new URL(link, fixture.origin).pathname)
  const form = await visitor.open(`/sign-up?next=${next}`)
  await visitor.submitForm(form, 'Create account', { email, password: 'four green apples fell', licence: 'yes' })
  const confirmed = await visitor.submitForm(await visitor.open(linkIn(await fixture.mailbox.next(email, 2))), 'Confirm email')
  expect([confirmed.path, confirmed.status]).toEqual([new URL(link, fixture.origin).pathname, 200])
  expect((await visitor.submitForm(confirmed, 'Accept invitation')).path).toBe('/portal')
  expect((await team(owner)).members).toMatchObject([{ email, role: 'billing' }])
  expect((await visitor.open('/portal/billing')).text).toContain(owner.email)
  // The link works once, and its token is stored nowhere.
  expect((await fixture.visitor().open(link)).text).toContain(gone)
  expect(fixture.service.log()).not.toContain(tokenOf(link))
  expect(await fixture.sql('SELECT 1 FROM email WHERE data::text LIKE $1', [`%${tokenOf(link)}%`])).toEqual([])
})

test('two concurrent requests accept an invitation once', async () => {
  const [owner, member] = [await fixture.member(), await fixture.member()]
  await addInvitation(fixture, owner, member.email, 'token-of-the-race')
  const answers = await Promise.all([accept(member, 'token-of-the-race'), accept(member, 'token-of-the-race')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect((await team(owner)).members).toHaveLength(1)
  expect(await fixture.sql("SELECT 1 FROM audit_entry WHERE account_id = $1 AND action = 'member.join'", [owner.id])).toHaveLength(1)
})

test('rejects an invitation that is unknown, expired, revoked or for another address', async () => {
  const [owner, member, other] = [await fixture.member(), await fixture.member(), await fixture.member()]
  const refused = async (who: Member, token: string) => {
    const answer = await accept(who, token)
    return [answer.status, getError(answer).message]
  }
  for (const token of ['', 'unknown', `${'x'.repeat(43)}'--`, '../../x', '🍎'.repeat(43)]) expect(await refused(member, token)).toEqual([400, gone])
  await addInvitation(fixture, owner, member.email, 'token-for-one')
  expect(await refused(other, 'token-for-one')).toEqual([400, `This invitation is for ${member.email}. Sign in with that address.`])
  await fixture.sql("UPDATE invitation SET expires_at = now() - interval '1 second' WHERE account_id = $1", [owner.id])
  expect(await refused(member, 'token-for-one')).toEqual([400, gone])
  expect((await fixture.visitor().open('/join/token-for-one')).text).toContain(gone)
  await addInvitation(fixture, owner, member.email, 'token-to-revoke')
  const [{ id }] = (await team(owner)).invitations
  expect((await owner.visitor.call('team.revoke', 'mutation', { id })).status).toBe(200)
  expect(await refused(member, 'token-to-revoke')).toEqual([400, gone])
  expect((await team(owner)).members).toEqual([])
})

test('returns the same response for registered and unregistered addresses', async () => {
  const [owner, known] = [await fixture.member(), await fixture.member()]
  const answers = [await invite(owner, known.email), await invite(owner, fixture.newEmail())]
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.status).toBe(200)
  expect(getError(await invite(owner, known.email)).message).toContain('already invited')
  expect(getError(await invite(owner, owner.email)).message).toContain('already has access')
})

test('an account has at most 20 open invitations, even with concurrent requests', async () => {
  const owner = await fixture.member()
  for (let n = 0; n < 19; n++) await addInvitation(fixture, owner, fixture.newEmail(), `token-${owner.id}-${n}`)
  const answers = await Promise.all([1, 2, 3].map(() => invite(owner, fixture.newEmail())))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
})

test('resending replaces the link', async () => {
  const owner = await fixture.member()
  const email = fixture.newEmail()
  await invite(owner, email)
  const first = linkIn(await fixture.mailbox.next(email))
  const [{ id }] = (await team(owner)).invitations
  expect((await owner.visitor.call('team.resend', 'mutation', { id })).status).toBe(200)
  const second = linkIn(await fixture.mailbox.next(email, 2))
  expect((await fixture.visitor().open(first)).text).toContain(gone)
  expect((await fixture.visitor().open(second)).text).toContain(email)
})

test('inviting, changing a role and transferring need a recent sign-in', async () => {
  const owner = await fixture.member()
  const member = await teamMember(fixture, owner, 'developer')
  await fixture.sql("UPDATE portal_session SET created_at = now() - interval '1 hour' WHERE account_id = $1", [owner.id])
  const calls = [
    await invite(owner, fixture.newEmail()),
    await owner.visitor.call('team.changeRole', 'mutation', { member: member.publicId, role: 'billing' }),
    await owner.visitor.call('team.transfer', 'mutation', { member: member.publicId }),
  ]
  expect(calls.map((answer) => [answer.status, getError(answer).data.proof])).toEqual([
    [403, 'password'],
    [403, 'password'],
    [403, 'password'],
  ])
})

verifies('teams/transfer', async () => {
  const owner = await fixture.member()
  const member = await teamMember(fixture, owner, 'read_only')
  expect(getError(await owner.visitor.call('team.leave', 'mutation')).message).toContain('Transfer it to a member before you leave')
  expect((await owner.visitor.call('team.transfer', 'mutation', { member: member.publicId })).status).toBe(200)
  expect(await team(member)).toMatchObject({ role: 'owner', owner: { email: member.email }, members: [{ email: owner.email, role: 'developer' }] })
  const again = await owner.visitor.call('team.transfer', 'mutation', { member: member.publicId })
  expect(again.status).toBe(403)
  for (const { email } of [owner, member]) await fixture.mailbox.next(email)
  expect(await fixture.sql("SELECT member_id, subject FROM audit_entry WHERE account_id = $1 AND action = 'owner.change'", [owner.id])).toEqual([
    { member_id: null, subject: member.publicId },
  ])
  // The new owner can transfer the account back. The first owner then owns it with their own login again.
  expect((await member.visitor.call('team.transfer', 'mutation', { member: owner.publicId })).status).toBe(200)
  expect(await fixture.sql('SELECT owner_id FROM account WHERE id = $1', [owner.id])).toEqual([{ owner_id: null }])
})

test('a blocked or removed member cannot become the owner', async () => {
  const owner = await fixture.member()
  const [blocked, removed] = [await teamMember(fixture, owner, 'developer'), await teamMember(fixture, owner, 'developer')]
  await fixture.sql("UPDATE account SET state = 'blocked' WHERE id = $1", [blocked.id])
  expect(getError(await owner.visitor.call('team.transfer', 'mutation', { member: blocked.publicId })).message).toContain('blocked or closed')
  const answers = await Promise.all([
    owner.visitor.call('team.remove', 'mutation', { member: removed.publicId }),
    owner.visitor.call('team.transfer', 'mutation', { member: removed.publicId }),
  ])
  // Only the first of the two changes succeeds: after it, the member has been removed or the owner has changed.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const { members, owner: current } = await team(owner)
  const names: string[] = members.map(({ email }: { email: string }) => email)
  expect(names).not.toContain(current.email)
})

test('a member who leaves sees their own account', async () => {
  const owner = await fixture.member()
  const member = await teamMember(fixture, owner, 'read_only')
  expect((await member.visitor.call('team.leave', 'mutation')).status).toBe(200)
  expect(getData(await member.visitor.call('profile.read', 'query'))).toMatchObject({ email: member.email })
  expect((await team(owner)).members).toEqual([])
})

test('closing an account removes its members and its own access to other accounts', async () => {
  const [owner, member] = [await fixture.member(), await fixture.member()]
  await addMembership(fixture, owner, member, 'developer')
  await addMembership(fixture, member, owner, 'developer')
  expect((await member.visitor.call('security.closeAccount', 'mutation', { email: member.email })).status).toBe(200)
  expect(await fixture.sql('SELECT 1 FROM membership WHERE account_id = ANY ($1)', [[owner.id, member.id]])).toEqual([])
})

verifies('teams/notices', async () => {
  const { accountRecipients } = await import('#server/accounts/recipients.ts')
  const owner = await fixture.member()
  const [billing, next] = [await teamMember(fixture, owner, 'billing'), await teamMember(fixture, owner, 'developer')]
  expect(await accountRecipients(fixture.pool, owner.id, 'billing')).toEqual([owner.email, billing.email])
  expect(await accountRecipients(fixture.pool, owner.id, 'account')).toEqual([owner.email])
  await owner.visitor.call('team.transfer', 'mutation', { member: next.publicId })
  expect(await accountRecipients(fixture.pool, owner.id, 'billing')).toEqual([next.email, billing.email])
})
