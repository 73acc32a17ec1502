import { writeAudit } from '#server/accounts/audit.ts'
import { newAccount } from '#server/accounts/new-account.ts'
import { hashPassword, passwordFault } from '#server/accounts/password.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { readAccountCredentials } from './credentials.store.ts'
import { acceptedLicence } from './licence.ts'
import { emailFault, readEmail } from './sign-in.ts'
import { attempt, limits } from './throttle.ts'

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
 * unconfirmed account has no rights, not even to its address.
 * @throws FieldsError, ThrottledError
 */
export async function signUp(deps: AuthContext, asker: Asker, typed: SignUp): Promise<PendingSignUp> {
  const email = readEmail(typed.email) ?? ''
  refuseFaults({
    email: emailFault(typed.email),
    password: passwordFault(typed.password, { email }),
    licence: typed.acceptsLicence ? null : licenceFault,
  })
  await attempt(deps.pool, [limits.signUp, getNetwork(asker.address)])
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
  if (row && row.email_verified_at === null) await enqueueEmail(deps.pool, 'sign-up', row.email, { accountId: Number(row.id) })
}

/**
 * Resends the signed-in user's confirmation email. `isSent` is false if the email is already confirmed. @throws ThrottledError within 30 seconds of the last
 * one.
 */
export async function sendOwnConfirmation(
  deps: AuthContext,
  { publicId, isConfirmed }: { publicId: string; isConfirmed: boolean },
): Promise<{ isSent: boolean }> {
  if (!isConfirmed) await sendConfirmationAgain(deps, publicId)
  return { isSent: !isConfirmed }
}
