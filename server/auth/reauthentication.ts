import { isPassword } from '#server/accounts/password.ts'
import { attempt, limits } from '#server/accounts/throttle.ts'
import { type Proof, refuseFaults } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { readCredentials } from './credentials.ts'
import { takeCode } from './second-factor.ts'
import { logSecurityEvent, recordFailure } from './security-history.ts'
import { getSignInKey, wrongCode } from './sign-in.ts'
import type { Viewer } from './viewer.ts'

/**
 * Returns the strongest proof an account can give. With a second factor the password alone is not enough. A single sign-on session never offers the password,
 * because the provider's operator could use the session to guess it.
 */
export const proofFor = ({ hasPassword, hasSecondFactor, limitedTo }: Viewer): Proof =>
  hasSecondFactor ? 'code' : hasPassword && limitedTo === null ? 'password' : 'provider'

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

/** Checks a password or code, and counts and records the attempt if it is wrong. */
async function isProved(deps: AuthContext, asker: Asker, { publicId }: Viewer, key: string, check: () => Promise<boolean>): Promise<boolean> {
  const { forgive } = await attempt(deps.pool, [limits.reauthentication, key])
  const isRight = await check()
  if (isRight) await forgive()
  else recordFailure(deps, asker, 'reauthentication.fail', publicId)
  return isRight
}

async function passwordFault(deps: AuthContext, asker: Asker, viewer: Viewer, password: string): Promise<string | null> {
  const check = async () => isPassword((await readCredentials(deps.pool, viewer.accountId))?.passwordHash ?? null, password)
  return (await isProved(deps, asker, viewer, viewer.publicId, check)) ? null : 'Current password is not correct.'
}

async function codeFault(deps: AuthContext, asker: Asker, viewer: Viewer, code: string): Promise<string | null> {
  if (code.trim() === '') return 'Enter a code from your app, or a recovery code.'
  const check = () => takeCode(deps, viewer.accountId, code)
  return (await isProved(deps, asker, viewer, getSignInKey(viewer.publicId, viewer.limitedTo), check)) ? null : wrongCode
}

/**
 * Requires the current password, or a recent sign-in if the account has none. `others` are the errors of the form's other fields, reported together with this
 * one. @throws FieldsError, ThrottledError, ReauthenticationError
 */
export async function requirePassword(deps: AuthContext, asker: Asker, viewer: Viewer, password: string, others: Record<string, string | null>): Promise<void> {
  if (!viewer.hasPassword) {
    requireRecent(viewer)
    return refuseFaults(others)
  }
  const currentPassword = password === '' ? 'Enter your current password.' : await passwordFault(deps, asker, viewer, password)
  refuseFaults({ ...others, currentPassword })
}

/** Requires a code if the account has a second factor, otherwise a recent sign-in. @throws FieldsError, ThrottledError, ReauthenticationError */
export async function requireCode(deps: AuthContext, asker: Asker, viewer: Viewer, code: string): Promise<void> {
  if (!viewer.hasSecondFactor) return requireRecent(viewer)
  refuseFaults({ code: await codeFault(deps, asker, viewer, code) })
}

/** Re-authenticates the session. Only the kind of proof that the account requires is checked. @throws FieldsError, ThrottledError */
export async function reauthenticate(deps: AuthContext, asker: Asker, viewer: Viewer, password: string, code: string): Promise<void> {
  const proof = proofFor(viewer)
  if (proof === 'provider') throw new ReauthenticationError(proof)
  if (proof === 'code') refuseFaults({ identityCode: await codeFault(deps, asker, viewer, code) })
  else refuseFaults({ identityPassword: password === '' ? 'Enter your password.' : await passwordFault(deps, asker, viewer, password) })
  const reauthenticatedAt = new Date(clock.now())
  // A code also counts as presenting the second factor.
  const data = { reauthenticatedAt, ...(proof === 'code' && { secondFactorAt: reauthenticatedAt }) }
  await deps.pool.portalSession.updateMany({ where: { id: viewer.sessionId, endedAt: null }, data })
  logSecurityEvent(deps, asker, 'reauthentication', viewer.publicId)
}
