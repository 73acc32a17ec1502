import { type Actor, writeAudit } from '#server/accounts/audit.ts'
import { AccessError, mayRun } from '#server/accounts/permissions.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { hashKey } from './key-secret.ts'
import { endKeys, immediately, revokeKey } from './keys.ts'
import { issueKey, type KeyOwner, lockOpenAccount, type NewOwnKey, requireConfirmed, requireHourlyRoom, requireRoom, revokeOwnKey } from './manage-own-keys.ts'
import { findKey, isActive, ownedBy } from './own-keys.ts'

/** Application for which a user approved a key. */
export type Application = {
  /** Internal id of the application. */
  readonly id: number
  readonly publicId: string
  readonly name: string
  /** URI to which the user returned. */
  readonly redirectUri: string
}

/** Condition for the active keys that a member approved for an application. A new approval replaces them. */
const replacedBy = ({ accountId, memberId = null }: Pick<KeyOwner, 'accountId' | 'memberId'>, applicationId: number) =>
  ({ ...ownedBy(accountId), oauthClientId: applicationId, createdById: memberId ?? accountId, meter: isActive() }) satisfies Prisma.ApiKeyWhereInput

/** Counts the active keys that a new approval of an application would revoke. */
export const countReplacedKeys = (db: Db, owner: Pick<KeyOwner, 'accountId' | 'memberId'>, applicationId: number): Promise<number> =>
  db.apiKey.count({ where: replacedBy(owner, applicationId) })

/** Checks that a key can be created for an application, before its user approves one. @throws FieldsError */
export async function requireApplicationRoom(db: Database, owner: KeyOwner, applicationId: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireHourlyRoom(tx, owner.accountId)
    if ((await countReplacedKeys(tx, owner, applicationId)) === 0) await requireRoom(tx, owner.accountId)
  })
}

const select = { id: true, publicId: true, meter: { select: { month: true, monthSpent: true } } } as const

/** Returns the total spending of some keys in their most recent month, so that reconnecting doesn't reset a cap. */
function getSpending(keys: readonly Prisma.ApiKeyGetPayload<{ select: typeof select }>[]) {
  const meters = keys.flatMap(({ meter }) => (meter ? [meter] : []))
  const month = Math.max(0, ...meters.map((meter) => meter.month))
  return { month, monthSpent: meters.reduce((sum, meter) => (meter.month === month ? sum + meter.monthSpent : sum), 0n) }
}

/**
 * Creates the key that a user approved for an application, and revokes those that the same user approved for it earlier. `after` runs in the same transaction,
 * with the id of the key. The full key is only in the return value.
 * @throws as `createOwnKey` does
 */
export async function createApplicationKey(
  db: Database,
  owner: KeyOwner,
  key: NewOwnKey,
  application: Application,
  after: (tx: Transaction, id: string) => Promise<void>,
): Promise<{ id: string; key: string }> {
  requireConfirmed(owner)
  const { accountId, memberId = null, address } = owner
  return inTransaction(db, async (tx) => {
    await lockOpenAccount(tx, owner, 'keys.create')
    const earlier = await tx.apiKey.findMany({ where: replacedBy(owner, application.id), select, orderBy: { id: 'asc' }, take: 100 })
    await endKeys(tx, { id: { in: earlier.map(({ id }) => id) } })
    await requireRoom(tx, accountId)
    const details = { application: application.name, applicationId: application.publicId, redirectUri: application.redirectUri }
    const created = await issueKey(tx, owner, key, { spending: getSpending(earlier), oauthClientId: application.id, details })
    if (earlier.length > 0) {
      const { id } = await findKey(tx, accountId, created.id)
      await tx.apiKey.updateMany({ where: { id: { in: earlier.map((old) => old.id) } }, data: { replacedBy: id } })
    }
    for (const { publicId } of earlier)
      await writeAudit(tx, { accountId, actor: 'account', memberId, action: 'key.revoke', subject: publicId, after: { replacedBy: created.id }, address })
    await after(tx, created.id)
    return created
  })
}

/** Key of an application, and who approved it. */
type ApprovedKey = { readonly keyId: string; readonly accountId: number; readonly memberId: number | null; readonly address: string | null }

/** Revokes an application's key, at the application's own request or because it must lose access. */
export async function revokeApplicationKey(db: Database, { keyId, accountId, memberId, address }: ApprovedKey): Promise<void> {
  try {
    await revokeOwnKey(db, { accountId, memberId, isConfirmed: true, address }, keyId)
  } catch (error) {
    if (!(error instanceof AccessError)) throw error
    // The member has been removed, so the audit log can't name them. The key must be revoked anyway.
    await revokeKey(db, keyId)
  }
}

/** Revokes a key if it was approved for this application. Does nothing for any other key, or if it is already inactive. */
export async function returnKey(db: Database, key: string, applicationId: string, address: string | null): Promise<void> {
  const where = { hash: hashKey(key), oauthClient: { publicId: applicationId } }
  const found = await db.apiKey.findFirst({ where, select: { publicId: true, accountId: true, createdById: true } })
  if (found === null) return
  const { publicId: keyId, accountId, createdById } = found
  await revokeApplicationKey(db, { keyId, accountId, memberId: createdById === accountId ? null : createdById, address })
}

/**
 * Revokes the application keys that a person approved, and their approvals that haven't been exchanged yet, when they can no longer approve keys for the
 * account. Takes effect on the next request in every process. Keys created in the portal belong to the account and are kept. Lock the wallet, then the account,
 * before calling.
 */
export async function endApprovals(tx: Transaction, by: Actor, accountId: number, personId: number): Promise<void> {
  const memberId = personId === accountId ? null : personId
  await tx.oAuthCode.updateMany({ where: { accountId, memberId, keyId: null }, data: { expiresAt: immediately } })
  const where = { ...ownedBy(accountId), oauthClientId: { not: null }, createdById: personId, meter: isActive() }
  const keys = await tx.apiKey.findMany({ where, select: { id: true, publicId: true }, orderBy: { id: 'asc' }, take: 1_000 })
  await endKeys(tx, { id: { in: keys.map(({ id }) => id) } })
  const change = { before: { state: 'active' }, after: { lostAccess: true } }
  for (const { publicId } of keys) await writeAudit(tx, { ...by, accountId, action: 'key.revoke', subject: publicId, ...change })
}

const batchSize = 1_000

const approverSelect = {
  id: true,
  accountId: true,
  createdById: true,
  account: { select: { ownerId: true } },
  createdBy: { select: { state: true, closedAt: true, memberships: { select: { accountId: true, role: true } } } },
} as const satisfies Prisma.ApiKeySelect

/** Returns true if the person who approved a key can no longer approve keys for its account. An account's own state is checked with every call. */
function hasLostAccess({ accountId, createdById, account, createdBy }: Prisma.ApiKeyGetPayload<{ select: typeof approverSelect }>): boolean {
  if (createdBy === null) return false
  if (createdById !== accountId && (createdBy.state === 'blocked' || createdBy.closedAt !== null)) return true
  if ((account.ownerId ?? accountId) === createdById) return false
  const membership = createdBy.memberships.find((one) => one.accountId === accountId)
  return membership === undefined || !mayRun(membership.role, 'keys.create')
}

/**
 * Revokes application keys whose approvers can no longer approve keys for the account, because they were blocked, or lost access in a way that didn't end their
 * approvals immediately.
 */
export async function endLostApprovals(db: Database): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const where: Prisma.ApiKeyWhereInput = { id: { gt: after }, oauthClientId: { not: null }, createdById: { not: null }, meter: isActive() }
    const keys: Prisma.ApiKeyGetPayload<{ select: typeof approverSelect }>[] = await db.apiKey.findMany({
      where,
      orderBy: { id: 'asc' },
      take: batchSize,
      select: approverSelect,
    })
    for (const { id, accountId } of keys.filter(hasLostAccess)) {
      await inTransaction(db, async (tx) => {
        await lockRows(tx, 'wallet', [accountId])
        await lockRows(tx, 'account', [accountId])
        // Read again, because the person may have regained access, or another process may have revoked the key.
        const key = await tx.apiKey.findFirst({ where: { id, meter: isActive() }, select: approverSelect })
        if (key?.createdById && hasLostAccess(key)) await endApprovals(tx, { actor: 'service' }, accountId, key.createdById)
      })
    }
    after = keys.length === batchSize ? keys.at(-1)?.id : undefined
  }
}
