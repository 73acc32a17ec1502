/** Tests single sign-on sessions, and their separation from the sessions of the user's own login. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashToken } from '#server/accounts/encryption.ts'
import { limits } from '#server/accounts/throttle.ts'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { openCookie } from '#server/auth/cookies.ts'
import { beginSession, maxSessions } from '#server/auth/sessions.ts'
import { verifies } from '../requirements/verifies.ts'
import { authSecret } from '../support/service-process.ts'
import { wrong } from './support/attempts.ts'
import { goodPassword, type Member } from './support/portal-fixture.ts'
import { singleSignOnForFile } from './support/single-sign-on.ts'
import { teamMember } from './support/teams.ts'
import { getData, getError, type Visitor } from './support/visitor.ts'

const { fixture, setUp, link, signIn, addPerson } = singleSignOnForFile()

/** Returns an account with single sign-on, and a member who has linked their login. */
async function team(): Promise<{ owner: Member; member: Member; sub: string }> {
  const owner = await fixture.member()
  const member = await teamMember(fixture, owner, 'developer')
  await setUp(owner)
  const sub = addPerson()
  await link(member.visitor, sub)
  return { owner, member, sub }
}

const isOut = async (visitor: Visitor) => (await visitor.open('/portal')).path.startsWith('/sign-in')
const setSecondFactor = ({ id }: Member) => fixture.sql("INSERT INTO second_factor (account_id, secret, since) VALUES ($1, '\\x00', now())", [id])
const readCookie = <Kind extends 'code' | 'device'>({ cookies }: Visitor, kind: Kind) =>
  openCookie({ publicUrl: fixture.origin, secret: authSecret } as AuthContext, kind, cookies.get(`svc.${kind}`))

verifies('teams/single-sign-on-older-release', async () => {
  const { owner, member, sub } = await team()
  const { visitor } = await signIn(owner, sub)
  expect(await isOut(visitor)).toBe(false)
  // Releases without single sign-on accept any session or sign-in cookie that has the account's session version.
  const accepted =
    'SELECT s.organisation_id FROM portal_session s JOIN account a ON a.id = s.account_id WHERE s.account_id = $1 AND s.version = a.session_version'
  expect(await fixture.sql(accepted, [member.id])).toEqual([{ organisation_id: null }])
  // Conversely, a session without an organisation doesn't count as a single sign-on session.
  await fixture.sql('UPDATE portal_session SET organisation_id = NULL WHERE organisation_id = $1', [owner.id])
  expect(await isOut(visitor)).toBe(true)
  await setSecondFactor(member)
  const second = await signIn(owner, sub)
  expect(second.page.path).toBe('/sign-in/code')
  expect(await readCookie(second.visitor, 'code')).toMatchObject({ account: member.publicId, version: -1 })
})

const sessionsOf = ({ id }: Member) => fixture.sql('SELECT ended_at IS NOT NULL AS is_ended FROM portal_session WHERE organisation_id = $1', [id])

verifies('teams/single-sign-on-ends', async () => {
  const [removed, unlinked, left, closed] = [await team(), await team(), await team(), await team()]
  for (const { owner, sub } of [removed, unlinked, left, closed]) await signIn(owner, sub)
  await removed.owner.visitor.call('team.remove', 'mutation', { member: removed.member.publicId })
  await unlinked.member.visitor.call('security.disconnect', 'mutation', { issuer: `org-${unlinked.owner.publicId}` })
  await left.member.visitor.call('team.leave', 'mutation')
  expect((await closed.owner.visitor.call('security.closeAccount', 'mutation', { email: closed.owner.email })).status).toBe(200)
  for (const { owner } of [removed, unlinked, left, closed]) expect(await sessionsOf(owner)).toEqual([{ is_ended: true }])
  expect(await isOut(removed.member.visitor)).toBe(false)
})

test('rejects a session after its single sign-on link is deleted', async () => {
  const { owner, sub } = await team()
  const { visitor } = await signIn(owner, sub)
  await fixture.sql("UPDATE portal_session SET seen_at = now() - interval '1 day' WHERE organisation_id = $1", [owner.id])
  await fixture.sql('DELETE FROM linked_sign_in WHERE account_id = $1', [owner.id])
  expect(await isOut(visitor)).toBe(true)
  expect(await fixture.sql("SELECT FROM portal_session WHERE organisation_id = $1 AND seen_at > now() - interval '1 hour'", [owner.id])).toEqual([])
})

test('starts a session only for an identity that is still linked', async () => {
  const { owner, member, sub } = await team()
  const [row] = await fixture.sql<{ issuer: string; client_id: string }>('SELECT issuer, client_id FROM single_sign_on WHERE account_id = $1', [owner.id])
  const through = { organisationId: owner.id, issuer: row?.issuer ?? '', clientId: row?.client_id ?? '', subject: sub }
  const begin = (changed: object) =>
    beginSession({ pool: fixture.pool } as AuthContext, { address: null, agent: '' }, { ...member, sessionVersion: 1, through: { ...through, ...changed } })
  for (const changed of [{ subject: 'another' }, { clientId: 'another' }, { issuer: 'https://login.example.com' }]) expect(await begin(changed)).toBeNull()
  expect(await begin({})).not.toBeNull()
})

verifies('teams/single-sign-on-separate', async () => {
  const { owner, member, sub } = await team()
  const add = `INSERT INTO portal_session (id, account_id, version, organisation_id, expires_at)
    SELECT 'ses_' || $2 || n, $1, -1, $2::int, now() + interval '1 day' FROM generate_series(1, $3) n`
  await fixture.sql(add, [member.id, owner.id, maxSessions])
  await fixture.sql("UPDATE portal_session SET seen_at = now() - interval '1 hour' WHERE account_id = $1 AND organisation_id IS NULL", [member.id])
  // Exhausts the limits of the person's own login.
  for (const { name, allowed } of [limits.signIns, limits.code, limits.codeDay, limits.reauthentication]) {
    const bucket = createHash('sha256').update(`${name}\0${member.publicId}`).digest()
    await fixture.sql("INSERT INTO throttle (bucket, used, ends_at) VALUES ($1, $2, now() + interval '1 hour')", [bucket, allowed])
  }
  const { visitor, page } = await signIn(owner, sub)
  expect(page.path).toBe('/portal')
  expect(await isOut(member.visitor)).toBe(false)
  expect(await fixture.sql('SELECT FROM portal_session WHERE organisation_id = $1 AND ended_at IS NULL', [owner.id])).toHaveLength(maxSessions)
  expect(getData(await member.visitor.call('session.list', 'query'))).toHaveLength(maxSessions + 1)
  // The browser isn't a known device for the person's own login, and the password doesn't confirm their identity in this session.
  expect((await readCookie(visitor, 'device'))?.accounts).not.toContain(member.publicId)
  const reauthenticate = (typed: object) => visitor.call('security.reauthenticate', 'mutation', { password: '', code: '', ...typed })
  for (const password of [goodPassword, wrong]) expect(getError(await reauthenticate({ password })).message).toBe("Confirm it's you: sign in again.")
  await setSecondFactor(member)
  expect(JSON.stringify(getError(await reauthenticate({ code: 'abcd efgh' })))).toContain('Code is not correct.')
  const second = await signIn(owner, sub)
  expect((await second.visitor.submitForm(second.page, 'Sign in', { code: 'abcd efgh' })).text).toContain('Code is not correct.')
})

test('confirming an email change asks for the password in a single sign-on session', async () => {
  const { owner, member, sub } = await team()
  const [token, email] = [`change-${member.id}`, fixture.newEmail()]
  await fixture.sql(
    "INSERT INTO email_token (hash, account_id, purpose, email, expires_at, session_version) VALUES ($1, $2, 'change', $3, now() + interval '1 hour', 1)",
    [hashToken(token), member.id, email],
  )
  const { visitor } = await signIn(owner, sub)
  const page = await visitor.open(`/confirm/${token}`)
  expect((await visitor.submitForm(page, 'Confirm email')).text).toContain('Enter your password.')
  expect(await fixture.sql('SELECT FROM account WHERE email = $1', [email])).toEqual([])
  expect((await member.visitor.submitForm(await member.visitor.open(`/confirm/${token}`), 'Confirm email')).path).toContain('done=email')
})
