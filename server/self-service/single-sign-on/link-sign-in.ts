import { writeAudit } from '#server/accounts/audit.ts'
import { readRole } from '#server/accounts/permissions.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import type { SingleSignOnInvitation } from '#server/auth/cookies.ts'
import { endAllSessions, endOrganisationSessions, type LinkedIdentity, lockOwnAccount } from '#server/auth/sessions.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { clock } from '#server/clock.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { joinWithInvitation } from '../invitations.ts'
import type { ConnectIdentity } from '../sign-up.ts'
import { findOwnOrganisations, type Organisation } from './organisations.ts'

/**
 * Links an identity to a person who has access to the account. The account must be locked. Returns false if the person has linked one, someone else has linked
 * this one, or the account has another provider by now.
 */
async function insertLink(tx: Transaction, memberId: number, { organisationId: accountId, issuer, clientId, subject }: LinkedIdentity): Promise<boolean> {
  if ((await tx.singleSignOn.count({ where: { accountId, issuer, clientId } })) === 0) return false
  return (await tx.linkedSignIn.createMany({ data: [{ accountId, memberId, issuer, subject }], skipDuplicates: true })).count === 1
}

/** Thrown to undo a transaction in which an identity could not be linked. */
class NotLinkedError extends Error {}

type Person = Pick<Viewer, 'accountId' | 'publicId' | 'email' | 'sessionId'>

async function link(tx: Transaction, asker: Asker, person: Person, { accountId, issuer, clientId, label }: Organisation, subject: string): Promise<void> {
  await lockRows(tx, 'account', [accountId, person.accountId])
  await lockOwnAccount(tx, person)
  const account = await tx.account.findFirst({ where: { id: accountId, closedAt: null }, select: { id: true, ownerId: true } })
  const mayLink = account !== null && (await readRole(tx, account, person.accountId)) !== null
  if (!mayLink || !(await insertLink(tx, person.accountId, { organisationId: accountId, issuer, clientId, subject }))) throw new NotLinkedError()
  const by = { actor: 'account', address: asker.address, memberId: person.accountId } as const
  await writeAudit(tx, { ...by, accountId, action: 'single-sign-on.link', subject: person.publicId })
  await enqueueEmail(tx, 'provider-changed', person.email, {
    at: new Date(clock.now()).toISOString(),
    provider: label,
    isConnected: true,
    isOrganisation: true,
  })
}

/**
 * Links an identity to the login of a person who has access to the organisation, and notifies them. Returns false if the person has linked one, someone else
 * has linked this one, or the person has no access. @throws SignedOutError
 */
export async function linkSignIn(deps: AuthContext, asker: Asker, viewer: Viewer, organisation: Organisation, subject: string): Promise<boolean> {
  if (!viewer.isConfirmed || viewer.state === 'blocked' || viewer.limitedTo !== null) return false
  return inTransaction(deps.pool, (tx) => link(tx, asker, viewer, organisation, subject))
    .then(() => true)
    .catch((error: unknown) => {
      if (error instanceof NotLinkedError) return false
      throw error
    })
}

/**
 * Unlinks the person's login from an organisation's provider and signs out all other devices, because any of them may have signed in with it. Idempotent.
 * @throws FieldsError if it is the only way to sign in
 */
export async function unlinkSignIn(deps: AuthContext, asker: Asker, viewer: Viewer, providerId: string): Promise<void> {
  const { accountId: memberId, publicId, email, sessionId } = viewer
  const organisation = (await findOwnOrganisations(deps.pool, memberId)).find(({ id }) => id === providerId)
  if (organisation === undefined) return
  const { accountId, label } = organisation
  await inTransaction(deps.pool, async (tx) => {
    await lockRows(tx, 'account', [accountId, memberId])
    await lockOwnAccount(tx, viewer)
    const hasOther = await tx.account.count({ where: { id: memberId, OR: [{ passwordHash: { not: null } }, { identities: { some: {} } }] } })
    refuseFaults({ form: hasOther === 0 ? 'Set a password first: you have no other way to sign in.' : null })
    if ((await tx.linkedSignIn.deleteMany({ where: { accountId, memberId } })).count === 0) return
    await endOrganisationSessions(tx, accountId, memberId)
    await endAllSessions(tx, memberId, sessionId)
    const by = { actor: 'account', address: asker.address, memberId } as const
    await writeAudit(tx, { ...by, accountId, action: 'single-sign-on.unlink', subject: publicId })
    await enqueueEmail(tx, 'provider-changed', email, { at: new Date(clock.now()).toISOString(), provider: label, isConnected: false, isOrganisation: true })
  })
}

/** Returns the path of an invitation's page with an error message. */
export const joinPath = (token: string, error: 'sign-in-first' | 'other-email'): string => `/join/${token}?error=${error}`

/** Returns a function that makes a new login a member of the organisation that invited the person, and links it to the organisation's provider. */
export const joinThroughProvider =
  (asker: Asker, { through: identity, token }: SingleSignOnInvitation): ConnectIdentity =>
  async (tx, { id, publicId }) => {
    const accountId = identity.organisationId
    if ((await joinWithInvitation(tx, asker, { accountId: id, publicId }, token)) !== accountId) return false
    if (!(await insertLink(tx, id, identity))) return false
    await writeAudit(tx, { actor: 'account', address: asker.address, memberId: id, accountId, action: 'single-sign-on.link', subject: publicId })
    return true
  }
