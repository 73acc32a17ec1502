import { type AuditEntry, writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { isTimeZone } from '#server/api/contract/time-zones.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { readIssuers } from '#server/auth/credentials.ts'
import { offeredProviders, providerLabel } from '#server/auth/providers.ts'
import { requireCode, requireRecent } from '#server/auth/reauthentication.ts'
import { endAllSessions, lockOwnAccount } from '#server/auth/sessions.ts'
import { accountActor, type Viewer } from '#server/auth/viewer.ts'
import { clock } from '#server/clock.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { closeAccount, ownEmailFault } from './close-account.ts'
import { recoveryCodesLeft, turnOff } from './second-factor-setup.ts'
import { unlinkSignIn } from './single-sign-on/link-sign-in.ts'
import { findOwnOrganisations, providerIdForm } from './single-sign-on/organisations.ts'

export async function turnOffSecondFactor(deps: AuthContext, asker: Asker, viewer: Viewer, { code }: { code: string }): Promise<void> {
  await requireCode(deps, asker, viewer, code)
  await turnOff(deps, asker, viewer)
}

export async function closeOwnAccount(deps: AuthContext, asker: Asker, viewer: Viewer, { email }: { email: string }): Promise<void> {
  refuseFaults({ email: ownEmailFault(viewer, email) })
  requireRecent(viewer)
  await closeAccount(deps, asker, viewer, email)
}

/** Returns the account's sign-in methods, and the providers that are or can be connected to it. */
export async function readSecuritySummary(deps: AuthContext, viewer: Viewer) {
  const issuers = await readIssuers(deps.pool, viewer.accountId)
  const offered = offeredProviders(deps)
  const organisations = await findOwnOrganisations(deps.pool, viewer.accountId)
  return {
    hasPassword: viewer.hasPassword,
    hasSecondFactor: viewer.hasSecondFactor,
    recoveryCodesLeft: await recoveryCodesLeft(deps, viewer.accountId),
    // The provider of an organisation has its id in place of the issuer, because the same issuer can belong to several accounts.
    connected: [
      ...issuers.map((issuer) => ({ issuer, label: providerLabel(deps, issuer) })),
      ...organisations.filter(({ isLinked }) => isLinked).map(({ id, label }) => ({ issuer: id, label })),
    ],
    connectable: [
      ...offered.filter(({ issuer }) => !issuers.includes(issuer)).map(({ id, label }) => ({ id, label })),
      ...organisations.filter(({ isLinked, isBlocked }) => !isLinked && !isBlocked).map(({ id, label }) => ({ id, label })),
    ],
  }
}

/**
 * Writes a field of the profile and its audit entry. Skips closed accounts, including those closed while the update waited for a lock: a closed account holds no
 * personal data.
 */
async function writeProfile(
  tx: Transaction,
  asker: Asker,
  viewer: Viewer,
  data: { name?: string; purpose?: string; timeZone?: string },
  entry: Pick<AuditEntry, 'action' | 'before' | 'after'>,
): Promise<void> {
  const { accountId } = viewer
  await tx.account.updateMany({ where: { id: accountId, closedAt: null }, data })
  await writeAudit(tx, { ...accountActor(viewer, asker), accountId, ...entry })
}

const maxNameLength = 80

/** Changes the name of an account; an empty name removes it. @throws FieldsError */
export async function changeName(deps: AuthContext, asker: Asker, viewer: Viewer, typed: string): Promise<void> {
  const name = typed.trim()
  refuseFaults({ name: name.length > maxNameLength ? `Name must be ${maxNameLength} characters or fewer.` : null })
  if (name === viewer.name) return
  await inTransaction(deps.pool, async (client) => {
    // The name is part of the cached key record, so the wallet version changes. The wallet is always locked first, to avoid deadlocks.
    await client.wallet.update({ where: { accountId: viewer.accountId }, data: { version: { increment: 1 } }, select: { accountId: true } })
    await writeProfile(client, asker, viewer, { name }, { action: 'name.change' })
  })
}

const maxPurposeLength = 500

/** Saves the description of the account's planned use, for the review; an empty description removes it. @throws FieldsError */
export async function changePurpose(deps: AuthContext, asker: Asker, viewer: Viewer, typed: string): Promise<void> {
  const purpose = typed.trim()
  refuseFaults({ purpose: purpose.length > maxPurposeLength ? `Use ${maxPurposeLength} characters or fewer.` : null })
  if (purpose === viewer.purpose) return
  await inTransaction(deps.pool, (client) => writeProfile(client, asker, viewer, { purpose }, { action: 'purpose.change' }))
}

/** Sets the time zone used in the portal. @throws FieldsError */
export async function changeTimeZone(deps: AuthContext, asker: Asker, viewer: Viewer, timeZone: string): Promise<void> {
  refuseFaults({ timeZone: isTimeZone(timeZone) ? null : 'Choose UTC or a time zone from the list.' })
  if (timeZone === viewer.timeZone) return
  const entry = { action: 'time-zone.change', before: { timeZone: viewer.timeZone }, after: { timeZone } } as const
  await inTransaction(deps.pool, (client) => writeProfile(client, asker, viewer, { timeZone }, entry))
}

/**
 * Disconnects a provider and signs out all other devices, because any of them may have signed in with it. Idempotent. Callers must verify the password first.
 * @throws FieldsError if it is the only way to sign in
 */
export async function disconnectProvider(deps: AuthContext, asker: Asker, viewer: Viewer, issuer: string): Promise<void> {
  const { accountId, email, sessionId } = viewer
  if (providerIdForm.test(issuer)) return unlinkSignIn(deps, asker, viewer, issuer)
  await inTransaction(deps.pool, async (client) => {
    await lockOwnAccount(client, viewer)
    if ((await deleteIdentities(client, accountId, issuer)) === 0) {
      const isLeft = (await readIssuers(client, accountId)).includes(issuer)
      return refuseFaults({ form: isLeft ? 'Set a password first: you have no other way to sign in.' : null })
    }
    await endAllSessions(client, accountId, sessionId)
    await writeAudit(client, { accountId, actor: 'account', action: 'provider.disconnect', before: { issuer }, address: asker.address })
    await enqueueEmail(client, 'provider-changed', email, {
      at: new Date(clock.now()).toISOString(),
      provider: providerLabel(deps, issuer),
      isConnected: false,
    })
  })
}

/**
 * Deletes an account's identities with one provider, unless the account would have no other way to sign in. Returns how many were deleted. The account must be
 * locked.
 */
async function deleteIdentities(tx: Transaction, accountId: number, issuer: string): Promise<number> {
  const isSpare = { OR: [{ passwordHash: { not: null } }, { identities: { some: { issuer: { not: issuer } } } }] }
  return (await tx.providerIdentity.deleteMany({ where: { accountId, issuer, account: isSpare } })).count
}
