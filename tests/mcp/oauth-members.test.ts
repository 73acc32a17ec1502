/** Tests that the keys of applications are revoked when the person who approved them may no longer do so. */
import { expect, test } from 'vitest'
import { blockAccount } from '#server/accounts/accounts.ts'
import { endLostApprovals } from '#server/keys/application-keys.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { setOwner, teamMember } from '../portal/support/teams.ts'
import { getData } from '../portal/support/visitor.ts'
import { newConnection } from './support/oauth-connection.ts'

const fixture = portalFixture()

const statusOf = async (key: string) => (await fetch(`${fixture.origin}/v1/ping`, { headers: { authorization: `Bearer ${key}` } })).status

const byHand = { mode: 'test', name: 'Made by a member', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }

/** Creates an account with a developer, a key that the developer approved for an application, one that they created, and one that the owner approved. */
async function newTeam() {
  const owner = await fixture.member()
  const member = await teamMember(fixture, owner, 'developer')
  const connection = await newConnection(fixture)
  const approved = await connection.connect(member)
  const created = getData(await member.visitor.call('keys.create', 'mutation', byHand)).key as string
  const ofOwner = await connection.connect(owner)
  // Uses each key once, so that the process has cached it.
  expect(await Promise.all([approved, created, ofOwner].map(statusOf))).toEqual([200, 200, 200])
  const statuses = () => Promise.all([approved, created, ofOwner].map(statusOf))
  const revoked = () =>
    fixture.sql(
      "SELECT k.created_by = $2 AS is_theirs, a.actor FROM audit_entry a JOIN api_key k ON k.public_id = a.subject WHERE a.account_id = $1 AND a.action = 'key.revoke'",
      [owner.id, member.id],
    )
  return { owner, member, connection, statuses, revoked }
}

type Team = Awaited<ReturnType<typeof newTeam>>

const ends: readonly [name: string, actor: string, end: (team: Team) => Promise<unknown>][] = [
  ['is removed', 'account', ({ owner, member }) => owner.visitor.call('team.remove', 'mutation', { member: member.publicId })],
  ['leaves', 'account', ({ member }) => member.visitor.call('team.leave', 'mutation')],
  ['becomes read-only', 'account', ({ owner, member }) => owner.visitor.call('team.changeRole', 'mutation', { member: member.publicId, role: 'read_only' })],
  [
    'closes their own account',
    'service',
    async ({ member }) => {
      await member.visitor.call('session.switchAccount', 'mutation', { account: member.publicId })
      await member.visitor.call('security.closeAccount', 'mutation', { email: member.email })
    },
  ],
]

test.each(ends)('revokes the keys that a person approved for applications when that person %s', async (_name, actor, end) => {
  const team = await newTeam()
  await end(team)
  expect(await team.statuses()).toEqual([403, 200, 200])
  expect(await team.revoked()).toEqual([{ is_theirs: true, actor }])
})

test('rejects an unexchanged approval after its approver was removed and invited again', async () => {
  const { owner, member, connection } = await newTeam()
  const { verifier, parameters } = connection.newRequest()
  const { url } = getData(await member.visitor.call('oauth.approve', 'mutation', { ...byHand, request: parameters }))
  await owner.visitor.call('team.changeRole', 'mutation', { member: member.publicId, role: 'billing' })
  await owner.visitor.call('team.changeRole', 'mutation', { member: member.publicId, role: 'developer' })
  const code = new URL(url).searchParams.get('code') ?? ''
  const { clientId: client_id, redirectUri: redirect_uri } = connection
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, client_id, redirect_uri, code_verifier: verifier })
  expect((await fetch(`${fixture.origin}/oauth/token`, { method: 'POST', body: form })).status).toBe(400)
})

test('leaves no key if a member approves an application while being removed', async () => {
  const { owner, member, statuses, connection } = await newTeam()
  const connected = Array.from({ length: 3 }, () => connection.connect(member).catch(() => 'none'))
  await owner.visitor.call('team.remove', 'mutation', { member: member.publicId })
  const keys = await Promise.all(connected)
  expect(await statuses()).toEqual([403, 200, 200])
  for (const key of keys) expect(await statusOf(key ?? 'none')).not.toBe(200)
})

test('removing a previous owner revokes the keys of applications that they approved', async () => {
  const { owner, member, statuses } = await newTeam()
  await fixture.sql('DELETE FROM membership WHERE account_id = $1', [owner.id])
  await setOwner(fixture, owner, member)
  await fixture.sql("INSERT INTO membership (account_id, member_id, role) VALUES ($1, $1, 'developer')", [owner.id])
  await member.visitor.call('team.remove', 'mutation', { member: owner.publicId })
  expect(await statuses()).toEqual([200, 200, 403])
})

const lostEarlier: readonly [name: string, lose: (team: Team) => Promise<unknown>][] = [
  ['was blocked', ({ member }) => blockAccount(fixture.pool, member.email, 'Fraud.')],
  [
    'was removed without revoking those keys',
    ({ owner, member }) => fixture.sql('DELETE FROM membership WHERE account_id = $1 AND member_id = $2', [owner.id, member.id]),
  ],
]

test.each(lostEarlier)('revokes only the keys of applications that were approved by a person who %s', async (_name, lose) => {
  const team = await newTeam()
  await endLostApprovals(fixture.pool)
  expect([await team.statuses(), await team.revoked()]).toEqual([[200, 200, 200], []])
  await lose(team)
  await Promise.all([endLostApprovals(fixture.pool), endLostApprovals(fixture.pool)])
  expect(await team.statuses()).toEqual([403, 200, 200])
  expect(await team.revoked()).toEqual([{ is_theirs: true, actor: 'service' }])
})

test('rejects the approval of a person who has been blocked since', async () => {
  const { owner, member, connection } = await newTeam()
  const exchange = await connection.approve(member)
  await blockAccount(fixture.pool, member.email, 'Fraud.')
  const answer = await exchange()
  expect([answer.status, await answer.json()]).toEqual([400, { error: 'invalid_grant', error_description: expect.any(String) }])
  // The key of an earlier approval.
  const approved = 'SELECT FROM api_key WHERE account_id = $1 AND created_by = $2 AND oauth_client_id IS NOT NULL'
  expect(await fixture.sql(approved, [owner.id, member.id])).toHaveLength(1)
})

test("two people who are members of each other's accounts can close their accounts at the same time", async () => {
  const [one, other] = [await newTeam(), await newTeam()]
  for (const [account, person] of [
    [one.owner, other.owner],
    [other.owner, one.owner],
  ] as const)
    await fixture.sql("INSERT INTO membership (account_id, member_id, role) VALUES ($1, $2, 'developer')", [account.id, person.id])
  const close = ({ visitor, email }: Team['owner']) => visitor.call('security.closeAccount', 'mutation', { email })
  const closed = await Promise.all([one.owner, other.owner].map(close))
  expect(closed.map(({ status }) => status)).toEqual([200, 200])
})
