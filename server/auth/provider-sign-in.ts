import { newAccount } from '#server/accounts/accounts.ts'
import { writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { addStarterCredits } from '#server/billing/ledger.ts'
import { clock } from '#server/clock.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import type { Asker, AuthContext, ProviderProfile } from './auth-context.ts'
import { closeUnconfirmedDuplicates } from './close-account.ts'
import { type Device, withAccount } from './cookies.ts'
import { findIdentity, insertIdentity, lockContenders, readAccountCredentials, readCandidates } from './credentials.ts'
import { connectProvider } from './providers.ts'
import { beginSession } from './sessions.ts'
import { begin, readEmail, type SignInOutcome } from './sign-in.ts'
import { acceptedLicence, licenceFault } from './sign-up.ts'
import { attempt, limits } from './throttle.ts'
import type { Viewer } from './viewer.ts'

export type ProviderOutcome =
  | SignInOutcome
  /** Unknown identity: sign-up continues on our page, where the user accepts the licence. */
  | { readonly kind: 'new' }
  | { readonly kind: 'connected' }
  /** A user is signed in but did not ask to connect this identity. */
  | { readonly kind: 'not-connected' }
  /** Another account has this address and has not connected this identity. */
  | { readonly kind: 'email-taken' }
  | { readonly kind: 'no-email' }

async function signInKnown(deps: AuthContext, asker: Asker, account: string, device: Device | null): Promise<ProviderOutcome> {
  const row = await readAccountCredentials(deps.pool, account)
  if (!row) return { kind: 'refused' }
  if (row.hasSecondFactor) return { kind: 'code', account, version: row.sessionVersion }
  return begin(deps, asker, row, device)
}

/** Browser that returns from a provider. */
export type ProviderBrowser = {
  readonly viewer: Viewer | null
  readonly device: Device | null
  /** True if the user has just entered their password to connect a provider. */
  readonly mayConnect: boolean
}

/**
 * Handles a verified identity: signs in to the account it is connected to; connects it if the signed-in user asked for that; otherwise continues to sign-up. An
 * address that another account has confirmed is never handed over.
 */
export async function signInWithProvider(
  deps: AuthContext,
  asker: Asker,
  profile: ProviderProfile,
  { viewer, device, mayConnect }: ProviderBrowser,
): Promise<ProviderOutcome> {
  const account = await findIdentity(deps.pool, profile.issuer, profile.subject)
  if (account !== null) return signInKnown(deps, asker, account, device)
  if (viewer !== null) return { kind: mayConnect && (await connectProvider(deps, asker, viewer, profile)) ? 'connected' : 'not-connected' }
  const email = readEmail(profile.email)
  if (email === null) return { kind: 'no-email' }
  const { confirmed } = profile.isEmailVerified ? await readCandidates(deps.pool, email) : { confirmed: undefined }
  return { kind: confirmed ? 'email-taken' : 'new' }
}

export type ProviderSignedUp = { readonly accountId: number; readonly account: string; readonly isConfirmed: boolean; readonly outcome: SignInOutcome }

/** Creates the account. Returns null if the address is taken. @throws TakenIdentity */
async function createAccount(client: Transaction, asker: Asker, { issuer, subject, isEmailVerified }: ProviderProfile, email: string, licence: string) {
  // Lock before inserting: a concurrent confirmation of the same address would otherwise deadlock.
  const held = isEmailVerified ? await lockContenders(client, [], email) : []
  const emailVerifiedAt = isEmailVerified ? new Date(clock.now()) : null
  const account = await newAccount(client, { email, passwordHash: null, emailVerifiedAt, acceptedLicence: licence })
  if (account === null) return null
  if (!(await insertIdentity(client, issuer, subject, account.id))) throw new TakenIdentity()
  await writeAudit(client, { accountId: account.id, actor: 'account', action: 'sign-up', after: { method: issuer, licence }, address: asker.address })
  if (isEmailVerified) {
    await addStarterCredits(client, account.id)
    await closeUnconfirmedDuplicates(client, account.id, email, held)
  } else await enqueueEmail(client, 'sign-up', email, { accountId: account.id })
  return account
}

/**
 * Creates an account for a user verified by a provider. The email counts as confirmed only if the provider verified it. Returns null if the email or the
 * identity was taken meanwhile. @throws FieldsError, ThrottledError
 */
export async function signUpWithProvider(
  deps: AuthContext,
  asker: Asker,
  profile: ProviderProfile,
  accepted: { readonly acceptsLicence: boolean; readonly licence: string },
  device: Device | null,
): Promise<ProviderSignedUp | null> {
  refuseFaults({ licence: accepted.acceptsLicence ? null : licenceFault })
  await attempt(deps.pool, [limits.signUp, getNetwork(asker.address)])
  const email = readEmail(profile.email)
  if (email === null) return null
  const licence = await acceptedLicence(deps, accepted.licence)
  const made = await inTransaction(deps.pool, (client) => createAccount(client, asker, profile, email, licence)).catch((error: unknown) => {
    if (error instanceof TakenIdentity) return null
    throw error
  })
  if (made === null) return null
  const signedIn = await beginSession(deps, asker, { id: made.id, publicId: made.publicId, sessionVersion: 1 })
  if (signedIn === null) return null
  const outcome = { kind: 'signed-in', signedIn, device: withAccount(device, made.publicId) } as const
  return { accountId: made.id, account: made.publicId, isConfirmed: profile.isEmailVerified, outcome }
}

/** The identity was connected concurrently, for example by a double click. */
class TakenIdentity extends Error {}
