/** Tests accounts that require single sign-on, and the removal of single sign-on. */
import { expect, test } from 'vitest'
import { accountHeader } from '#server/api/contract/teams.ts'
import { verifies } from '../requirements/verifies.ts'
import type { Member } from './support/portal-fixture.ts'
import { singleSignOnForFile } from './support/single-sign-on.ts'
import { teamMember } from './support/teams.ts'
import { getData, getError, type Visitor } from './support/visitor.ts'

const { fixture, provider, setUp, goThrough, link, signIn, addPerson } = singleSignOnForFile()

const require = ({ visitor }: Member, isRequired = true) => visitor.call('team.requireSingleSignOn', 'mutation', { isRequired })

/** Returns an account with single sign-on, and a member with an ordinary session and one that began with single sign-on. */
async function team(): Promise<{ owner: Member; member: Member; sub: string; single: Visitor }> {
  const owner = await fixture.member()
  const member = await teamMember(fixture, owner, 'developer')
  await setUp(owner)
  const sub = addPerson()
  await link(member.visitor, sub)
  await link(owner.visitor, addPerson())
  return { owner, member, sub, single: (await signIn(owner, sub)).visitor }
}

const shownEmail = async (visitor: Visitor) => getData(await visitor.call('profile.read', 'query'))?.email

verifies('teams/single-sign-on-required', async () => {
  const { owner, member, single, sub } = await team()
  const other = await teamMember(fixture, owner, 'billing')
  expect([await shownEmail(member.visitor), await shownEmail(single)]).toEqual([owner.email, owner.email])
  expect((await require(owner)).status).toBe(200)
  const headers = { 'sec-fetch-site': 'same-origin', [accountHeader]: owner.publicId }
  const aKey = { mode: 'test', name: 'Mine', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }
  const refused = await member.visitor.call('keys.create', 'mutation', aKey, headers)
  expect([refused.status, getError(refused).message]).toEqual([403, `${owner.email} requires single sign-on. Reload the page.`])
  expect(await fixture.sql('SELECT FROM api_key WHERE account_id = $1', [owner.id])).toEqual([])
  expect((await member.visitor.open('/portal')).text).toContain(`${owner.email} requires single sign-on.`)
  expect((await other.visitor.open('/portal')).text).toContain('Connect single sign-on')
  expect((await single.call('keys.create', 'mutation', aKey, headers)).status).toBe(200)
  // The owner always has access.
  expect((await owner.visitor.call('keys.list', 'query', undefined, headers)).status).toBe(200)
  // The notice links to the provider.
  const page = await goThrough(member.visitor, '/portal', sub)
  expect([page.path, page.text.includes('requires single sign-on'), await shownEmail(member.visitor)]).toEqual(['/portal', false, owner.email])
  expect((await require(owner, false)).status).toBe(200)
  expect((await other.visitor.call('keys.list', 'query', undefined, headers)).status).toBe(200)
})

test('the owner has to link their own login before requiring single sign-on', async () => {
  const owner = await fixture.member()
  expect(getError(await require(owner)).message).toContain("isn't set up for this account")
  await setUp(owner)
  expect(getError(await require(owner)).message).toContain('Connect single sign-on to your own account first')
  await link(owner.visitor, addPerson())
  expect((await require(owner)).status).toBe(200)
})

const isOut = async (visitor: Visitor) => (await visitor.open('/portal')).path.startsWith('/sign-in')
const countLinks = async ({ id }: Member) => (await fixture.sql('SELECT FROM linked_sign_in WHERE account_id = $1 OR member_id = $1', [id])).length

test('a removed member is signed out, and their link is deleted', async () => {
  const { owner, member, single, sub } = await team()
  expect((await owner.visitor.call('team.remove', 'mutation', { member: member.publicId })).status).toBe(200)
  expect([await isOut(single), await countLinks(member)]).toEqual([true, 0])
  expect((await signIn(owner, sub)).page.path).toContain('error=unlinked')
  expect(await isOut(member.visitor)).toBe(false)
})

test('removing the provider ends its sessions and links', async () => {
  const { owner, single, member } = await team()
  expect((await owner.visitor.call('team.removeSingleSignOn', 'mutation')).status).toBe(200)
  expect([await isOut(single), await countLinks(owner), await shownEmail(member.visitor)]).toEqual([true, 0, owner.email])
  expect((await fixture.visitor().open(`/sign-in?organisation=${owner.publicId}`)).text).toContain("doesn't use single sign-on")
})

test("changing the client ID ends the previous client's sessions and links; changing the secret doesn't", async () => {
  const { owner, single } = await team()
  const [{ issuer, client_id: clientId }] = (await fixture.sql<{ issuer: string; client_id: string }>(
    'SELECT issuer, client_id FROM single_sign_on WHERE account_id = $1',
    [owner.id],
  )) as [{ issuer: string; client_id: string }]
  const save = (typed: object) => owner.visitor.call('team.setSingleSignOn', 'mutation', { issuer, clientId, clientSecret: 'a new secret', ...typed })
  expect((await save({})).status).toBe(200)
  expect([await isOut(single), await countLinks(owner)]).toEqual([false, 2])
  expect((await save({ clientId: 'another' })).status).toBe(200)
  expect([await isOut(single), await countLinks(owner)]).toEqual([true, 0])
})

test('a person who unlinks their own login is signed out on their other devices', async () => {
  const { owner, member, single } = await team()
  const page = await member.visitor.submitForm(await member.visitor.open('/portal/settings/security'), 'Disconnect single sign-on')
  expect([page.status, await isOut(single), await countLinks(member)]).toEqual([200, true, 0])
  const [entry] = await fixture.sql("SELECT member_id FROM audit_entry WHERE account_id = $1 AND action = 'single-sign-on.unlink'", [owner.id])
  expect(entry).toEqual({ member_id: member.id })
})

test("closing an account deletes its single sign-on; closing a member's own account deletes their links", async () => {
  const { owner, member, single } = await team()
  expect((await member.visitor.call('security.closeAccount', 'mutation', { email: member.email }, { 'sec-fetch-site': 'same-origin' })).status).toBe(403)
  await member.visitor.call('session.switchAccount', 'mutation', { account: member.publicId })
  expect((await member.visitor.call('security.closeAccount', 'mutation', { email: member.email })).status).toBe(200)
  expect([await isOut(single), await countLinks(owner)]).toEqual([true, 1])
  expect((await owner.visitor.call('security.closeAccount', 'mutation', { email: owner.email })).status).toBe(200)
  expect([await countLinks(owner), await fixture.sql('SELECT FROM single_sign_on WHERE account_id = $1', [owner.id])]).toEqual([0, []])
})

test('members can neither set up nor remove single sign-on', async () => {
  const { member } = await team()
  for (const [name, input] of [
    ['team.setSingleSignOn', { issuer: provider.issuer, clientId: 'x', clientSecret: 'y' }],
    ['team.requireSingleSignOn', { isRequired: true }],
    ['team.removeSingleSignOn', undefined],
  ] as const)
    expect((await member.visitor.call(name, 'mutation', input)).status).toBe(403)
})
