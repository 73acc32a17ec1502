import { getLimits, type Plan } from '#server/api/contract/access.ts'
import { dataLicence } from '#server/api/contract/envelope.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { clock } from '#server/clock.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import {
  type AccountRow,
  acceptForService,
  findAccountById,
  findAccounts,
  findOpenAccount,
  findServiceAccount,
  insertAccount,
  lockAccount,
  lockServiceAccounts,
  lockWallets,
  readAdministrators,
  readNewestLicence,
  writePasswordHash,
} from './accounts.store.ts'
import type { Actor } from './audit.store.ts'
import { AccountError, approval, blocking, changeAccount, type Decide, type OwnLimits, onPlan, unblocking, withLimits } from './change-account.ts'
import { hashPassword, passwordLengthFault } from './password.ts'

export type AccountRequest = { email: string; password: string | null; plan: Plan; isAdmin: boolean; isApproved: boolean; isVerified: boolean }

/** Rejects the characters that separate, label or quote addresses, so that different spellings of one address can't be used for several accounts. */
const emailForm = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u

/** Trims and lowercases an email. @throws AccountError if it is not an email address. */
export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (!emailForm.test(email) || email.length > 254) throw new AccountError(`"${text.slice(0, 60)}" is not an email address.`)
  return email
}

/** Returns the email addresses of the administrators, who receive operational notices. */
export const administratorEmails = readAdministrators

/** Accepts a Data Licence version on behalf of the service's own accounts, because no one signs in to them. */
export const acceptLicenceForService = acceptForService

/** Hashes a password that an operator has set. Its length is checked; common passwords are allowed. @throws AccountError if its length is wrong. */
async function hashOperatorPassword(password: string): Promise<string> {
  const fault = passwordLengthFault(password)
  if (fault !== null) throw new AccountError(fault)
  return hashPassword(password)
}

/** Creates an account that has accepted the Data Licence. @throws AccountError if the email is taken or the password is too short. */
export async function createAccount(client: Transaction, request: AccountRequest): Promise<{ id: number; publicId: string; email: string }> {
  const email = normaliseEmail(request.email)
  const publicId = newPublicId('acc')
  const id = await insertAccount(client, {
    publicId,
    email,
    passwordHash: request.password === null ? null : await hashOperatorPassword(request.password),
    plan: request.plan,
    role: request.isAdmin ? 'admin' : 'member',
    state: request.isApproved ? 'open' : 'review',
    emailVerifiedAt: request.isVerified ? new Date(clock.now()) : null,
    acceptedLicence: (await readNewestLicence(client)) ?? dataLicence,
    limits: getLimits(request.plan, { perMinute: null, perDay: null }),
  })
  if (id === null) throw new AccountError(`There is already an account with the email ${email}.`)
  return { id, publicId, email }
}

const maxListed = 5

/**
 * Finds an account by email or public id. If several accounts have this email and none has confirmed it, any of them might belong to someone else, so the id is
 * required.
 */
async function resolveAccount(db: Db, text: string): Promise<{ id: number; publicId: string }> {
  if (/^\s*acc_/.test(text)) {
    const account = await findOpenAccount(db, text.trim())
    if (!account) throw new AccountError(`There is no account with the id ${text.trim().slice(0, 60)}.`)
    return account
  }
  const email = normaliseEmail(text)
  const [first, ...others] = await findAccounts(db, email, maxListed + 1)
  if (!first) throw new AccountError(`There is no account with the email ${email}.`)
  if (first.isConfirmed || others.length === 0) return first
  const ids = [first, ...others].slice(0, maxListed).map(({ publicId }) => publicId)
  const more = others.length < maxListed ? '' : ' and more'
  throw new AccountError(`Several accounts signed up with ${email} and none has confirmed it: ${ids.join(', ')}${more}. Use one of these ids instead.`)
}

/** Finds an account by email or public id. @throws AccountError if there is none, or the email is ambiguous. */
export const accountByEmail = (pool: Database, text: string): Promise<{ id: number; publicId: string }> => resolveAccount(pool, text)

/** Returns true if an open account has this email. */
export const hasAccount = async (pool: Database, email: string): Promise<boolean> => (await findAccounts(pool, email, 1)).length > 0

/** Returns the service's own account with this email, which no one can sign in to. Creates it if needed; safe to call concurrently. */
export async function serviceAccount(pool: Database, email: string): Promise<number> {
  const known = await findServiceAccount(pool, email)
  if (known !== null) return known
  return inTransaction(pool, async (client) => {
    await lockServiceAccounts(client)
    const request = { email, password: null, plan: 'hobby', isAdmin: false, isApproved: false, isVerified: false } as const
    return (await findServiceAccount(client, email)) ?? (await createAccount(client, request)).id
  })
}

/** Returns the internal id of an account, open or closed. @throws RefusedError not_found */
export async function accountById(pool: Database, publicId: string): Promise<number> {
  const id = await findAccountById(pool, publicId)
  if (id === null) throw new RefusedError(refuse('not_found', {}, 'Account not found.'))
  return id
}

/** Finds an account by email or public id and locks it. @throws AccountError if there is none, or the email is ambiguous. */
async function lockResolved(client: Transaction, text: string): Promise<AccountRow> {
  const account = await lockAccount(client, (await resolveAccount(client, text)).id)
  if (!account) throw new AccountError(`Account ${text.trim().slice(0, 60)} has just been closed.`)
  return account
}

/** Locks an account and its wallet until the transaction ends and returns its id. @throws AccountError if there is none with this email or id. */
export async function holdAccount(client: Transaction, text: string): Promise<number> {
  return Number((await lockResolved(client, text)).id)
}

/** Replaces an account's password hash. The caller computes the hash beforehand, because hashing is too slow to do while the account is locked. */
export const setPasswordHash = writePasswordHash

const operator: Actor = { actor: 'operator' }

/** Applies an operator's change to an account. Does nothing if no change is needed. @throws AccountError if there is none or the change is not allowed. */
async function change(pool: Database, text: string, decide: Decide): Promise<void> {
  await changeAccount(pool, operator, (client) => lockResolved(client, text), decide)
}

/** Approves an account, so that its live keys work. @throws AccountError if the account is blocked. */
export const approveAccount = (pool: Database, email: string) => change(pool, email, approval)

/** Blocks an account: all its keys are rejected from the next call. The reason, if given, is shown to callers. */
export const blockAccount = (pool: Database, email: string, reason: string | null) => change(pool, email, blocking(reason, null))

/** Unblocks an account. An account that was in review returns to review. */
export const unblockAccount = (pool: Database, email: string) => change(pool, email, unblocking)

export const changePlan = (pool: Database, email: string, plan: Plan) => change(pool, email, onPlan(plan))

/** Sets custom limits for an account; null restores the plan's limit. */
export const changeLimits = (pool: Database, email: string, own: Partial<OwnLimits>) => change(pool, email, withLimits(own))

type SignUpRequest = {
  readonly email: string
  /** Null if the account signs in through an identity provider only. */
  readonly passwordHash: string | null
  /** Time at which a provider verified the address; null if it still has to be confirmed. */
  readonly emailVerifiedAt: Date | null
  readonly acceptedLicence: string
}

/**
 * Creates an account for a sign-up: on the smallest plan, in review, without credits. Returns null if `emailVerifiedAt` is set and another confirmed account
 * has the email.
 */
export async function newAccount(client: Transaction, request: SignUpRequest): Promise<{ id: number; publicId: string } | null> {
  const publicId = newPublicId('acc')
  const plan = 'hobby'
  const id = await insertAccount(client, {
    ...request,
    publicId,
    plan,
    role: 'member',
    state: 'review',
    limits: getLimits(plan, { perMinute: null, perDay: null }),
  })
  return id === null ? null : { id, publicId }
}

/**
 * Blocks charges to an account until the transaction ends. A transaction that changes several rows of an account must take this lock first, before the lock on
 * the account. To lock several wallets, use `holdWallets`. The account's API calls wait meanwhile, so do slow work beforehand.
 */
export const holdWallet = (client: Transaction, accountId: number): Promise<void> => lockWallets(client, [accountId])

/** Locks several wallets, in id order. */
export const holdWallets = lockWallets
