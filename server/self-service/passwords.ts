import { setPasswordHash } from '#server/accounts/accounts.ts'
import { writeAudit } from '#server/accounts/audit.ts'
import { emailFault, readEmail } from '#server/accounts/email-address.ts'
import { hashPassword, passwordFault } from '#server/accounts/password.ts'
import { attempt, limits, resetLimit } from '#server/accounts/throttle.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { type Device, withAccount } from '#server/auth/cookies.ts'
import { holdCredentials, readCredentials, readIssuers } from '#server/auth/credentials.ts'
import { providerLabel } from '#server/auth/providers.ts'
import { requirePassword } from '#server/auth/reauthentication.ts'
import { endAllSessions, lockOwnAccount } from '#server/auth/sessions.ts'
import { unknownDeviceLimits } from '#server/auth/sign-in.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { getNetwork, getSite } from '#server/keys/address-list.ts'
import { forgetSetUp } from './second-factor-setup.ts'
import { findOwnOrganisations } from './single-sign-on/organisations.ts'
import { readLink, spendAll, spendToken } from './tokens.ts'

/** Requests a password reset link. Only records the address: the worker looks it up, so the response can't reveal whether it is registered. */
export async function askForReset(deps: AuthContext, asker: Asker, typedEmail: string): Promise<void> {
  refuseFaults({ email: emailFault(typedEmail) })
  await attempt(deps.pool, [limits.reset, getNetwork(asker.address)], [limits.emailsOfSite, getSite(asker.address)])
  await enqueueEmail(deps.pool, 'reset', readEmail(typedEmail) ?? '', {})
}

/** Returns true if a reset link can still be used. Doesn't use it. */
export async function isResetLink(deps: AuthContext, token: string): Promise<boolean> {
  const row = await readLink(deps.pool, token)
  return row !== undefined && row.purpose === 'reset' && row.isUsable
}

/**
 * Sets a new password with a reset link and signs out all devices. Returns the browser as a known device: its user has just read the account's email, so failed
 * attempts by others must not lock it out. Returns null if the link can't be used. @throws FieldsError
 */
export async function resetPassword(deps: AuthContext, asker: Asker, token: string, password: string, device: Device | null): Promise<Device | null> {
  await attempt(deps.pool, [limits.links, getNetwork(asker.address)])
  const link = await readLink(deps.pool, token)
  if (link?.purpose !== 'reset' || !link.isUsable) return null
  const name = (await readCredentials(deps.pool, link.accountId))?.name ?? ''
  refuseFaults({ password: passwordFault(password, { email: link.email, name }) })
  const passwordHash = await hashPassword(password)
  const account = await inTransaction(deps.pool, async (client) => {
    const spent = await spendToken(client, token, 'reset')
    const row = spent && (await holdCredentials(client, spent.accountId))
    if (!spent || !row || row.email !== spent.email) return null
    const { accountId } = spent
    await setPasswordHash(client, accountId, passwordHash)
    await endAllSessions(client, accountId, null)
    await spendAll(client, accountId, ['reset', 'change'])
    await forgetSetUp(client, accountId)
    await writeAudit(client, { accountId, actor: 'account', action: 'password.reset', address: asker.address })
    // List the connected providers: the user may be resetting the password to remove someone who connected one.
    const organisations = (await findOwnOrganisations(client, accountId)).filter(({ isLinked }) => isLinked)
    const providers = [...(await readIssuers(client, accountId)).map((issuer) => providerLabel(deps, issuer)), ...organisations.map(({ label }) => label)]
    await enqueueEmail(client, 'password-changed', row.email, { at: new Date(clock.now()).toISOString(), address: asker.address, providers })
    return row
  })
  if (account === null) return null
  for (const [limit, who] of unknownDeviceLimits(account.email, asker.address)) await resetLimit(deps.pool, limit, who)
  return withAccount(device, account.publicId)
}

/** Changes the password after verifying the current one, and signs out all other devices. @throws FieldsError, ThrottledError */
export async function changeAccountPassword(
  deps: AuthContext,
  asker: Asker,
  viewer: Viewer,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<void> {
  await requirePassword(deps, asker, viewer, currentPassword, { currentPassword: null, password: passwordFault(password, viewer) })
  await attempt(deps.pool, [limits.passwordChange, viewer.publicId])
  const passwordHash = await hashPassword(password)
  const { accountId, email, sessionId } = viewer
  await inTransaction(deps.pool, async (client) => {
    await lockOwnAccount(client, viewer)
    await setPasswordHash(client, accountId, passwordHash)
    await endAllSessions(client, accountId, sessionId)
    await spendAll(client, accountId, ['reset'])
    // Anyone who knew the old password may have seen the secret of an unfinished two-factor set-up.
    await forgetSetUp(client, accountId)
    await writeAudit(client, { accountId, actor: 'account', action: 'password.change', address: asker.address })
    // An unconfirmed address may belong to someone else.
    if (viewer.isConfirmed) await enqueueEmail(client, 'password-changed', email, { at: new Date(clock.now()).toISOString(), address: asker.address })
  })
}
