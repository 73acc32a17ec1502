import type { Pool, PoolClient } from 'pg'
import { clock } from '../clock.ts'
import { dataLicence } from '../contract/envelope.ts'
import { RefusedError, refuse } from '../contract/errors.ts'
import { limitsOf, type Plan } from '../contract/plans.ts'
import { inTransaction } from '../db/transaction.ts'
import { newPublicId } from '../ids.ts'
import {
  type AccountRow,
  askForApprovalMail,
  findAccount,
  findAccountById,
  insertAccount,
  lockAccount,
  readAdministrators,
  updateAccount,
} from './accounts.store.ts'
import { insertAudit } from './audit.store.ts'
import { writePasswordHash } from './password.store.ts'
import { hashPassword, passwordLengthFault } from './password.ts'

/** An account cannot be made or changed as asked; the message says what to do. */
export class AccountError extends Error {
  override name = 'AccountError'
}

export type AccountRequest = { email: string; password: string | null; plan: Plan; isAdmin: boolean; isApproved: boolean; isVerified: boolean }

/** One spelling of an e-mail address: trimmed and in lower case. @throws AccountError when it is none. */
export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) throw new AccountError(`"${text.slice(0, 60)}" is not an e-mail address.`)
  return email
}

/** Addresses of the administrators: who is told of what the operator has to know. */
export const administratorEmails = readAdministrators

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
    acceptedLicence: dataLicence,
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

/** Holds an account until the transaction ends. Returns its id. @throws AccountError when there is none with this e-mail. */
export async function holdAccount(client: PoolClient, text: string): Promise<number> {
  const email = normaliseEmail(text)
  const account = await lockAccount(client, email)
  if (!account) throw new AccountError(`There is no account with the e-mail ${email}.`)
  return Number(account.id)
}

/** Gives an account a new password; the old one no longer works. @throws AccountError when it is too short or too long. */
export async function setPassword(client: PoolClient, id: number, password: string): Promise<void> {
  await writePasswordHash(client, id, await hashGiven(password))
}

type Change = { state?: 'review' | 'open' | 'blocked'; blockReason?: string | null; plan?: Plan; ownPerMinute?: number | null; ownPerDay?: number | null }

/** What a change is called in the history of the account, and what it makes of it. Null: it is so already. */
type Decision = { readonly action: string; readonly change: Change; readonly before: object; readonly after: object }

async function change(pool: Pool, text: string, decide: (account: AccountRow) => Decision | null): Promise<void> {
  const email = normaliseEmail(text)
  await inTransaction(pool, async (client) => {
    const account = await lockAccount(client, email)
    if (!account) throw new AccountError(`There is no account with the e-mail ${email}.`)
    const decision = decide(account)
    if (decision === null) return
    const wanted = { ownPerMinute: account.own_per_minute, ownPerDay: account.own_per_day, ...decision.change }
    const limits = limitsOf(wanted.plan ?? account.plan, { perMinute: wanted.ownPerMinute, perDay: wanted.ownPerDay })
    await updateAccount(client, account.id, { ...wanted, limits })
    const { action, before, after } = decision
    await insertAudit(client, { accountId: Number(account.id), actor: 'operator', action, before, after })
    // Whoever waits for the review was promised a letter at its end.
    if (account.state === 'review' && wanted.state === 'open') await askForApprovalMail(client, account.id)
  })
}

function toState(account: AccountRow, action: string, state: 'review' | 'open' | 'blocked', block: { blockReason?: string | null } = {}): Decision {
  return { action, change: { state, ...block }, before: { state: account.state }, after: { state, ...(block.blockReason ? block : {}) } }
}

/** Lets the live keys of an account work. @throws AccountError when the account is blocked: a block is taken back on its own. */
export const approveAccount = (pool: Pool, email: string) =>
  change(pool, email, (account) => {
    if (account.state === 'blocked') throw new AccountError('This account is blocked. Unblock it first.')
    return account.state === 'open' ? null : toState(account, 'account.approve', 'open')
  })

/** Refuses every key of an account from the next call on. The reason, if given, is shown to the caller. */
export const blockAccount = (pool: Pool, email: string, reason: string | null) =>
  change(pool, email, (account) => toState(account, 'account.block', 'blocked', { blockReason: reason }))

/** Takes a block back; an account that was waiting for its review waits again. */
export const unblockAccount = (pool: Pool, email: string) =>
  change(pool, email, (account) => {
    if (account.state !== 'blocked') throw new AccountError('This account is not blocked.')
    return toState(account, 'account.unblock', account.approved_at === null ? 'review' : 'open', { blockReason: null })
  })

export const changePlan = (pool: Pool, email: string, plan: Plan) =>
  change(pool, email, (account) => ({ action: 'plan.change', change: { plan }, before: { plan: account.plan }, after: { plan } }))

/** Gives an account limits of its own; null goes back to the plan's. */
export const changeLimits = (pool: Pool, email: string, own: { perMinute?: number | null; perDay?: number | null }) =>
  change(pool, email, (account) => {
    const before = { perMinute: account.own_per_minute, perDay: account.own_per_day }
    const after = { ...before, ...own }
    if (after.perMinute === before.perMinute && after.perDay === before.perDay) return null
    return { action: 'limits.change', change: { ownPerMinute: after.perMinute, ownPerDay: after.perDay }, before, after }
  })
