/** Tests how access to an account begins and ends. */
import { expect, test } from 'vitest'
import { accountHeader } from '#server/api/contract/teams.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { verifies } from '../requirements/verifies.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { addMembership, removeMembership, setOwner, teamMember } from './support/teams.ts'
import { getData, getError } from './support/visitor.ts'

const fixture = portalFixture()

const aKey = { mode: 'test', name: 'Made by a member', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }

const countKeys = async (accountId: number) =>
  (await fixture.sql<{ n: number }>('SELECT count(*)::int AS n FROM api_key WHERE account_id = $1', [accountId]))[0]?.n

verifies('teams/removal-immediate', async () => {
  const account = await fixture.member()
  const member = await teamMember(fixture, account, 'developer')
  expect((await member.visitor.call('keys.create', 'mutation', aKey)).status).toBe(200)
  await removeMembership(fixture, account, member)
  const answer = await member.visitor.call('keys.create', 'mutation', aKey)
  const message = `You no longer have access to ${account.email}. Reload the page.`
  expect([answer.status, getError(answer).message]).toEqual([403, message])
  expect([await countKeys(account.id), await countKeys(member.id)]).toEqual([1, 0])
  const page = await member.visitor.open('/portal')
  expect(page.text).toContain(`You no longer have access to ${account.email}.`)
  // Pages loaded since then show the user's own account, so their calls are accepted.
  const own = await member.visitor.call('keys.create', 'mutation', aKey, { 'sec-fetch-site': 'same-origin', [accountHeader]: member.publicId })
  expect([own.status, await countKeys(member.id)]).toEqual([200, 1])
  expect((await member.visitor.call('session.switchAccount', 'mutation', { account: member.publicId })).status).toBe(200)
  expect((await member.visitor.open('/portal')).text).not.toContain('You no longer have access')
})

test('a changed role applies to the next request', async () => {
  const account = await fixture.member()
  const member = await teamMember(fixture, account, 'developer')
  await fixture.sql("UPDATE membership SET role = 'read_only' WHERE member_id = $1", [member.id])
  expect((await member.visitor.call('keys.create', 'mutation', aKey)).status).toBe(403)
  const page = await member.visitor.open('/portal/keys')
  expect(page.text).toContain(`Your role in ${account.email} is read-only. Ask its owner, ${account.email}, for the developer role.`)
})

test('rejects changes from a page that was loaded before an account switch', async () => {
  const account = await fixture.member()
  const member = await teamMember(fixture, account, 'developer')
  const stale = await member.visitor.call('keys.create', 'mutation', aKey, { 'sec-fetch-site': 'same-origin', [accountHeader]: member.publicId })
  const message = 'You have switched to another account since this page was loaded. Reload the page.'
  expect([stale.status, getError(stale).message]).toEqual([403, message])
  expect([await countKeys(account.id), await countKeys(member.id)]).toEqual([0, 0])
})

test('session.switchAccount returns the same response for an account without membership as for an unknown one', async () => {
  const [one, two] = [await fixture.member(), await fixture.member()]
  const answers = [
    await one.visitor.call('session.switchAccount', 'mutation', { account: two.publicId }),
    await one.visitor.call('session.switchAccount', 'mutation', { account: 'acc_0000000000000000' }),
  ]
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.status).toBe(404)
})

test('a blocked person has access to their own account only', async () => {
  const account = await fixture.member()
  const member = await teamMember(fixture, account, 'developer')
  await fixture.sql("UPDATE account SET state = 'blocked' WHERE id = $1", [member.id])
  expect((await member.visitor.call('keys.create', 'mutation', aKey)).status).toBe(403)
  expect(getData(await member.visitor.call('session.accounts', 'query'))).toEqual([{ publicId: member.publicId, label: member.email, role: 'owner' }])
  expect((await member.visitor.open('/portal')).text).toContain('Account blocked')
  expect(await countKeys(account.id)).toBe(0)
})

test('an administrator acts for another account without the rights of an administrator there', async () => {
  const [account, admin] = [await fixture.member(), await fixture.administrator()]
  await addMembership(fixture, account, admin, 'read_only')
  await admin.visitor.call('session.switchAccount', 'mutation', { account: account.publicId })
  expect(getData(await admin.visitor.call('profile.read', 'query'))).toMatchObject({ email: account.email, isAdmin: false })
  expect((await admin.visitor.open('/portal')).html).not.toContain('"/admin"')
  expect((await admin.visitor.open('/admin')).status).toBe(200)
})

verifies('teams/removal-races-key', async () => {
  const account = await fixture.member()
  const member = await teamMember(fixture, account, 'developer')
  let creating: Promise<{ status: number; body: unknown }> | undefined
  await inTransaction(fixture.pool, async (tx) => {
    await tx.query('SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE', [account.id])
    creating = member.visitor.call('keys.create', 'mutation', aKey)
    // Waits until the request has read its session and waits for the lock.
    await expect
      .poll(async () => (await fixture.sql("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT FROM account%'")).length)
      .toBeGreaterThan(0)
    await tx.query('DELETE FROM membership WHERE account_id = $1', [account.id])
  })
  const answer = (await creating) ?? expect.unreachable('The key was not requested.')
  expect([answer.status, getError(answer).message]).toEqual([403, 'Your access to this account has just changed. Reload the page.'])
  expect(await countKeys(account.id)).toBe(0)
})

test('a previous owner who was removed can still use only their own profile and security settings', async () => {
  const [account, next] = [await fixture.member(), await fixture.member()]
  await setOwner(fixture, account, next)
  const answer = await account.visitor.call('keys.list', 'query')
  expect([answer.status, getError(answer).message]).toEqual([403, `You no longer have access to ${account.email}. Ask its owner to invite you.`])
  const page = await account.visitor.open('/portal/keys')
  expect([page.path, page.status]).toEqual(['/portal/settings', 200])
  expect(page.text).toContain('You no longer have access')
  expect((await account.visitor.call('profile.rename', 'mutation', { name: 'Ada' })).status).toBe(200)
  expect((await account.visitor.open('/portal/settings/security')).status).toBe(200)
})

test('someone who owns another account cannot close their own; closing the other keeps them signed in', async () => {
  const [account, next] = [await fixture.member(), await fixture.member()]
  await setOwner(fixture, account, next)
  const refused = await next.visitor.call('security.closeAccount', 'mutation', { email: next.email })
  expect([refused.status, getError(refused).message]).toEqual([400, `You also own ${account.email}. Transfer or close it first.`])
  await next.visitor.call('session.switchAccount', 'mutation', { account: account.publicId })
  const closed = await next.visitor.call('security.closeAccount', 'mutation', { email: next.email })
  expect([closed.status, getData(closed)]).toEqual([200, { next: '/portal' }])
  expect((await next.visitor.open('/portal')).path).toBe('/portal')
  expect(await fixture.sql('SELECT closed_at IS NOT NULL AS closed FROM account WHERE id = ANY ($1) ORDER BY id', [[account.id, next.id]])).toEqual([
    { closed: true },
    { closed: false },
  ])
})
