import { holdWallet, newAccount } from '#server/accounts/accounts.ts'
import { writeAudit } from '#server/accounts/audit.ts'
import { hashPassword, passwordFault } from '#server/accounts/password.ts'
import { scopeNames } from '#server/api/contract/access.ts'
import { dataLicence } from '#server/api/contract/envelope.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { readAccountCredentials } from '#server/auth/credentials.ts'
import { emailFault, readEmail } from '#server/auth/sign-in.ts'
import { attempt, limits } from '#server/auth/throttle.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { clock } from '#server/clock.ts'
import type { Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { getNetwork, getSite } from '#server/keys/address-list.ts'
import { createFirstKey } from '#server/keys/manage-own-keys.ts'

type Licence = { readonly label: string; readonly graceEndsAt: Date; readonly changes: string }

/** Returns the version of the Data Licence to accept. */
export async function currentLicence({ pool }: { readonly pool: Db }): Promise<Licence> {
  const where = { publishedAt: { lte: new Date(clock.now()) } }
  const select = { label: true, graceEndsAt: true, changes: true } as const
  const licence = await pool.licenceVersion.findFirst({ where, orderBy: { publishedAt: 'desc' }, select })
  return licence ?? { label: dataLicence, graceEndsAt: new Date(0), changes: '' }
}

/** Accepts a licence version and makes every process reload the account. Returns false if a newer version has been published, which the user has not seen. */
export async function writeAcceptance(tx: Transaction, accountId: number, label: string): Promise<boolean> {
  // The wallet is locked first, as in all other code.
  await holdWallet(tx, accountId)
  if ((await currentLicence({ pool: tx })).label !== label) return false
  const data = { acceptedLicence: label, wallet: { update: { version: { increment: 1 } } } }
  await tx.account.update({ where: { id: accountId }, data, select: { id: true } })
  return true
}

const outdatedLicence = 'A newer version of the Data Licence has been published. Reload the page to read it.'

/** Returns the licence version accepted at sign-up: the one that was shown. @throws FieldsError if a newer version has been published since */
export async function acceptedLicence(deps: Pick<AuthContext, 'pool'>, shown: string): Promise<string> {
  const { label } = await currentLicence(deps)
  refuseFaults({ licence: shown === label ? null : outdatedLicence })
  return label
}

/**
 * Accepts the licence version that was shown, which must be the latest. Calls work again immediately. Idempotent.
 * @throws FieldsError if a newer version has been published
 */
export async function acceptLicence(deps: AuthContext, asker: Asker, viewer: Viewer, label: string): Promise<{ label: string }> {
  if (viewer.licenceDue === null && label === (await currentLicence(deps)).label) return { label }
  await inTransaction(deps.pool, async (client) => {
    refuseFaults({ form: (await writeAcceptance(client, viewer.accountId, label)) ? null : outdatedLicence })
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'licence.accept', after: { label }, address: asker.address })
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

/** Creates an account's first test key. Returns null if it already has keys. */
export async function makeFirstKey(deps: AuthContext, asker: Asker, accountId: number): Promise<string | null> {
  const made = await createFirstKey(deps.pool, { accountId, isConfirmed: true, address: asker.address }, scopeNames)
  return made?.key ?? null
}
