import { serviceAccounts } from '#server/accounts/accounts.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Db, Transaction } from '#server/db/prisma.ts'

const columns = {
  id: true,
  publicId: true,
  email: true,
  name: true,
  passwordHash: true,
  sessionVersion: true,
  emailVerifiedAt: true,
  createdAt: true,
} as const satisfies Prisma.AccountSelect

/** Credentials of an account. */
export type Credentials = Prisma.AccountGetPayload<{ select: typeof columns }> & { readonly hasSecondFactor: boolean }

/** Condition for a second factor that is on, as opposed to one being set up. */
const isOn = { since: { not: null } } as const

async function findCredentials(db: Db, where: Prisma.AccountWhereInput): Promise<Credentials | undefined> {
  const row = await db.account.findFirst({ where: { ...where, closedAt: null }, select: { ...columns, secondFactor: { select: { since: true } } } })
  if (row === null) return undefined
  const { secondFactor, ...account } = row
  return { ...account, hasSecondFactor: (secondFactor?.since ?? null) !== null }
}

export const readCredentials = (db: Db, accountId: number) => findCredentials(db, { id: accountId })

export const readAccountCredentials = (db: Db, publicId: string) => findCredentials(db, { publicId })

/**
 * Returns the accounts an email can refer to: the one that confirmed it, and the newest unconfirmed one with a password. Runs the same statements for every
 * address.
 */
export async function readCandidates(db: Db, email: string): Promise<{ confirmed: Credentials | undefined; provisional: Credentials | undefined }> {
  const account = { email, closedAt: null }
  const [rows, factors] = await Promise.all([
    db.account.findMany({
      where: { ...account, OR: [{ emailVerifiedAt: { not: null } }, { passwordHash: { not: null } }] },
      orderBy: [{ emailVerifiedAt: { sort: 'asc', nulls: 'last' } }, { id: 'desc' }],
      take: 2,
      select: columns,
    }),
    // A relation would be read only if there is an account.
    db.secondFactor.findMany({ where: { ...isOn, account }, take: 2, select: { accountId: true } }),
  ])
  const find = (isConfirmed: boolean) => {
    const row = rows.find(({ emailVerifiedAt }) => (emailVerifiedAt !== null) === isConfirmed)
    return row && { ...row, hasSecondFactor: factors.some(({ accountId }) => accountId === row.id) }
  }
  return { confirmed: find(true), provisional: find(false) }
}

/** Locks an account's credentials until the transaction ends. */
export async function holdCredentials(tx: Transaction, accountId: number): Promise<Credentials | undefined> {
  await lockRows(tx, 'account', [accountId])
  return readCredentials(tx, accountId)
}

export async function writePassword(tx: Transaction, accountId: number, passwordHash: string): Promise<void> {
  await tx.account.update({ where: { id: accountId }, data: { passwordHash }, select: { id: true } })
}

/** Marks an account's email as confirmed. Returns false if it already was. Fails on the unique index if another account has confirmed the same email. */
export async function markConfirmed(tx: Transaction, accountId: number, email: string): Promise<boolean> {
  const where = { id: accountId, email, emailVerifiedAt: null, closedAt: null }
  return (await tx.account.updateMany({ where, data: { emailVerifiedAt: new Date(clock.now()) } })).count === 1
}

/** Unconfirmed accounts with an email. */
const unconfirmed = (email: string) => ({ email, emailVerifiedAt: null, closedAt: null })

/**
 * Locks the wallets of the given accounts and of all unconfirmed accounts with this email, in the order in which charges lock them. If two accounts confirm one
 * email at the same time, the second waits here without holding any lock the first needs. Returns the accounts whose wallets are locked.
 */
export async function lockContenders(tx: Transaction, accountIds: readonly number[], email: string): Promise<number[]> {
  const others = await tx.account.findMany({ where: unconfirmed(email), select: { id: true } })
  const ids = [...new Set([...accountIds, ...others.map(({ id }) => id)])]
  await lockRows(tx, 'wallet', ids)
  return ids
}

/** Returns the other unconfirmed accounts with this email, among those locked. Accounts that sign up later don't matter: they can't take the email. */
export async function readUnconfirmedDuplicates(tx: Transaction, accountId: number, email: string, held: readonly number[]): Promise<number[]> {
  await lockRows(tx, 'account', held)
  const where = { ...unconfirmed(email), id: { in: [...held], not: accountId } }
  return (await tx.account.findMany({ where, orderBy: { id: 'asc' }, select: { id: true } })).map(({ id }) => id)
}

/** Closes an account and deletes its personal data. The ledger and the request log are kept as financial records. */
export async function emptyAccount(tx: Transaction, accountId: number): Promise<void> {
  const where = { id: accountId }
  await tx.wallet.update({ where: { accountId }, data: { version: { increment: 1 } }, select: { accountId: true } })
  const { publicId } = await tx.account.findUniqueOrThrow({ where, select: { publicId: true } })
  await tx.account.update({
    where,
    data: {
      closedAt: new Date(clock.now()),
      state: 'blocked',
      blockReason: 'The account is closed.',
      blockReasonPrivate: null,
      declinedAt: null,
      declineReason: null,
      email: `closed:${publicId}`,
      name: '',
      purpose: '',
      timeZone: 'UTC',
      passwordHash: null,
      sessionVersion: { increment: 1 },
    },
    select: { id: true },
  })
  await tx.providerIdentity.deleteMany({ where: { accountId } })
  await tx.secondFactor.deleteMany({ where: { accountId } })
  await tx.recoveryCode.deleteMany({ where: { accountId } })
  await tx.emailToken.deleteMany({ where: { accountId } })
  await tx.portalSession.deleteMany({ where: { accountId } })
}

const monthMs = 30 * 86_400_000

/** Condition for accounts that were neither confirmed nor used, by an operator or by their owner, within 30 days of signing up. */
function abandoned(): Prisma.AccountWhereInput {
  const monthAgo = new Date(clock.now() - monthMs)
  return {
    emailVerifiedAt: null,
    closedAt: null,
    createdAt: { lt: monthAgo },
    approvedAt: null,
    plan: 'hobby',
    NOT: serviceAccounts,
    entries: { none: {} },
    keys: { none: { use: { at: { gt: monthAgo } } } },
  }
}

export async function readAbandoned(db: Db, max: number): Promise<number[]> {
  return (await db.account.findMany({ where: abandoned(), orderBy: { id: 'asc' }, take: max, select: { id: true } })).map(({ id }) => id)
}

/** Locks an account if it is still abandoned. Returns false if it was confirmed, used or closed meanwhile. */
export async function lockAbandoned(tx: Transaction, accountId: number): Promise<boolean> {
  await lockRows(tx, 'account', [accountId])
  return (await tx.account.count({ where: { ...abandoned(), id: accountId } })) === 1
}

export async function findIdentity(db: Db, issuer: string, subject: string): Promise<string | null> {
  const where = { issuer, subject, account: { closedAt: null } }
  return (await db.providerIdentity.findFirst({ where, select: { account: { select: { publicId: true } } } }))?.account.publicId ?? null
}

/** Connects an identity to an account. Returns false if the identity is already connected. */
export async function insertIdentity(tx: Transaction, issuer: string, subject: string, accountId: number): Promise<boolean> {
  return (await tx.providerIdentity.createMany({ data: [{ issuer, subject, accountId }], skipDuplicates: true })).count === 1
}

/**
 * Deletes an account's identities with one provider, unless it would have no other way to sign in. Returns how many were deleted. The account must be locked.
 */
export async function deleteIdentities(tx: Transaction, accountId: number, issuer: string): Promise<number> {
  const isSpare = { OR: [{ passwordHash: { not: null } }, { identities: { some: { issuer: { not: issuer } } } }] }
  return (await tx.providerIdentity.deleteMany({ where: { accountId, issuer, account: isSpare } })).count
}

/** Returns the issuers an account can sign in with. */
export async function readIssuers(db: Db, accountId: number): Promise<string[]> {
  const rows = await db.providerIdentity.findMany({ where: { accountId }, distinct: ['issuer'], orderBy: { issuer: 'asc' }, select: { issuer: true } })
  return rows.map(({ issuer }) => issuer)
}
