import type { Pool, PoolClient } from 'pg'
import { dataLicence } from '#server/api/contract/envelope.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { limitsOf, type Plan } from '#server/api/contract/plans.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import { AccountError } from './account-error.ts'
import {
  type AccountRow,
  acceptForService,
  findAccountById,
  findAccounts,
  findOpenAccount,
  findServiceAccount,
  holdServiceAccounts,
  insertAccount,
  lockAccount,
  readAdministrators,
  readNewestLicence,
} from './accounts.store.ts'
import type { Actor } from './audit.store.ts'
import { approval, blocking, changeAccount, type Decide, type OwnLimits, onPlan, unblocking, withLimits } from './change-account.ts'
import { writePasswordHash } from './password.store.ts'
import { hashPassword, passwordLengthFault } from './password.ts'

export type AccountRequest = { email: string; password: string | null; plan: Plan; isAdmin: boolean; isApproved: boolean; isVerified: boolean }

/** An email address without the characters that separate, name or quote addresses: several accounts must not lead to one inbox by different spellings. */
const emailForm = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u

/** One spelling of an e-mail address: trimmed and in lower case. @throws AccountError when it is none. */
export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (!emailForm.test(email) || email.length > 254) throw new AccountError(`"${text.slice(0, 60)}" is not an e-mail address.`)
  return email
}

/** Addresses of the administrators: who is told of what the operator has to know. */
export const administratorEmails = readAdministrators

/** Has the accounts of the service itself accept a version of the Data Licence, as nobody can do it for them. */
export const acceptLicenceForService = acceptForService

/** What an operator sets is only measured: whether it is a common one is for the operator to judge. */
async function hashGiven(password: string): Promise<string> {
  const fault = passwordLengthFault(password)
  if (fault !== null) throw new AccountError(fault)
  return hashPassword(password)
}

/** Makes an account that has accepted the Data Licence. @throws AccountError when the e-mail is taken or the password too short. */
export async function createAccount(client: PoolClient, request: AccountRequest): Promise<{ id: number; publicId: string; email: string }> {
  const email = normaliseEmail(request.email)
  const publicId = newPublicId('acc')
  const id = await insertAccount(client, {
    publicId,
    email,
    passwordHash: request.password === null ? null : await hashGiven(request.password),
    plan: request.plan,
    role: request.isAdmin ? 'admin' : 'member',
    state: request.isApproved ? 'open' : 'review',
    emailVerifiedAt: request.isVerified ? new Date(clock.now()) : null,
    acceptedLicence: (await readNewestLicence(client)) ?? dataLicence,
    limits: limitsOf(request.plan, { perMinute: null, perDay: null }),
  })
  if (id === null) throw new AccountError(`There is already an account with the e-mail ${email}.`)
  return { id, publicId, email }
}

const mostNamed = 5

/**
 * The account that an operator means by an e-mail or by a public id. Of several that signed up with an address which none of them confirmed, whoever came last
 * may be a stranger: such a one is meant by its id alone.
 */
async function named(db: Pool | PoolClient, text: string): Promise<{ id: number; publicId: string }> {
  if (/^\s*acc_/.test(text)) {
    const account = await findOpenAccount(db, text.trim())
    if (!account) throw new AccountError(`There is no account with the id ${text.trim().slice(0, 60)}.`)
    return account
  }
  const email = normaliseEmail(text)
  const [first, ...others] = await findAccounts(db, email, mostNamed + 1)
  if (!first) throw new AccountError(`There is no account with the e-mail ${email}.`)
  if (first.isConfirmed || others.length === 0) return first
  const ids = [first, ...others].slice(0, mostNamed).map(({ publicId }) => publicId)
  const more = others.length < mostNamed ? '' : ' and more'
  throw new AccountError(
    `Several accounts signed up with ${email} and none has confirmed it: ${ids.join(', ')}${more}. Give the id of one in place of the e-mail.`,
  )
}

/** @throws AccountError when there is no account with this e-mail or id, or no telling which is meant. */
export const accountByEmail = (pool: Pool, text: string): Promise<{ id: number; publicId: string }> => named(pool, text)

/** True if an open account has this email. */
export const hasAccount = async (pool: Pool, email: string): Promise<boolean> => (await findAccounts(pool, email, 1)).length > 0

/** An account of the service itself, by its address, which nobody can sign in to. It is made when there is none, once, however many processes ask at once. */
export async function serviceAccount(pool: Pool, email: string): Promise<number> {
  const known = await findServiceAccount(pool, email)
  if (known !== null) return known
  return inTransaction(pool, async (client) => {
    await holdServiceAccounts(client)
    const request = { email, password: null, plan: 'hobby', isAdmin: false, isApproved: false, isVerified: false } as const
    return (await findServiceAccount(client, email)) ?? (await createAccount(client, request)).id
  })
}

/** The account with a public id, closed ones among them. @throws RefusedError not_found */
export async function accountById(pool: Pool, publicId: string): Promise<number> {
  const id = await findAccountById(pool, publicId)
  if (id === null) throw new RefusedError(refuse('not_found', {}, 'There is no such account.'))
  return id
}

/** @throws AccountError when there is no account with this e-mail or id, or no telling which is meant. */
async function held(client: PoolClient, text: string): Promise<AccountRow> {
  const account = await lockAccount(client, (await named(client, text)).id)
  if (!account) throw new AccountError(`The account ${text.trim().slice(0, 60)} has just been closed.`)
  return account
}

/** Holds an account and its wallet until the transaction ends. Returns its id. @throws AccountError when there is none with this e-mail or id. */
export async function holdAccount(client: PoolClient, text: string): Promise<number> {
  return Number((await held(client, text)).id)
}

/** Gives an account a new password; the old one no longer works. It comes as its hash, which takes longer to make than anybody may hold an account. */
export const setPasswordHash = writePasswordHash

const operator: Actor = { actor: 'operator' }

/** What the operator's command changes about the account of an e-mail or id; what is so already is left as it is. @throws AccountError when there is none. */
async function change(pool: Pool, text: string, decide: Decide): Promise<void> {
  await changeAccount(pool, operator, (client) => held(client, text), decide)
}

/** Lets the live keys of an account work. @throws AccountError when the account is blocked: a block is taken back on its own. */
export const approveAccount = (pool: Pool, email: string) => change(pool, email, approval)

/** Refuses every key of an account from the next call on. The reason, if given, is shown to the caller. */
export const blockAccount = (pool: Pool, email: string, reason: string | null) => change(pool, email, blocking(reason, null))

/** Takes a block back; an account that was waiting for its review waits again. */
export const unblockAccount = (pool: Pool, email: string) => change(pool, email, unblocking)

export const changePlan = (pool: Pool, email: string, plan: Plan) => change(pool, email, onPlan(plan))

/** Gives an account limits of its own; null goes back to the plan's. */
export const changeLimits = (pool: Pool, email: string, own: Partial<OwnLimits>) => change(pool, email, withLimits(own))
