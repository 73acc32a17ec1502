import { holdWallet } from '#server/accounts/accounts.ts'
import { type Actor, type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { type memberMutations, requireMember } from '#server/accounts/permissions.ts'
import type { Scope } from '#server/api/contract/access.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type KeyAccess, toAuditDetails } from './key-access.ts'
import { createKey, endKeys, immediately, type KeyRequest } from './keys.ts'
import { earlier, findKey, getState, isActive, ownedBy, type StoredKey, toOwnKey } from './own-keys.ts'

/** Account whose keys are managed in the portal. */
export type KeyOwner = {
  readonly accountId: number
  readonly isConfirmed: boolean
  readonly address: string | null
  /** Login of the member who manages the keys; null or missing for the account's own login. */
  readonly memberId?: number | null
}

const maxActive = 50
/** Maximum number of keys that an account can create in an hour. Needed because keys are never deleted, not even revoked ones. */
const maxPerHour = 60

const tooManyKeys = () => new FieldsError({ form: `This account already has the maximum of ${maxActive} active keys. Revoke one first.` })

export type NewOwnKey = KeyAccess & { readonly mode: Mode }

const hourMs = 3_600_000

/** Checks that the account can create another key in this hour. @throws FieldsError */
export async function requireHourlyRoom(tx: Transaction, accountId: number): Promise<void> {
  const recent = await tx.apiKey.count({ where: { accountId, createdAt: { gt: new Date(clock.now() - hourMs) } } })
  if (recent >= maxPerHour) throw new FieldsError({ form: `An account can create ${maxPerHour} keys an hour. Try again later.` })
}

/** Origin of a key: its predecessor's spending, and the application for which it was approved. */
type KeyOrigin = Pick<KeyRequest, 'spending' | 'oauthClientId'> & {
  /** Further details for the audit log. */
  readonly details?: Readonly<Record<string, string>>
}

/** Creates a key in a transaction that has checked the limits of the account. */
export async function issueKey(tx: Transaction, owner: KeyOwner, key: NewOwnKey, origin: KeyOrigin = {}): Promise<{ id: string; key: string }> {
  const { accountId, address, memberId = null } = owner
  const { spending = {}, oauthClientId = null, details } = origin
  await requireHourlyRoom(tx, accountId)
  const { mode, name, scopes, addresses, capCredits, expiresAt } = key
  const created = await createKey(tx, {
    accountId,
    mode,
    name,
    scopes,
    addresses,
    spendCapCredits: capCredits,
    expiresAt,
    spending,
    oauthClientId,
    createdById: memberId ?? accountId,
  })
  const after = { mode, ...toAuditDetails(key), ...details }
  await writeAudit(tx, { accountId, actor: 'account', memberId, action: 'key.create', subject: created.id, after, address })
  return created
}

export function requireConfirmed({ isConfirmed }: KeyOwner): void {
  if (!isConfirmed) throw new RefusedError(refuse('email_not_verified', {}, 'Confirm your email before creating a key.'))
}

/** Mutation that changes keys. */
type KeyMutation = keyof typeof memberMutations & `keys.${string}`

/**
 * Locks the wallet of an account before a key is created or changed. Rejects a closed account: closing revoked its keys, and a key created afterwards would
 * stay active. Rejects a member who has been removed or whose role has changed.
 * @throws RefusedError account_blocked; AccessError
 */
export async function lockOpenAccount(tx: Transaction, { accountId, memberId = null }: KeyOwner, mutation: KeyMutation): Promise<void> {
  await holdWallet(tx, accountId)
  await requireMember(tx, accountId, memberId, mutation)
  // Closing an account locks its wallet too, so this check sees a closure that was committed during the wait.
  const closed = await tx.account.count({ where: { id: accountId, closedAt: { not: null } } })
  if (closed > 0) throw new RefusedError(refuse('account_blocked', { reason: 'closed' }, 'This account is closed.'))
}

/** Checks that the account can have another active key. @throws FieldsError */
export async function requireRoom(tx: Transaction, accountId: number): Promise<void> {
  if ((await tx.apiKey.count({ where: { ...ownedBy(accountId), meter: isActive() } })) >= maxActive) throw tooManyKeys()
}

/**
 * Creates a key in the portal. The full key is only in the return value.
 * @throws RefusedError email_not_verified, account_blocked; FieldsError if the account has too many keys or created too many recently; KeyRequestError
 */
export async function createOwnKey(db: Database, owner: KeyOwner, key: NewOwnKey): Promise<{ id: string; key: string }> {
  requireConfirmed(owner)
  return inTransaction(db, async (tx) => {
    await lockOpenAccount(tx, owner, 'keys.create')
    await requireRoom(tx, owner.accountId)
    return issueKey(tx, owner, key)
  })
}

/** Creates an account's first key, a test key with all scopes. Returns null if the account already has a key. */
export async function createFirstKey(db: Database, owner: KeyOwner, scopes: readonly Scope[]): Promise<{ id: string; key: string } | null> {
  requireConfirmed(owner)
  return inTransaction(db, async (tx) => {
    await lockOpenAccount(tx, owner, 'keys.create')
    if (await tx.apiKey.findFirst({ where: ownedBy(owner.accountId), select: { id: true } })) return null
    return issueKey(tx, owner, { mode: 'test', name: 'First test key', scopes, addresses: [], capCredits: null, expiresAt: null })
  })
}

/** Hours for which the old key can keep working after a rotation. */
export const overlaps = [0, 1, 6, 24] as const

export type Overlap = (typeof overlaps)[number]

/**
 * Returns the id of the spend cap that a key and its successor must share because the key or one of its predecessors is still active; null if they don't share
 * one. Sharing the cap and carrying over the month's spending prevent rotation from multiplying the cap.
 */
async function getSharedCap(tx: Transaction, { id, meter }: StoredKey, overlap: Overlap): Promise<number | null> {
  if (!meter || meter.monthCap === null) return null
  const { capId } = meter
  if (capId !== null && (await tx.keyMeter.count({ where: { capId, keyId: { not: id }, ...isActive() } })) > 0) return capId
  return overlap > 0 ? id : null
}

/**
 * Rotates a key in one transaction: creates a key with the same permissions and ends the old one. Without an overlap, the old key is rejected from the
 * next call on.
 * @throws RefusedError not_found, email_not_verified; FieldsError if the key has already ended or the account has too many keys
 */
export async function rotateKey(db: Database, owner: KeyOwner, id: string, overlap: Overlap): Promise<{ id: string; key: string; oldEndsAt: Date }> {
  const { accountId, address, memberId = null } = owner
  return inTransaction(db, async (tx) => {
    await lockOpenAccount(tx, owner, 'keys.rotate')
    const old = await findKey(tx, accountId, id)
    if (getState(old) !== 'active') throw new FieldsError({ form: 'This key no longer works, or is about to stop working. Create a new one.' })
    requireConfirmed(owner)
    // During an overlap both keys are active, so the new key must fit within the limit.
    if (overlap > 0) await requireRoom(tx, accountId)
    const capId = await getSharedCap(tx, old, overlap)
    const { month = 0, monthSpent = 0n } = old.meter ?? {}
    const created = await issueKey(tx, owner, toOwnKey(old, []), { spending: { month, monthSpent, capId }, oauthClientId: old.oauthClientId })
    const oldEndsAt = new Date(clock.now() + overlap * hourMs)
    const successor = await findKey(tx, accountId, created.id)
    const endsAt = overlap === 0 ? immediately : earlier(oldEndsAt, old.expiresAt)
    const meter = { version: { increment: 1 }, endsAt, ...(capId === null ? {} : { capId }) }
    await tx.apiKey.update({ where: { id: old.id }, data: { revokedAt: oldEndsAt, replacedBy: successor.id }, select: { id: true } })
    await tx.keyMeter.update({ where: { keyId: old.id }, data: meter, select: { keyId: true } })
    const after = { replacedBy: created.id, oldEndsAt: oldEndsAt.toISOString() }
    await writeAudit(tx, { accountId, actor: 'account', memberId, action: 'key.rotate', subject: id, after, address })
    return { ...created, oldEndsAt }
  })
}

/** Revokes a key. Returns false and writes nothing if it was already revoked. @throws RefusedError not_found */
async function revoke(db: Database, by: Actor, accountId: number, id: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await holdWallet(tx, accountId)
    if (by.actor === 'account') await requireMember(tx, accountId, by.memberId ?? null, 'keys.revoke')
    const key = await findKey(tx, accountId, id)
    const state = getState(key)
    if (state === 'revoked') return false
    await endKeys(tx, { id: key.id })
    await writeAudit(tx, { ...by, accountId, action: 'key.revoke', subject: id, before: { state } })
    return true
  })
}

/** Revokes a key, effective with the next request on every process. Idempotent. @throws RefusedError not_found */
export async function revokeOwnKey(db: Database, { accountId, address, memberId = null }: KeyOwner, id: string): Promise<void> {
  await revoke(db, { actor: 'account', address, memberId }, accountId, id)
}

/** Revokes a customer's key as an administrator. @throws RefusedError not_found; FieldsError if it is already revoked */
export async function revokeKeyAsAdmin(db: Database, by: AdminActor, accountId: number, id: string): Promise<void> {
  if (!(await revoke(db, by, accountId, id))) throw new FieldsError({ form: 'This key is already revoked.' })
}

/** Revokes all keys of an account, in the transaction that closes it. */
export async function revokeAllKeys(tx: Transaction, accountId: number): Promise<void> {
  await holdWallet(tx, accountId)
  await endKeys(tx, { accountId })
}
