import { newAccount } from '#server/accounts/accounts.ts'
import { writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import type { Asker, AuthContext, ProviderProfile } from '#server/auth/auth-context.ts'
import { type Device, withAccount } from '#server/auth/cookies.ts'
import { insertIdentity } from '#server/auth/credentials.ts'
import { beginSession } from '#server/auth/sessions.ts'
import { readEmail, type SignInOutcome } from '#server/auth/sign-in.ts'
import { attempt, limits } from '#server/auth/throttle.ts'
import { addStarterCredits } from '#server/billing/ledger.ts'
import { clock } from '#server/clock.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { getNetwork, getSite } from '#server/keys/address-list.ts'
import { closeUnconfirmedDuplicates, lockContenders } from './close-account.ts'
import { acceptedLicence, licenceFault } from './sign-up.ts'

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
  await attempt(deps.pool, [limits.signUp, getNetwork(asker.address)], [limits.emailsOfSite, getSite(asker.address)])
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
