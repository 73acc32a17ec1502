import { hashToken } from '#server/accounts/encryption.ts'
import type { MemberRole } from '#server/api/contract/teams.ts'
import { newPublicId } from '#server/ids.ts'
import type { Member, PortalFixture } from './portal-fixture.ts'

/** Makes a person a member of an account, without an invitation. */
export const addMembership = (fixture: PortalFixture, account: Member, member: Member, role: MemberRole) =>
  fixture.sql('INSERT INTO membership (account_id, member_id, role) VALUES ($1, $2, $3::member_role)', [account.id, member.id, role])

/** Returns a new member of an account, whose session shows that account. */
export async function teamMember(fixture: PortalFixture, account: Member, role: MemberRole): Promise<Member> {
  const member = await fixture.member()
  await addMembership(fixture, account, member, role)
  await member.visitor.call('session.switchAccount', 'mutation', { account: account.publicId })
  return member
}

export const removeMembership = (fixture: PortalFixture, account: Member, member: Member) =>
  fixture.sql('DELETE FROM membership WHERE account_id = $1 AND member_id = $2', [account.id, member.id])

/** Makes a person the owner of an account, without the checks of a transfer. */
export const setOwner = (fixture: PortalFixture, account: Member, owner: Member) =>
  fixture.sql('UPDATE account SET owner_id = $2 WHERE id = $1', [account.id, owner.id])

/** Adds an open invitation whose token is known, without an email. */
export const addInvitation = (fixture: PortalFixture, account: Member, email: string, token: string, role: MemberRole = 'developer') =>
  fixture.sql(
    `INSERT INTO invitation (public_id, hash, account_id, email, role, invited_by, expires_at)
     VALUES ($1, $2, $3, $4, $5::member_role, $3, now() + interval '7 days')`,
    [newPublicId('inv'), hashToken(token), account.id, email, role],
  )

/** Adds a provider to an account, without reading its discovery document. */
export const addSingleSignOn = (fixture: PortalFixture, account: Member, issuer: string, clientSecret = Buffer.from('none')) =>
  fixture.sql("INSERT INTO single_sign_on (account_id, issuer, client_id, client_secret) VALUES ($1, $2, 'a-client', $3)", [account.id, issuer, clientSecret])

/** Links a member's login to an identity at the account's identity provider. */
export const linkSignIn = (fixture: PortalFixture, account: Member, person: Member, subject: string) =>
  fixture.sql(
    'INSERT INTO linked_sign_in (account_id, member_id, issuer, subject) SELECT account_id, $2, issuer, $3 FROM single_sign_on WHERE account_id = $1',
    [account.id, person.id, subject],
  )
