import { emailFault, readEmail } from '#server/accounts/email-address.ts'
import { isPassword } from '#server/accounts/password.ts'
import { attempt, isFirstInWindow, limits, ThrottledError } from '#server/accounts/throttle.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { getNetwork, getSite } from '#server/keys/address-list.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { type Device, isKnownDevice, withAccount } from './cookies.ts'
import { type Credentials, readAccountCredentials, readCandidates } from './credentials.ts'
import { takeCode } from './second-factor.ts'
import { logSecurityEvent, recordFailure } from './security-history.ts'
import { beginSession, type LinkedIdentity, type SignedIn, type SignInWay, toSessionVersion } from './sessions.ts'

/** Outcome of a sign-in. `code` means the password was correct and a code is needed. */
export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly signedIn: SignedIn; readonly device: Device }
  | { readonly kind: 'code'; readonly account: string; readonly version: number; readonly through?: LinkedIdentity }
  | { readonly kind: 'refused' }

export const wrongPassword = 'Email address or password is not correct.'
export const wrongCode = 'Code is not correct.'

/**
 * Returns the key for a user's rate limits and known devices. It differs for each organisation's provider, because a provider's operator could otherwise
 * exhaust the limits of the user's own login, or register a known device for it.
 */
export const getSignInKey = (publicId: string, organisationId: number | null): string => (organisationId === null ? publicId : `${organisationId} ${publicId}`)

/** Limits new-device emails to one per account and window: the first one contains all instructions, and further ones would delay other emails. */
const newDeviceEmails = { name: 'new device emails', windowSeconds: 600 } as const

/** Notifies the owner of a sign-in on a new device, except within an hour of signing up. */
async function notifyOwner(deps: AuthContext, asker: Asker, row: Credentials, device: Device | null, key: string): Promise<void> {
  const isFirst = clock.now() - row.createdAt.getTime() < 3_600_000
  if (isFirst || row.emailVerifiedAt === null || isKnownDevice(device, key)) return
  if (!(await isFirstInWindow(deps.pool, newDeviceEmails, key))) return
  await enqueueEmail(deps.pool, 'new-sign-in', row.email, { at: new Date(clock.now()).toISOString(), address: asker.address, agent: asker.agent })
}

/** Creates a session after a successful sign-in. `way.hasSecondFactor` is true if a code was entered for it. @throws ThrottledError */
async function begin(deps: AuthContext, asker: Asker, row: Credentials, device: Device | null, way: SignInWay): Promise<SignInOutcome> {
  const key = getSignInKey(row.publicId, way.through?.organisationId ?? null)
  await attempt(deps.pool, [limits.signIns, key])
  const signedIn = await beginSession(deps, asker, { id: row.id, publicId: row.publicId, sessionVersion: row.sessionVersion, ...way })
  if (signedIn === null) return { kind: 'refused' }
  logSecurityEvent(deps, asker, 'sign-in', row.publicId)
  await notifyOwner(deps, asker, row, device, key)
  return { kind: 'signed-in', signedIn, device: withAccount(device, key) }
}

/**
 * Continues after the first step of a sign-in: asks for a code if the account has a second factor, otherwise creates a session. `through` is set if the first
 * step was the provider of an account. @throws ThrottledError
 */
export async function continueSignIn(
  deps: AuthContext,
  asker: Asker,
  row: Credentials,
  device: Device | null,
  through?: LinkedIdentity,
): Promise<SignInOutcome> {
  if (!row.hasSecondFactor) return begin(deps, asker, row, device, { through: through ?? null })
  const version = toSessionVersion(row.sessionVersion, through?.organisationId ?? null)
  return { kind: 'code', account: row.publicId, version, ...(through && { through }) }
}

/**
 * Selects the rate limits for a sign-in. A browser known to the confirmed account has its own limit. A browser known only to an unconfirmed account counts as
 * unknown, because that account has no proven owner. The limits for unknown browsers are the same whether or not an account has confirmed the address, so they
 * don't reveal it.
 */
const countersFor = (email: string, address: string | null, account: string | null, device: Device | null) =>
  account !== null && device !== null && isKnownDevice(device, account)
    ? ([[limits.device, `${device.id} ${account}`]] as const)
    : unknownDeviceLimits(email, address)

/** Returns a handler that records a lock-out and rethrows the error. */
const lockedOut = (deps: AuthContext, asker: Asker, account: string | null) => (error: unknown) => {
  if (error instanceof ThrottledError) recordFailure(deps, asker, 'sign-in.lock-out', account)
  throw error
}

/**
 * Rate limits for browsers unknown to the account. The limit per network is checked first, so that one network can't exhaust the limit of an email address for
 * everyone.
 */
export const unknownDeviceLimits = (email: string, address: string | null) =>
  [
    [limits.unauthenticated, `${email} ${getNetwork(address)}`],
    [limits.unauthenticatedSite, `${email} ${getSite(address)}`],
    [limits.address, email],
  ] as const

/**
 * Signs in with a password. Runs the same queries for every address, and always verifies the password against two hashes: those of the account that confirmed
 * the address and of the newest unconfirmed one, or placeholders. So neither the response nor its timing reveals which addresses are registered. @throws
 * FieldsError, ThrottledError
 */
export async function signIn(deps: AuthContext, asker: Asker, typed: { email: string; password: string }, device: Device | null): Promise<SignInOutcome> {
  refuseFaults({ email: emailFault(typed.email), password: typed.password === '' ? 'Enter your password.' : null })
  const email = readEmail(typed.email) ?? ''
  const { confirmed, provisional } = await readCandidates(deps.pool, email)
  // An unconfirmed account may belong to someone else, who must not see where the owner of the address signs in from.
  const account = confirmed?.publicId ?? null
  const network = getNetwork(asker.address)
  const counters = countersFor(email, asker.address, account, device)
  const { forgive } = await attempt(deps.pool, [limits.network, network], ...counters).catch(lockedOut(deps, asker, account))
  const [isConfirmed, isProvisional] = await Promise.all([
    isPassword(confirmed?.passwordHash ?? null, typed.password),
    isPassword(provisional?.passwordHash ?? null, typed.password),
  ])
  const row = isConfirmed ? confirmed : isProvisional ? provisional : undefined
  if (!row) {
    recordFailure(deps, asker, 'sign-in.fail', account)
    return { kind: 'refused' }
  }
  await forgive()
  return continueSignIn(deps, asker, row, device)
}

/**
 * Second step of a sign-in: a code from the authenticator app, or a recovery code. Fails if the password was changed since the first step.
 * @throws FieldsError, ThrottledError
 */
export async function signInWithCode(
  deps: AuthContext,
  asker: Asker,
  first: { account: string; version: number; through?: LinkedIdentity },
  code: string,
  device: Device | null,
): Promise<SignInOutcome> {
  refuseFaults({ code: code.trim() === '' ? 'Enter the code from your app.' : null })
  const row = await readAccountCredentials(deps.pool, first.account)
  const { through = null } = first
  const organisationId = through?.organisationId ?? null
  if (!row || toSessionVersion(row.sessionVersion, organisationId) !== first.version) return { kind: 'refused' }
  const key = getSignInKey(row.publicId, organisationId)
  const { forgive } = await attempt(deps.pool, [limits.code, key], [limits.codeDay, key]).catch(lockedOut(deps, asker, row.publicId))
  if (!(await takeCode(deps, row.id, code))) {
    recordFailure(deps, asker, 'sign-in.fail', row.publicId)
    refuseFaults({ code: wrongCode })
    return { kind: 'refused' }
  }
  await forgive()
  return begin(deps, asker, row, device, { hasSecondFactor: true, through })
}
