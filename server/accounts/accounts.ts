import { getLimits, type Plan } from '#server/api/contract/access.ts'
import { dataLicence } from '#server/api/contract/envelope.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import { lockFor, lockRows } from '#server/db/locks.sql.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import type { Actor } from './audit.ts'
import {
  AccountError,
  approval,
  blocking,
  type ChangeableAccount,
  changeAccount,
  type Decide,
  lockAccount,
  type OwnLimits,
  onPlan,
  unblocking,
  withLimits,
} from './change-account.ts'
import { normaliseEmail } from './email-address.ts'
import { hashPassword, passwordLengthFault } from './password.ts'

export type AccountRequest = { email: string; password: string | null; plan: Plan; isAdmin: boolean; isApproved: boolean; isVerified: boolean }

const maxAdministrators = 50

/** Returns the email addresses of the administrators, who receive operational notices. */
export async function administratorEmails(db: Db): Promise<string[]> {
  const where = { role: 'admin', emailVerifiedAt: { not: null }, closedAt: null } as const
  return (await db.account.findMany({ where, orderBy: { id: 'asc' }, take: maxAdministrators, select: { email: true } })).map(({ email }) => email)
}

/** The service's own accounts. They have no password and use email addresses that can't exist, so no one can confirm or sign in to them. */
export const serviceAccounts = { email: { endsWith: '@site.invalid' }, passwordHash: null } as const satisfies Prisma.AccountWhereInput

/** Accepts a Data Licence version on behalf of the service's own accounts, because no one signs in to them. */
export async function acceptLicenceForService(tx: Transaction, label: string): Promise<void> {
  await tx.account.updateMany({ where: serviceAccounts, data: { acceptedLicence: label } })
}

/** Returns the version of the Data Licence to accept: the latest published one, or the one in the code if none is published. */
export async function currentLicence(db: Db): Promise<{ readonly label: string; readonly graceEndsAt: Date; readonly changes: string }> {
  const where = { publishedAt: { lte: new Date(clock.now()) } }
  const select = { label: true, graceEndsAt: true, changes: true } as const
  const licence = await db.licenceVersion.findFirst({ where, orderBy: { publishedAt: 'desc' }, select })
  return licence ?? { label: dataLicence, graceEndsAt: new Date(0), changes: '' }
}

/** Returns a function that checks whether the deadline for a newer Data Licence has passed, given the version that an account has accepted. */
export async function readLicenceDeadlines(db: Db): Promise<(accepted: string | null) => boolean> {
  const licences = await db.licenceVersion.findMany({ select: { label: true, publishedAt: true, graceEndsAt: true } })
  const now = clock.now()
  return (accepted) => {
    const since = licences.find(({ label }) => label === accepted)?.publishedAt.getTime() ?? Number.NEGATIVE_INFINITY
    return licences.some(({ publishedAt, graceEndsAt }) => publishedAt.getTime() > since && graceEndsAt.getTime() <= now)
  }
}

type NewAccount = Pick<Prisma.AccountCreateManyInput, 'email' | 'passwordHash' | 'role' | 'state' | 'emailVerifiedAt' | 'acceptedLicence' | 'approvedAt'> & {
  readonly plan: Plan
}

/**
 * Inserts an account and an empty wallet. Returns null if the new account's email is confirmed and another confirmed account already has it. Unconfirmed
 * accounts don't reserve an email.
 */
async function insertAccount(tx: Db, account: NewAccount): Promise<{ id: number; publicId: string } | null> {
  const data = [{ ...account, publicId: newPublicId('acc') }]
  const [inserted] = await tx.account.createManyAndReturn({ data, skipDuplicates: true, select: { id: true, publicId: true } })
  if (!inserted) return null
  const { perMinute, perDay } = getLimits(account.plan, { perMinute: null, perDay: null })
  await tx.wallet.create({ data: { accountId: inserted.id, minuteLimit: perMinute, dayLimit: perDay }, select: { accountId: true } })
  return inserted
}

/**
 * Hashes a password that an operator has set. Only its length is checked; common passwords are allowed. @throws AccountError if the password is too short or
 * too long.
 */
async function hashOperatorPassword(password: string): Promise<string> {
  const fault = passwordLengthFault(password)
  if (fault !== null) throw new AccountError(fault)
  return hashPassword(password)
}

/** Creates an account that has accepted the Data Licence. @throws AccountError if the email is invalid or taken, or the password is too short or too long. */
export async function createAccount(tx: Transaction, request: AccountRequest): Promise<{ id: number; publicId: string; email: string }> {
  const email = normaliseEmail(request.email)
  const account = await insertAccount(tx, {
    email,
    passwordHash: request.password === null ? null : await hashOperatorPassword(request.password),
    plan: request.plan,
    role: request.isAdmin ? 'admin' : 'member',
    state: request.isApproved ? 'open' : 'review',
    approvedAt: request.isApproved ? new Date(clock.now()) : null,
    emailVerifiedAt: request.isVerified ? new Date(clock.now()) : null,
    acceptedLicence: (await currentLicence(tx)).label,
  })
  if (account === null) throw new AccountError(`There is already an account with the email ${email}.`)
  return { ...account, email }
}

const maxListed = 5

const found = { id: true, publicId: true, emailVerifiedAt: true } as const

/** Finds open accounts by email: the confirmed one first, then the others by id. */
const findAccounts = (db: Db, email: string, max: number) =>
  db.account.findMany({
    where: { email, closedAt: null },
    orderBy: [{ emailVerifiedAt: { sort: 'asc', nulls: 'last' } }, { id: 'asc' }],
    take: max,
    select: found,
  })

/**
 * Finds an account by email or public id. If several accounts have this email and none has confirmed it, any of them might belong to someone else, so the id is
 * required. @throws AccountError if there is no such account, or the email is ambiguous
 */
export async function accountByEmail(db: Db, text: string): Promise<{ id: number; publicId: string }> {
  if (/^\s*acc_/.test(text)) {
    const account = await db.account.findFirst({ where: { publicId: text.trim(), closedAt: null }, select: found })
    if (!account) throw new AccountError(`There is no account with the id ${text.trim().slice(0, 60)}.`)
    return account
  }
  const email = normaliseEmail(text)
  const [first, ...others] = await findAccounts(db, email, maxListed + 1)
  if (!first) throw new AccountError(`There is no account with the email ${email}.`)
  if (first.emailVerifiedAt !== null || others.length === 0) return first
  const ids = [first, ...others].slice(0, maxListed).map(({ publicId }) => publicId)
  const more = others.length < maxListed ? '' : ' and more'
  throw new AccountError(`Several accounts signed up with ${email} and none has confirmed it: ${ids.join(', ')}${more}. Use one of these ids instead.`)
}

/** Returns true if an open account has this email. */
export const hasAccount = async (db: Database, email: string): Promise<boolean> => (await findAccounts(db, email, 1)).length > 0

async function findServiceAccount(db: Db, email: string): Promise<number | undefined> {
  const where = { AND: [serviceAccounts, { email, closedAt: null }] }
  return (await db.account.findFirst({ where, orderBy: { id: 'asc' }, select: { id: true } }))?.id
}

/** Returns the service's own account with this email, which no one can sign in to. Creates it if needed; safe to call concurrently. */
export async function serviceAccount(db: Database, email: string): Promise<number> {
  const known = await findServiceAccount(db, email)
  if (known !== undefined) return known
  return inTransaction(db, async (tx) => {
    // Prevents duplicates, because there is no unique index.
    await lockFor(tx, 'serviceAccounts')
    const request = { email, password: null, plan: 'hobby', isAdmin: false, isApproved: false, isVerified: false } as const
    return (await findServiceAccount(tx, email)) ?? (await createAccount(tx, request)).id
  })
}

/** Returns the internal id of an account, open or closed. @throws RefusedError not_found */
export async function accountById(db: Database, publicId: string): Promise<number> {
  const account = await db.account.findUnique({ where: { publicId }, select: { id: true } })
  if (!account) throw new RefusedError(refuse('not_found', {}, 'Account not found.'))
  return account.id
}

/** Finds an account by email or public id and locks it. @throws AccountError if there is none, or the email is ambiguous. */
async function lockResolved(tx: Transaction, text: string): Promise<ChangeableAccount> {
  const account = await lockAccount(tx, (await accountByEmail(tx, text)).id)
  if (!account) throw new AccountError(`Account ${text.trim().slice(0, 60)} has just been closed.`)
  return account
}

/** Locks an account and its wallet until the transaction ends. Returns the account's id. @throws AccountError if there is none with this email or id. */
export async function holdAccount(tx: Transaction, text: string): Promise<number> {
  return (await lockResolved(tx, text)).id
}

/** Replaces an account's password hash. The caller computes the hash beforehand, because hashing is too slow to do while the account is locked. */
export async function setPasswordHash(tx: Transaction, id: number, passwordHash: string): Promise<void> {
  await tx.account.update({ where: { id }, data: { passwordHash }, select: { id: true } })
}

const operator: Actor = { actor: 'operator' }

/**
 * Applies an operator's change to an account. Does nothing if no change is needed. @throws AccountError if there is no such account or the change is not
 * allowed.
 */
async function change(db: Database, text: string, decide: Decide): Promise<void> {
  await changeAccount(db, operator, (tx) => lockResolved(tx, text), decide)
}

/** Approves an account, so that its live keys work. @throws AccountError if the account is blocked. */
export const approveAccount = (db: Database, email: string) => change(db, email, approval)

/** Blocks an account: all its keys are rejected from the next call. The reason, if given, is shown to callers. */
export const blockAccount = (db: Database, email: string, reason: string | null) => change(db, email, blocking(reason, null))

/** Unblocks an account. An account that was in review returns to review. */
export const unblockAccount = (db: Database, email: string) => change(db, email, unblocking)

export const changePlan = (db: Database, email: string, plan: Plan) => change(db, email, onPlan(plan))

/** Sets custom limits for an account; null restores the plan's limit. */
export const changeLimits = (db: Database, email: string, own: Partial<OwnLimits>) => change(db, email, withLimits(own))

type SignUpRequest = {
  readonly email: string
  /** Null if the account signs in only through an identity provider. */
  readonly passwordHash: string | null
  /** Time at which a provider verified the address; null if it still has to be confirmed. */
  readonly emailVerifiedAt: Date | null
  readonly acceptedLicence: string
}

/**
 * Creates an account for a sign-up: on the smallest plan, in review, without credits. Returns null if `emailVerifiedAt` is set and another confirmed account
 * has the email.
 */
export const newAccount = (tx: Transaction, request: SignUpRequest): Promise<{ id: number; publicId: string } | null> =>
  insertAccount(tx, { ...request, plan: 'hobby', role: 'member', state: 'review' })

/**
 * Blocks charges to an account until the transaction ends. A transaction that changes several rows of an account must take this lock first, before the lock on
 * the account. Wallets are locked in id order to avoid deadlocks. API calls wait for the lock, so do slow work beforehand.
 */
export const holdWallet = (tx: Transaction, ...accountIds: readonly number[]): Promise<void> => lockRows(tx, 'wallet', accountIds)
