/** Tests that an organisation's provider can't act as the account's owner, even after a transfer. */
import { expect, test } from 'vitest'
import { accountHeader } from '#server/api/contract/teams.ts'
import { verifies } from '../requirements/verifies.ts'
import type { Member } from './support/portal-fixture.ts'
import { singleSignOnForFile } from './support/single-sign-on.ts'
import { addMembership, setOwner, teamMember } from './support/teams.ts'
import { getData, getError } from './support/visitor.ts'

const { fixture, provider, setUp, link, signIn, addPerson } = singleSignOnForFile()

const headersOf = ({ publicId }: Member) => ({ 'sec-fetch-site': 'same-origin', [accountHeader]: publicId })

verifies('teams/single-sign-on-transfer', async () => {
  const owner = await fixture.member()
  const next = await teamMember(fixture, owner, 'developer')
  await setUp(owner)
  const sub = addPerson()
  await link(next.visitor, sub)
  const single = await signIn(owner, sub)
  expect(single.page.path).toBe('/portal')
  expect((await owner.visitor.call('team.transfer', 'mutation', { member: next.publicId })).status).toBe(200)
  // Otherwise the provider of the previous owner could sign in as the new one.
  expect((await single.visitor.open('/portal')).path).toMatch(/^\/sign-in/)
  expect((await fixture.visitor().open(`/sign-in?organisation=${owner.publicId}`)).text).toContain("doesn't use single sign-on")
  expect(await fixture.sql('SELECT FROM single_sign_on WHERE account_id = $1 UNION ALL SELECT FROM linked_sign_in WHERE account_id = $1', [owner.id])).toEqual(
    [],
  )
  expect(await fixture.sql('SELECT FROM portal_session WHERE organisation_id = $1 AND ended_at IS NULL', [owner.id])).toEqual([])
  const [entry] = await fixture.sql("SELECT before->>'issuer' AS issuer FROM audit_entry WHERE account_id = $1 AND action = 'single-sign-on.remove'", [
    owner.id,
  ])
  expect(entry).toEqual({ issuer: provider.issuer })
  expect((await fixture.mailbox.next(next.email, 2)).text.replace(/\s+/g, ' ')).toContain('set it up again under Settings > Members')
})

verifies('teams/single-sign-on-owner', async () => {
  const owner = await fixture.member()
  const next = await teamMember(fixture, owner, 'developer')
  await setUp(owner)
  const sub = addPerson()
  await link(owner.visitor, sub)
  await owner.visitor.call('profile.setTimeZone', 'mutation', { timeZone: 'Europe/London' })
  const { visitor } = await signIn(owner, sub)
  for (const [name, input] of [
    ['security.closeAccount', { email: owner.email }],
    ['team.transfer', { member: next.publicId }],
  ] as const) {
    const refused = await visitor.call(name, 'mutation', input)
    expect([name, refused.status, getError(refused).message]).toEqual([
      name,
      403,
      expect.stringContaining('sign out and sign back in with your password or another connected account'),
    ])
  }
  const actions = async (from: typeof visitor) =>
    (getData(await from.call('profile.history', 'query', { before: null })) as { lines: { action: string }[] }).lines.map(({ action }) => action)
  expect(await actions(owner.visitor)).toContain('time-zone.change')
  expect(await actions(visitor)).toContain('single-sign-on.link')
  expect(await actions(visitor)).not.toContain('time-zone.change')
  expect((await visitor.open('/portal/settings/account')).text).toContain('sign out and sign back in with your password or another connected account')
})

test('a founder who transferred the account and is a member has to use single sign-on if it is required', async () => {
  const founder = await fixture.member()
  const owner = await teamMember(fixture, founder, 'developer')
  await fixture.sql('DELETE FROM membership WHERE account_id = $1', [founder.id])
  await setOwner(fixture, founder, owner)
  await addMembership(fixture, founder, founder, 'developer')
  await setUp({ ...founder, visitor: owner.visitor })
  await link(owner.visitor, addPerson())
  const headers = headersOf(founder)
  expect((await founder.visitor.call('keys.list', 'query', undefined, headers)).status).toBe(200)
  expect((await owner.visitor.call('team.requireSingleSignOn', 'mutation', { isRequired: true })).status).toBe(200)
  const refused = await founder.visitor.call('keys.list', 'query', undefined, headers)
  expect([refused.status, getError(refused).message]).toEqual([403, `${founder.email} requires single sign-on. Reload the page.`])
  const page = await founder.visitor.open('/portal')
  expect([page.path, page.text]).toEqual(['/portal/settings', expect.stringContaining('Connect single sign-on')])
  expect((await founder.visitor.open('/portal/settings/security')).html).not.toContain('<fieldset disabled')
  // The session acts for an account that the founder can't access, so it falls back to the founder's own account.
  await fixture.sql('UPDATE portal_session SET acting_account_id = $2 WHERE account_id = $1', [founder.id, owner.id])
  expect((await founder.visitor.call('keys.list', 'query', undefined, headers)).status).toBe(403)
  await fixture.sql('UPDATE portal_session SET acting_account_id = NULL WHERE account_id = $1', [founder.id])
  const sub = addPerson()
  expect((await link(founder.visitor, sub)).text).toContain('Account connected.')
  const single = await signIn(founder, sub)
  expect(single.page.path).toBe('/portal')
  expect((await single.visitor.call('keys.list', 'query', undefined, headers)).status).toBe(200)
  expect((await owner.visitor.call('keys.list', 'query', undefined, headers)).status).toBe(200)
})
