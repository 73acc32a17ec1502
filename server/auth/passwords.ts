import { writeAudit } from '#server/accounts/audit.ts'
import { hashPassword, passwordFault } from '#server/accounts/password.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { askForMail } from '#server/email/mail.ts'
import { networkOf } from '#server/keys/address-list.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { holdCredentials, readCredentials, writePassword } from './credentials.store.ts'
import { type Device, withAccount } from './device.ts'
import { providerLabel } from './offered-providers.ts'
import { readIssuers } from './provider-identities.store.ts'
import { hashToken } from './seal.ts'
import { forgetSetUp } from './second-factor.store.ts'
import { endAllSessions } from './sessions.ts'
import { emailFault, readEmail, strangersOf } from './sign-in.ts'
import { attempt, beginAnew, limits } from './throttle.ts'
import { readToken, spendAll, spendToken } from './tokens.store.ts'
import type { Viewer } from './viewer.ts'

/** Asks for a link to choose a new password. It writes down the address and looks nothing up: the worker does, so that nobody can tell from here. */
export async function askForReset(room: AuthRoom, asker: Asker, typedEmail: string): Promise<void> {
  refuseFaults({ email: emailFault(typedEmail) })
  await attempt(room.pool, [limits.reset, networkOf(asker.address)])
  await askForMail(room.pool, 'reset', readEmail(typedEmail) ?? '', {})
}

/** Whether a link for a new password can still be used. Looking does not spend it. */
export async function isResetLink(room: AuthRoom, token: string): Promise<boolean> {
  const row = await readToken(room.pool, hashToken(token))
  return row !== undefined && row.purpose === 'reset' && row.is_live
}

/**
 * Sets a new password by a link and signs every device out. Returns the browser as one that the account is known to: strangers who try passwords cannot
 * keep its owner, who has just read the account's mail, from signing in here. Null when the link cannot be used. @throws FieldsError
 */
export async function resetPassword(room: AuthRoom, asker: Asker, token: string, password: string, device: Device | null): Promise<Device | null> {
  await attempt(room.pool, [limits.links, networkOf(asker.address)])
  const hash = hashToken(token)
  const link = await readToken(room.pool, hash)
  if (link?.purpose !== 'reset' || !link.is_live) return null
  const name = (await readCredentials(room.pool, Number(link.account_id)))?.name ?? ''
  refuseFaults({ password: passwordFault(password, { email: link.email, name }) })
  const passwordHash = await hashPassword(password)
  const account = await inTransaction(room.pool, async (client) => {
    const spent = await spendToken(client, hash, 'reset')
    const row = spent && (await holdCredentials(client, spent.accountId))
    if (!spent || !row || row.email !== spent.email) return null
    const { accountId } = spent
    await writePassword(client, accountId, passwordHash)
    await endAllSessions(client, accountId, null)
    await spendAll(client, accountId, ['reset', 'change'])
    await forgetSetUp(client, accountId)
    await writeAudit(client, { accountId, actor: 'account', action: 'password.reset', address: asker.address })
    // Whoever resets a password may want somebody out who has connected a provider of their own.
    const providers = (await readIssuers(client, accountId)).map((issuer) => providerLabel(room, issuer))
    await askForMail(client, 'password-changed', row.email, { at: new Date(clock.now()).toISOString(), address: asker.address, providers })
    return row
  })
  if (account === null) return null
  for (const [limit, who] of strangersOf(account.email, networkOf(asker.address))) await beginAnew(room.pool, limit, who)
  return withAccount(device, account.public_id)
}

export const newPasswordFault = ({ email, name }: Viewer, password: string): string | null => passwordFault(password, { email, name })

/** Changes the password and signs every other device out. Whoever calls has asked for the current one. @throws FieldsError */
export async function changePassword(room: AuthRoom, asker: Asker, viewer: Viewer, password: string): Promise<void> {
  refuseFaults({ password: newPasswordFault(viewer, password) })
  const passwordHash = await hashPassword(password)
  const { accountId, email, sessionId } = viewer
  await inTransaction(room.pool, async (client) => {
    await holdCredentials(client, accountId)
    await writePassword(client, accountId, passwordHash)
    await endAllSessions(client, accountId, sessionId)
    await spendAll(client, accountId, ['reset'])
    // Whoever knew the password before may know its secret.
    await forgetSetUp(client, accountId)
    await writeAudit(client, { accountId, actor: 'account', action: 'password.change', address: asker.address })
    await askForMail(client, 'password-changed', email, { at: new Date(clock.now()).toISOString(), address: asker.address })
  })
}
