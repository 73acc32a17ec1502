import type { Pool, PoolClient } from 'pg'
import { clock } from '../clock.ts'
import { dataLicence } from '../contract/envelope.ts'
import { RefusedError, refuse } from '../contract/errors.ts'
import { limitsOf, type Plan } from '../contract/plans.ts'
import { newPublicId } from '../ids.ts'
import { AccountError } from './account-error.ts'
import {
  type AccountRow,
  acceptForService,
  findAccount,
  findAccountById,
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

/** One spelling of an e-mail address: trimmed and in lower case. @throws AccountError when it is none. */
export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) throw new AccountError(`"${text.slice(0, 60)}" is not an e-mail address.`)
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

/** @throws AccountError when there is no account with this e-mail. */
export async function accountByEmail(pool: Pool, text: string): Promise<{ id: number; publicId: string }> {
  const email = normaliseEmail(text)
  const account = await findAccount(pool, email)
  if (!account) throw new AccountError(`There is no account with the e-mail ${email}.`)
  return account
}

/** The account with a public id, closed ones among them. @throws RefusedError not_found */
export async function accountById(pool: Pool, publicId: string): Promise<number> {
  const id = await findAccountById(pool, publicId)
  if (id === null) throw new RefusedError(refuse('not_found', {}, 'There is no such account.'))
  return id
}

/** @throws AccountError when there is no account with this e-mail. */
async function held(client: PoolClient, email: string): Promise<AccountRow> {
  const found = await findAccount(client, email)
  const account = found && (await lockAccount(client, found.id))
  if (!account) throw new AccountError(`There is no account with the e-mail ${email}.`)
  return account
}

/** Holds an account and its wallet until the transaction ends. Returns its id. @throws AccountError when there is none with this e-mail. */
export async function holdAccount(client: PoolClient, text: string): Promise<number> {
  return Number((await held(client, normaliseEmail(text))).id)
}

/** Gives an account a new password; the old one no longer works. It comes as its hash, which takes longer to make than anybody may hold an account. */
export const setPasswordHash = writePasswordHash

const operator: Actor = { actor: 'operator' }

/** What the operator's command changes about the account of an e-mail; what is so already is left as it is. @throws AccountError when there is none. */
async function change(pool: Pool, text: string, decide: Decide): Promise<void> {
  const email = normaliseEmail(text)
  await changeAccount(pool, operator, (client) => held(client, email), decide)
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
