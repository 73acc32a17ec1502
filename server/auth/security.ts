import { type AuditLine, getAudit, writeAudit } from '#server/accounts/audit.ts'
import { isPassword } from '#server/accounts/password.ts'
import { type Proof, refuseFaults } from '#server/api/contract/field-errors.ts'
import { isTimeZone } from '#server/api/contract/time-zones.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { closeAccount, ownEmailFault } from './close-account.ts'
import { readCredentials } from './credentials.ts'
import { askForEmailChange, newEmailFault } from './email-confirmation.ts'
import { changePassword, newPasswordFault } from './passwords.ts'
import { connectedIssuers, offeredProviders, providerLabel } from './providers.ts'
import { recoveryCodesLeft, renewRecoveryCodes, takeCode, turnOff } from './second-factor.ts'
import { logSecurityEvent, recordFailure } from './security-history.ts'
import { markReauthenticated } from './sessions.ts'
import { wrongCode } from './sign-in.ts'
import { attempt, limits } from './throttle.ts'
import type { Viewer } from './viewer.ts'

type Faults = Readonly<Record<string, string | null>>

/** Returns the strongest proof an account can give. With a second factor the password alone is not enough. */
export const proofFor = ({ hasPassword, hasSecondFactor }: Viewer): Proof => (hasSecondFactor ? 'code' : hasPassword ? 'password' : 'provider')

const messages: Readonly<Record<Proof, string>> = {
  password: "Confirm it's you: enter your password.",
  code: "Confirm it's you: enter a code from your app.",
  provider: "Confirm it's you: sign in again.",
}

/** Thrown if an action needs a recent sign-in or re-authentication. `proof` is the kind of proof to ask for. */
export class ReauthenticationError extends Error {
  override name = 'ReauthenticationError'
  readonly proof: Proof

  constructor(proof: Proof) {
    super(messages[proof])
    this.proof = proof
  }
}

/** Requires that this session signed in or re-authenticated in the last ten minutes. @throws ReauthenticationError */
export function requireRecent(viewer: Viewer): void {
  if (!viewer.isRecent) throw new ReauthenticationError(proofFor(viewer))
}

async function passwordFault(deps: AuthContext, asker: Asker, viewer: Viewer, password: string): Promise<string | null> {
  const { forgive } = await attempt(deps.pool, [limits.reauthentication, viewer.publicId])
  const row = await readCredentials(deps.pool, viewer.accountId)
  const isOwner = await isPassword(row?.passwordHash ?? null, password)
  if (isOwner) await forgive()
  else recordFailure(deps, asker, 'reauthentication.fail', viewer.publicId)
  return isOwner ? null : 'Current password is not correct.'
}

async function codeFault(deps: AuthContext, asker: Asker, viewer: Viewer, code: string): Promise<string | null> {
  if (code.trim() === '') return 'Enter a code from your app, or a recovery code.'
  const { forgive } = await attempt(deps.pool, [limits.reauthentication, viewer.publicId])
  const isRight = await takeCode(deps, viewer.accountId, code)
  if (isRight) await forgive()
  else recordFailure(deps, asker, 'reauthentication.fail', viewer.publicId)
  return isRight ? null : wrongCode
}

/**
 * Requires the current password, or a recent sign-in if the account has none. `others` are the errors of the form's other fields, reported together with this
 * one. @throws FieldsError, ThrottledError, ReauthenticationError
 */
async function requirePassword(deps: AuthContext, asker: Asker, viewer: Viewer, password: string, others: Faults): Promise<void> {
  if (!viewer.hasPassword) {
    requireRecent(viewer)
    return refuseFaults(others)
  }
  const currentPassword = password === '' ? 'Enter your current password.' : await passwordFault(deps, asker, viewer, password)
  refuseFaults({ ...others, currentPassword })
}

/** Requires a code from an account with a second factor, and a recent sign-in from any other. @throws FieldsError, ThrottledError, ReauthenticationError */
async function requireCode(deps: AuthContext, asker: Asker, viewer: Viewer, code: string): Promise<void> {
  if (!viewer.hasSecondFactor) return requireRecent(viewer)
  refuseFaults({ code: await codeFault(deps, asker, viewer, code) })
}

/** Input for re-authentication. Only the proof required of the account is checked. */
type Entered = { readonly password: string; readonly code: string }

/** Re-authenticates the session. @throws FieldsError, ThrottledError */
export async function reauthenticate(deps: AuthContext, asker: Asker, viewer: Viewer, { password, code }: Entered): Promise<void> {
  const proof = proofFor(viewer)
  if (proof === 'provider') throw new ReauthenticationError(proof)
  if (proof === 'code') refuseFaults({ identityCode: await codeFault(deps, asker, viewer, code) })
  else refuseFaults({ identityPassword: password === '' ? 'Enter your password.' : await passwordFault(deps, asker, viewer, password) })
  await markReauthenticated(deps.pool, viewer.sessionId, proof === 'code')
  logSecurityEvent(deps, asker, 'reauthentication', viewer.publicId)
}

/** Security settings. Each change first requires proof that the owner is present. */

type WithCode = { readonly code: string }

export async function changeAccountPassword(
  deps: AuthContext,
  asker: Asker,
  viewer: Viewer,
  typed: { currentPassword: string; password: string },
): Promise<void> {
  await requirePassword(deps, asker, viewer, typed.currentPassword, { currentPassword: null, password: newPasswordFault(viewer, typed.password) })
  await changePassword(deps, asker, viewer, typed.password)
}

export async function changeAccountEmail(deps: AuthContext, asker: Asker, viewer: Viewer, typed: WithCode & { email: string }): Promise<{ email: string }> {
  refuseFaults({ email: newEmailFault(viewer, typed.email) })
  await requireCode(deps, asker, viewer, typed.code)
  return askForEmailChange(deps, asker, viewer, typed.email)
}

export async function turnOffSecondFactor(deps: AuthContext, asker: Asker, viewer: Viewer, { code }: WithCode): Promise<void> {
  await requireCode(deps, asker, viewer, code)
  await turnOff(deps, asker, viewer)
}

export async function renewCodes(deps: AuthContext, asker: Asker, viewer: Viewer, { code }: WithCode): Promise<string[]> {
  await requireCode(deps, asker, viewer, code)
  return renewRecoveryCodes(deps, asker, viewer)
}

export async function closeOwnAccount(deps: AuthContext, asker: Asker, viewer: Viewer, { email }: { email: string }): Promise<void> {
  refuseFaults({ email: ownEmailFault(viewer, email) })
  requireRecent(viewer)
  await closeAccount(deps, asker, viewer, email)
}

export type SecuritySummary = {
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
  readonly recoveryCodesLeft: number
  /** Providers connected to the account, and those that can be connected. */
  readonly connected: readonly { readonly issuer: string; readonly label: string }[]
  readonly connectable: readonly { readonly id: 'google' | 'oidc'; readonly label: string }[]
}

export async function readSecuritySummary(deps: AuthContext, viewer: Viewer): Promise<SecuritySummary> {
  const issuers = await connectedIssuers(deps, viewer.accountId)
  const offered = offeredProviders(deps)
  return {
    hasPassword: viewer.hasPassword,
    hasSecondFactor: viewer.hasSecondFactor,
    recoveryCodesLeft: await recoveryCodesLeft(deps, viewer.accountId),
    connected: issuers.map((issuer) => ({ issuer, label: providerLabel(deps, issuer) })),
    connectable: offered.filter(({ issuer }) => !issuers.includes(issuer)).map(({ id, label }) => ({ id, label })),
  }
}

/** Skips closed accounts, including those closed while the update waited for a lock: a closed account holds no personal data. */
async function writeProfile(tx: Transaction, { accountId }: Viewer, data: { name?: string; purpose?: string; timeZone?: string }): Promise<void> {
  await tx.account.updateMany({ where: { id: accountId, closedAt: null }, data })
}

const maxNameLength = 80

/** Changes the name of an account; empty removes it. @throws FieldsError */
export async function changeName(deps: AuthContext, asker: Asker, viewer: Viewer, typed: string): Promise<void> {
  const name = typed.trim()
  refuseFaults({ name: name.length > maxNameLength ? `Name must be ${maxNameLength} characters or fewer.` : null })
  if (name === viewer.name) return
  await inTransaction(deps.pool, async (client) => {
    // The name is part of the cached key record, so the wallet version changes. The wallet is locked first, as in all other code.
    await client.wallet.update({ where: { accountId: viewer.accountId }, data: { version: { increment: 1 } }, select: { accountId: true } })
    await writeProfile(client, viewer, { name })
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'name.change', address: asker.address })
  })
}

const maxPurposeLength = 500

/** Saves what the account is going to build, for the review; empty removes it. @throws FieldsError */
export async function changePurpose(deps: AuthContext, asker: Asker, viewer: Viewer, typed: string): Promise<void> {
  const purpose = typed.trim()
  refuseFaults({ purpose: purpose.length > maxPurposeLength ? `Use ${maxPurposeLength} characters or fewer.` : null })
  if (purpose === viewer.purpose) return
  await inTransaction(deps.pool, async (client) => {
    await writeProfile(client, viewer, { purpose })
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'purpose.change', address: asker.address })
  })
}

/** Sets the time zone used in the portal. @throws FieldsError */
export async function changeTimeZone(deps: AuthContext, asker: Asker, viewer: Viewer, timeZone: string): Promise<void> {
  refuseFaults({ timeZone: isTimeZone(timeZone) ? null : 'Choose UTC or a time zone from the list.' })
  if (timeZone === viewer.timeZone) return
  await inTransaction(deps.pool, async (client) => {
    await writeProfile(client, viewer, { timeZone })
    const change = { before: { timeZone: viewer.timeZone }, after: { timeZone } }
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'time-zone.change', ...change, address: asker.address })
  })
}

export const getHistory = (deps: AuthContext, viewer: Viewer, before: string | null): Promise<{ lines: AuditLine[]; next: string | null }> =>
  getAudit(deps.pool, viewer.accountId, before)
