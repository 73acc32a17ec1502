import { hashToken, newToken } from '#server/accounts/encryption.ts'
import { clock } from '#server/clock.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Db, Transaction } from '#server/db/prisma.ts'

export type TokenPurpose = 'confirm' | 'reset' | 'change'

const linkLifetimeMs = 30 * 60_000

type NewToken = {
  readonly accountId: number
  readonly purpose: TokenPurpose
  readonly email: string
  /** For an email change: the account's session version at the time of the request. */
  readonly sessionVersion?: number
}

/** Creates a link and returns its token. Only the token's hash is stored. */
export async function issueToken(db: Db, link: NewToken): Promise<string> {
  const token = newToken()
  await db.emailToken.create({ data: { ...link, hash: hashToken(token), expiresAt: new Date(clock.now() + linkLifetimeMs) }, select: { accountId: true } })
  return token
}

/** Emailed link. `isUsable` is false once it has been used or has expired; `isJustUsed` is true for a minute after its use. */
export type Token = {
  readonly accountId: number
  readonly purpose: TokenPurpose
  readonly email: string
  readonly isUsable: boolean
  readonly isJustUsed: boolean
}

const minuteMs = 60_000

/** Looks up a token without using it. */
export async function readLink(db: Db, token: string): Promise<Token | undefined> {
  const select = {
    accountId: true,
    purpose: true,
    email: true,
    usedAt: true,
    expiresAt: true,
    sessionVersion: true,
    account: { select: { sessionVersion: true } },
  } as const
  const row = await db.emailToken.findUnique({ where: { hash: hashToken(token) }, select })
  if (row === null) return undefined
  const { accountId, email, usedAt, expiresAt, sessionVersion, account } = row
  const purpose = row.purpose as TokenPurpose
  const now = clock.now()
  // The requester of an email change may have been signed out since, by a password change or by ending all sessions.
  const isRequesterSignedIn = purpose !== 'change' || sessionVersion === account.sessionVersion
  const isUsable = usedAt === null && expiresAt.getTime() > now && isRequesterSignedIn
  return { accountId, purpose, email, isUsable, isJustUsed: usedAt !== null && usedAt.getTime() > now - minuteMs }
}

/**
 * Uses a token. If several requests use it at the same time, exactly one succeeds. Locks the account first, like all code that ends sessions or invalidates
 * links, to avoid deadlocks and to compare the latest session version.
 */
export async function spendToken(tx: Transaction, token: string, purpose: TokenPurpose): Promise<{ accountId: number; email: string } | null> {
  const known = await readLink(tx, token)
  if (known === undefined) return null
  await lockRows(tx, 'account', [known.accountId])
  const locked = await readLink(tx, token)
  if (locked?.purpose !== purpose || !locked.isUsable) return null
  const { count } = await tx.emailToken.updateMany({ where: { hash: hashToken(token), usedAt: null }, data: { usedAt: new Date(clock.now()) } })
  return count === 1 ? { accountId: locked.accountId, email: locked.email } : null
}

/** Invalidates an account's unused links for these purposes. */
export async function spendAll(tx: Transaction, accountId: number, purposes: readonly TokenPurpose[]): Promise<void> {
  await tx.emailToken.updateMany({ where: { accountId, purpose: { in: [...purposes] }, usedAt: null }, data: { usedAt: new Date(clock.now()) } })
}

const weekMs = 7 * 86_400_000

/** Deletes links a week after they expire. */
export async function forgetTokens(db: Db): Promise<void> {
  await db.emailToken.deleteMany({ where: { expiresAt: { lt: new Date(clock.now() - weekMs) } }, limit: 1_000 })
}
