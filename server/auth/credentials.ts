import { readRole } from '#server/accounts/permissions.ts'
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
 * Returns the accounts that an email address can refer to: the one that confirmed it, and the newest unconfirmed one with a password. Runs the same statements
 * for every address.
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
    // Second factors are read in a separate query, so that the same statements run for every address: Prisma would query a relation only if an account exists.
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

/** Connects an identity to an account. Returns false if the identity is already connected. */
export async function insertIdentity(tx: Transaction, issuer: string, subject: string, accountId: number): Promise<boolean> {
  return (await tx.providerIdentity.createMany({ data: [{ issuer, subject, accountId }], skipDuplicates: true })).count === 1
}

/** Returns the issuers an account can sign in with. */
export async function readIssuers(db: Db, accountId: number): Promise<string[]> {
  const rows = await db.providerIdentity.findMany({ where: { accountId }, distinct: ['issuer'], orderBy: { issuer: 'asc' }, select: { issuer: true } })
  return rows.map(({ issuer }) => issuer)
}

/** Returns true if a session that began through an account's provider may continue: the person has access, and their login is still linked. */
export async function isStillLinked(db: Db, accountId: number, person: { readonly id: number; readonly state: string }): Promise<boolean> {
  const where = { id: accountId, closedAt: null, singleSignOn: { identities: { some: { memberId: person.id } } } }
  const account = await db.account.findFirst({ where, select: { id: true, ownerId: true } })
  if (account === null || (person.state === 'blocked' && accountId !== person.id)) return false
  return (await readRole(db, account, person.id)) !== null
}
