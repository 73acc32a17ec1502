import { currentLicence, holdWallet, newAccount } from '#server/accounts/accounts.ts'
import { writeAudit } from '#server/accounts/audit.ts'
import { emailFault, readEmail } from '#server/accounts/email-address.ts'
import { hashPassword, passwordFault } from '#server/accounts/password.ts'
import { attempt, limits } from '#server/accounts/throttle.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import type { Asker, AuthContext, ProviderProfile } from '#server/auth/auth-context.ts'
import { type Device, withAccount } from '#server/auth/cookies.ts'
import { insertIdentity, readAccountCredentials } from '#server/auth/credentials.ts'
import { beginSession, type LinkedIdentity } from '#server/auth/sessions.ts'
import { getSignInKey, type SignInOutcome } from '#server/auth/sign-in.ts'
import { accountActor, type Viewer } from '#server/auth/viewer.ts'
import { addStarterCredits } from '#server/billing/ledger.ts'
import { clock } from '#server/clock.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { getNetwork, getSite } from '#server/keys/address-list.ts'
import { closeUnconfirmedDuplicates, lockContenders } from './close-account.ts'

export { currentLicence }

/** Accepts a licence version and makes every process reload the account. Returns false if a newer version has been published, which the user has not seen. */
export async function writeAcceptance(tx: Transaction, accountId: number, label: string): Promise<boolean> {
  // The wallet is always locked first, to avoid deadlocks.
  await holdWallet(tx, accountId)
  if ((await currentLicence(tx)).label !== label) return false
  await tx.account.update({ where: { id: accountId }, data: { acceptedLicence: label }, select: { id: true } })
  await tx.wallet.update({ where: { accountId }, data: { version: { increment: 1 } }, select: { accountId: true } })
  return true
}

const outdatedLicence = 'A newer version of the Data Licence has been published. Reload the page to read it.'

/** Returns the licence version accepted at sign-up: the one that was shown. @throws FieldsError if a newer version has been published since */
export async function acceptedLicence(deps: Pick<AuthContext, 'pool'>, shown: string): Promise<string> {
  const { label } = await currentLicence(deps.pool)
  refuseFaults({ licence: shown === label ? null : outdatedLicence })
  return label
}

/**
 * Accepts the licence version that was shown, which must be the latest. Calls work again immediately. Idempotent.
 * @throws FieldsError if a newer version has been published
 */
export async function acceptLicence(deps: AuthContext, asker: Asker, viewer: Viewer, label: string): Promise<{ label: string }> {
  if (viewer.licenceDue === null && label === (await currentLicence(deps.pool)).label) return { label }
  await inTransaction(deps.pool, async (client) => {
    refuseFaults({ form: (await writeAcceptance(client, viewer.accountId, label)) ? null : outdatedLicence })
    await writeAudit(client, { ...accountActor(viewer, asker), accountId: viewer.accountId, action: 'licence.accept', after: { label } })
  })
  return { label }
}

export type SignUp = {
  readonly email: string
  readonly password: string
  readonly acceptsLicence: boolean
  /** The version of the Data Licence that the page showed. */
  readonly licence: string
}

/** A sign-up awaiting confirmation. */
export type PendingSignUp = { readonly account: string; readonly email: string }

export const licenceFault = 'Accept the Data Licence to continue.'

/**
 * Signs up. Every sign-up creates a separate account, whether or not the address is registered: only the owner of the mailbox learns the difference. An
 * unconfirmed account has no rights, not even a claim to its address. @throws FieldsError, ThrottledError
 */
export async function signUp(deps: AuthContext, asker: Asker, typed: SignUp): Promise<PendingSignUp> {
  const email = readEmail(typed.email) ?? ''
  refuseFaults({
    email: emailFault(typed.email),
    password: passwordFault(typed.password, { email }),
    licence: typed.acceptsLicence ? null : licenceFault,
  })
  await attempt(deps.pool, [limits.signUp, getNetwork(asker.address)], [limits.emailsOfSite, getSite(asker.address)])
  const licence = await acceptedLicence(deps, typed.licence)
  const passwordHash = await hashPassword(typed.password)
  return inTransaction(deps.pool, async (client) => {
    const account = await newAccount(client, { email, passwordHash, emailVerifiedAt: null, acceptedLicence: licence })
    if (account === null) throw new Error("Unreachable: an unconfirmed account can't conflict with another.")
    await writeAudit(client, {
      accountId: account.id,
      actor: 'account',
      action: 'sign-up',
      after: { method: 'password', licence },
      address: asker.address,
    })
    await enqueueEmail(client, 'sign-up', email, { accountId: account.id })
    return { account: account.publicId, email }
  })
}

/** Resends an account's confirmation email. The result doesn't reveal whether one was sent. @throws ThrottledError within 30 seconds of the last one. */
export async function sendConfirmationAgain(deps: AuthContext, accountPublicId: string): Promise<void> {
  await attempt(deps.pool, [limits.resend, accountPublicId])
  const row = await readAccountCredentials(deps.pool, accountPublicId)
  if (row && row.emailVerifiedAt === null) await enqueueEmail(deps.pool, 'sign-up', row.email, { accountId: row.id })
}

export type ProviderSignedUp = { readonly accountId: number; readonly account: string; readonly isConfirmed: boolean; readonly outcome: SignInOutcome }

/** Connects the identity of a new account, and returns false if it is already connected. */
export type ConnectIdentity = (tx: Transaction, account: { readonly id: number; readonly publicId: string }) => Promise<boolean>

type NewSignIn = { readonly profile: ProviderProfile; readonly email: string; readonly licence: string; readonly connect: ConnectIdentity }

/** Creates the account. Returns null if the address is taken. @throws TakenIdentity */
async function createAccount(client: Transaction, asker: Asker, { profile: { issuer, isEmailVerified }, email, licence, connect }: NewSignIn) {
  // Lock before inserting: a concurrent confirmation of the same address would otherwise deadlock.
  const held = isEmailVerified ? await lockContenders(client, [], email) : []
  const emailVerifiedAt = isEmailVerified ? new Date(clock.now()) : null
  const account = await newAccount(client, { email, passwordHash: null, emailVerifiedAt, acceptedLicence: licence })
  if (account === null) return null
  if (!(await connect(client, account))) throw new TakenIdentity()
  await writeAudit(client, { accountId: account.id, actor: 'account', action: 'sign-up', after: { method: issuer, licence }, address: asker.address })
  if (isEmailVerified) {
    await addStarterCredits(client, account.id)
    await closeUnconfirmedDuplicates(client, account.id, email, held)
  } else await enqueueEmail(client, 'sign-up', email, { accountId: account.id })
  return account
}

/**
 * Creates an account for a user verified by a provider. The email counts as confirmed only if the provider verified it. `organisation` is set if the provider
 * belongs to an account. Returns null if the email or the identity has been taken in the meantime. @throws FieldsError, ThrottledError
 */
export async function signUpWithProvider(
  deps: AuthContext,
  asker: Asker,
  profile: ProviderProfile,
  accepted: { readonly acceptsLicence: boolean; readonly licence: string },
  device: Device | null,
  organisation?: { readonly through: LinkedIdentity; readonly connect: ConnectIdentity },
): Promise<ProviderSignedUp | null> {
  refuseFaults({ licence: accepted.acceptsLicence ? null : licenceFault })
  await attempt(deps.pool, [limits.signUp, getNetwork(asker.address)], [limits.emailsOfSite, getSite(asker.address)])
  const email = readEmail(profile.email)
  if (email === null) return null
  const licence = await acceptedLicence(deps, accepted.licence)
  const connect: ConnectIdentity = organisation?.connect ?? ((tx, { id }) => insertIdentity(tx, profile.issuer, profile.subject, id))
  const made = await inTransaction(deps.pool, (client) => createAccount(client, asker, { profile, email, licence, connect })).catch((error: unknown) => {
    if (error instanceof TakenIdentity) return null
    throw error
  })
  if (made === null) return null
  const through = organisation?.through ?? null
  const signedIn = await beginSession(deps, asker, { id: made.id, publicId: made.publicId, sessionVersion: 1, through })
  if (signedIn === null) return null
  const outcome = { kind: 'signed-in', signedIn, device: withAccount(device, getSignInKey(made.publicId, through?.organisationId ?? null)) } as const
  return { accountId: made.id, account: made.publicId, isConfirmed: profile.isEmailVerified, outcome }
}

/** Thrown if the identity was connected concurrently, for example by a double click. */
class TakenIdentity extends Error {}
