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
