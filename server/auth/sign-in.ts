import { normaliseEmail } from '#server/accounts/accounts.ts'
import { isPassword } from '#server/accounts/password.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import { askForMail } from '#server/email/mail.ts'
import { networkOf } from '#server/keys/address-list.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { type CredentialRow, readCandidates, readCredentialsOf } from './credentials.store.ts'
import { type Device, isKnownDevice, withAccount } from './device.ts'
import { takeCode } from './second-factor.ts'
import { logSecurityEvent, recordFailure } from './security-history.ts'
import { beginSession, type SignedIn } from './sessions.ts'
import { attempt, isFirstOf, limits, ThrottledError } from './throttle.ts'

/** What comes of a sign-in whose password was right, or of nothing that was. */
export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly signedIn: SignedIn; readonly device: Device }
  | { readonly kind: 'code'; readonly account: string; readonly version: number }
  | { readonly kind: 'refused' }

export const wrongPassword = 'Email address or password is not correct.'
export const wrongCode = 'Code is not correct.'

/** Addresses of the accounts of the service itself. Nobody has one. */
const ofService = /[@.]site\.invalid$/

/** An address as it was typed, in one spelling; null when it is none that somebody can have. */
export function readEmail(text: string): string | null {
  try {
    const email = normaliseEmail(text)
    return ofService.test(email) ? null : email
  } catch {
    // Said in the form's own words.
    return null
  }
}

export function emailFault(text: string): string | null {
  if (text.trim() === '') return 'Enter your email address.'
  return readEmail(text) === null ? 'Enter an email address like name@example.com.' : null
}

/** New devices told of by mail, by account: the first says what there is to do, and the mail of others does not wait for the rest. */
const newDeviceLetters = { name: 'new device letters', windowSeconds: 600 } as const

/** Tells the owner of a sign-in on a device that the account has not seen. The first one is the owner's own. */
async function tellOwner(room: AuthRoom, asker: Asker, row: CredentialRow, device: Device | null): Promise<void> {
  const isFirst = clock.now() - row.created_at.getTime() < 3_600_000
  if (isFirst || row.email_verified_at === null || isKnownDevice(device, row.public_id)) return
  if (!(await isFirstOf(room.pool, newDeviceLetters, row.public_id))) return
  await askForMail(room.pool, 'new-sign-in', row.email, { at: new Date(clock.now()).toISOString(), address: asker.address, agent: asker.agent })
}

/** Begins a session after a successful sign-in. `hasSecondFactor` is true if a code was entered for it. @throws ThrottledError */
export async function begin(room: AuthRoom, asker: Asker, row: CredentialRow, device: Device | null, hasSecondFactor = false): Promise<SignInOutcome> {
  await attempt(room.pool, [limits.signIns, row.public_id])
  const signedIn = await beginSession(room, asker, { id: Number(row.id), publicId: row.public_id, sessionVersion: row.session_version, hasSecondFactor })
  if (signedIn === null) return { kind: 'refused' }
  logSecurityEvent(room, asker, 'sign-in', row.public_id)
  await tellOwner(room, asker, row, device)
  return { kind: 'signed-in', signedIn, device: withAccount(device, row.public_id) }
}

/**
 * Returns the counters of a sign-in. A browser that the confirmed account knows has its own. Anybody can be known to an account that was never confirmed, so
 * that one counts like a stranger's; and since it counts alike whether or not another has confirmed the address, nobody can tell which it is.
 */
const countersFor = (email: string, network: string, account: string | null, device: Device | null) =>
  account !== null && device !== null && isKnownDevice(device, account) ? ([[limits.device, `${device.id} ${account}`]] as const) : strangersOf(email, network)

/** Returns a handler that records a lock-out and passes the error on. */
const lockedOut = (room: AuthRoom, asker: Asker, account: string | null) => (error: unknown) => {
  if (error instanceof ThrottledError) recordFailure(room, asker, 'sign-in.lock-out', account)
  throw error
}

/** What is counted of browsers that an account does not know: first by network, so that nobody uses up for everybody what they are refused themselves. */
export const strangersOf = (email: string, network: string) =>
  [
    [limits.strangers, `${email} ${network}`],
    [limits.address, email],
  ] as const

/**
 * Signs in with a password. Whatever the address, it reads once and checks two passwords: that of the account which confirmed the address and that of
 * the newest which did not, or of nobody. So neither the answer nor the work tells which addresses are known.
 * @throws FieldsError, ThrottledError
 */
export async function signIn(room: AuthRoom, asker: Asker, typed: { email: string; password: string }, device: Device | null): Promise<SignInOutcome> {
  refuseFaults({ email: emailFault(typed.email), password: typed.password === '' ? 'Enter your password.' : null })
  const email = readEmail(typed.email) ?? ''
  const { confirmed, provisional } = await readCandidates(room.pool, email)
  // An account that nobody confirmed may be a stranger's, who must not read from where the owner of the address tries to sign in.
  const account = confirmed?.public_id ?? null
  const network = networkOf(asker.address)
  const counted = countersFor(email, network, account, device)
  const { forgive } = await attempt(room.pool, [limits.network, network], ...counted).catch(lockedOut(room, asker, account))
  const [isConfirmed, isProvisional] = await Promise.all([
    isPassword(confirmed?.password_hash ?? null, typed.password),
    isPassword(provisional?.password_hash ?? null, typed.password),
  ])
  const row = isConfirmed ? confirmed : isProvisional ? provisional : undefined
  if (!row) {
    recordFailure(room, asker, 'sign-in.fail', account)
    return { kind: 'refused' }
  }
  await forgive()
  if (row.has_second_factor) return { kind: 'code', account: row.public_id, version: row.session_version }
  return begin(room, asker, row, device)
}

/**
 * The second step: the code of the app, or a recovery code. A change of the password in between ends the attempt.
 * @throws FieldsError, ThrottledError
 */
export async function signInWithCode(
  room: AuthRoom,
  asker: Asker,
  first: { account: string; version: number },
  code: string,
  device: Device | null,
): Promise<SignInOutcome> {
  refuseFaults({ code: code.trim() === '' ? 'Enter the code from your app.' : null })
  const row = await readCredentialsOf(room.pool, first.account)
  if (!row || row.session_version !== first.version) return { kind: 'refused' }
  const { forgive } = await attempt(room.pool, [limits.code, row.public_id]).catch(lockedOut(room, asker, row.public_id))
  if (!(await takeCode(room, Number(row.id), code))) {
    recordFailure(room, asker, 'sign-in.fail', row.public_id)
    refuseFaults({ code: wrongCode })
    return { kind: 'refused' }
  }
  await forgive()
  return begin(room, asker, row, device, true)
}
