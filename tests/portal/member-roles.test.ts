/** Tests what each role can do in an account, over HTTP. */
import { expect, test } from 'vitest'
import { memberMutations } from '#server/accounts/permissions.ts'
import { memberRoles } from '#server/api/contract/teams.ts'
import type { Meta } from '#server/trpc/procedures.ts'
import { portalRouter } from '#server/trpc/root.ts'
import { verifies } from '../requirements/verifies.ts'
import { anAlert } from './support/alert-cases.ts'
import type { Member } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { setOwner, teamMember } from './support/teams.ts'
import { getData, getError } from './support/visitor.ts'

const fixture = portalFixture()

type Procedure = { readonly _def: { readonly type: 'query' | 'mutation'; readonly meta?: Meta } }
const procedures = Object.entries(portalRouter._def.procedures as unknown as Readonly<Record<string, Procedure>>)

const aKey = { mode: 'test', name: 'Made by a member', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }

test('every mutation of an account has a permission, and every permission a mutation', () => {
  const ofAccount = procedures.filter(([, { _def }]) => _def.type === 'mutation' && !_def.meta?.isPublic && !_def.meta?.isPersonal).map(([name]) => name)
  expect(ofAccount.toSorted()).toEqual(Object.keys(memberMutations).toSorted())
})

/** Mutations that represent the areas of the portal, with the roles besides the owner that can run them. */
const mutations = [
  { name: 'alerts.create', input: anAlert, allowed: ['developer', 'billing'] },
  { name: 'keys.create', input: aKey, allowed: ['developer'] },
  { name: 'webhooks.enable', input: undefined, allowed: ['developer'] },
  { name: 'billing.setAlerts', input: { thresholds: [10] }, allowed: ['billing'] },
  { name: 'billing.setCap', input: { capCredits: 50 }, allowed: ['billing'] },
  { name: 'billing.startTopUp', input: { key: 'purchase-of-member', amountPence: 500, savesCard: false }, allowed: ['billing'] },
  { name: 'support.open', input: { topic: 'other', text: 'Hello' }, allowed: ['developer', 'billing'] },
  { name: 'profile.setPurpose', input: { purpose: 'Savings tables.' }, allowed: [] },
  { name: 'licence.accept', input: { label: 'v2020-01' }, allowed: [] },
  { name: 'security.closeAccount', input: { email: 'x@example.test' }, allowed: [] },
] as const

const cases = memberRoles.flatMap((role) =>
  mutations.map(({ name, input, allowed }) => ({ role, name, input, isAllowed: allowed.some((one) => one === role) })),
)

const teams = new Map<string, Promise<{ account: Member; member: Member }>>()

/** Returns an account and a member with a role, shared by tests that don't remove the member. */
const team = (role: (typeof memberRoles)[number]) => {
  const made = teams.get(role) ?? fixture.member().then(async (account) => ({ account, member: await teamMember(fixture, account, role) }))
  teams.set(role, made)
  return made
}

test.each(cases)('$role running $name: allowed $isAllowed', async ({ role, name, input, isAllowed }) => {
  const { account, member } = await team(role)
  const before = await fixture.sql(
    'SELECT (SELECT count(*) FROM audit_entry WHERE account_id = $1) + (SELECT count(*) FROM ticket WHERE account_id = $1) AS n',
    [account.id],
  )
  const answer = await member.visitor.call(name, 'mutation', input)
  if (isAllowed) {
    // Payments are not set up in this test.
    const isPaid = name === 'billing.startTopUp'
    expect([answer.status, getError(answer)?.message]).toEqual(isPaid ? [400, 'Payments are not set up on this service.'] : [200, undefined])
    return
  }
  const shown = { read_only: 'read-only', developer: 'developer', billing: 'billing' }[role]
  const needed = mutations.find((mutation) => mutation.name === name)?.allowed[0]
  const message =
    needed === undefined
      ? `Only the account's owner, ${account.email}, can do this. Your role is ${shown}.`
      : `Your role in ${account.email} is ${shown}. Ask its owner, ${account.email}, for the ${needed} role.`
  expect([answer.status, getError(answer).message, getError(answer).data.fields]).toEqual([403, message, { form: message }])
  expect(
    await fixture.sql('SELECT (SELECT count(*) FROM audit_entry WHERE account_id = $1) + (SELECT count(*) FROM ticket WHERE account_id = $1) AS n', [
      account.id,
    ]),
  ).toEqual(before)
})

test.each(memberRoles)('%s can read the account', async (role) => {
  const { account, member } = await team(role)
  expect(getData(await member.visitor.call('profile.read', 'query'))).toMatchObject({ email: account.email, isAdmin: false })
  for (const name of ['account.overview', 'billing.overview', 'keys.list', 'support.list', 'webhooks.access'])
    expect([name, (await member.visitor.call(name, 'query')).status]).toEqual([name, 200])
  const csv = await member.visitor.open('/portal/usage/csv?from=2026-11-01&to=2026-11-02')
  expect(csv.status).toBe(200)
})

test('after a transfer, the new owner can make changes that only an owner can make', async () => {
  const [account, next] = [await fixture.member(), await fixture.member()]
  await setOwner(fixture, account, next)
  expect((await next.visitor.call('session.switchAccount', 'mutation', { account: account.publicId })).status).toBe(200)
  expect((await next.visitor.call('profile.setPurpose', 'mutation', { purpose: 'Ours.' })).status).toBe(200)
  expect(await fixture.sql('SELECT purpose FROM account WHERE id = $1', [account.id])).toEqual([{ purpose: 'Ours.' }])
})

verifies('teams/personal-procedures', async () => {
  const { account, member } = await team('read_only')
  expect((await member.visitor.call('profile.rename', 'mutation', { name: 'My own name' })).status).toBe(200)
  expect((await member.visitor.call('profile.setTimeZone', 'mutation', { timeZone: 'Asia/Kolkata' })).status).toBe(200)
  const rows = await fixture.sql('SELECT name, time_zone FROM account WHERE id = ANY ($1) ORDER BY id', [[account.id, member.id]])
  expect(rows).toEqual([
    { name: '', time_zone: 'UTC' },
    { name: 'My own name', time_zone: 'Asia/Kolkata' },
  ])
  const sessions: { id: string }[] = getData(await member.visitor.call('session.list', 'query'))
  expect(await fixture.sql('SELECT DISTINCT account_id FROM portal_session WHERE id = ANY ($1)', [sessions.map(({ id }) => id)])).toEqual([
    { account_id: member.id },
  ])
  await fixture.sql("INSERT INTO second_factor (account_id, secret, since) VALUES ($1, '\\x00', now())", [account.id])
  expect(getData(await member.visitor.call('security.read', 'query'))).toMatchObject({ hasPassword: true, hasSecondFactor: false })
})

test("re-authentication checks the member's own password", async () => {
  const account = await fixture.member()
  const member = await teamMember(fixture, account, 'developer')
  await fixture.sql("UPDATE portal_session SET created_at = now() - interval '1 hour' WHERE account_id = $1", [member.id])
  await fixture.sql('UPDATE account SET password_hash = NULL WHERE id = $1', [account.id])
  const live = await member.visitor.call('keys.create', 'mutation', { ...aKey, mode: 'live' })
  expect([live.status, getError(live).data.proof]).toEqual([403, 'password'])
  const { status } = await member.visitor.call('security.reauthenticate', 'mutation', { password: 'four green apples fell', code: '' })
  expect(status).toBe(200)
  expect((await member.visitor.call('keys.create', 'mutation', { ...aKey, mode: 'live' })).status).toBe(200)
})

verifies('teams/member-in-audit', async () => {
  const { account, member } = await team('developer')
  const { id } = getData(await member.visitor.call('keys.create', 'mutation', aKey))
  expect(await fixture.sql('SELECT account_id, created_by FROM api_key WHERE public_id = $1', [id])).toEqual([
    { account_id: account.id, created_by: member.id },
  ])
  const entries = await fixture.sql('SELECT account_id, actor, member_id FROM audit_entry WHERE subject = $1', [id])
  expect(entries).toEqual([{ account_id: account.id, actor: 'account', member_id: member.id }])
  const own = getData(await account.visitor.call('keys.create', 'mutation', aKey))
  expect(await fixture.sql('SELECT created_by FROM api_key WHERE public_id = $1', [own.id])).toEqual([{ created_by: account.id }])
})
