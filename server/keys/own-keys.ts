import { holdWallet } from '#server/accounts/accounts.ts'
import { type Actor, type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import type { Scope } from '#server/api/contract/access.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { endKey } from './keys.store.ts'
import { createKey } from './keys.ts'
import {
  countEndedKeys,
  countNewKeys,
  countWorkingKeys,
  endAllKeys,
  isClosed,
  linkSuccessor,
  type OwnKeyRow,
  readEndedKeys,
  readOwnHash,
  readOwnKey,
  readOwnKeys,
} from './own-keys.store.ts'

/** Account that manages keys in the portal. */
export type KeyOwner = { readonly accountId: number; readonly isConfirmed: boolean; readonly address: string | null }

export type KeyState = 'active' | 'ending' | 'expired' | 'revoked'

/** A key as its owner sees it, without the secret. */
export type OwnKey = {
  readonly id: string
  readonly mode: Mode
  readonly name: string
  /** Prefix and last characters, such as `svc_live_…7Qx2`. */
  readonly hint: string
  readonly scopes: readonly Scope[]
  readonly addresses: readonly string[]
  readonly createdAt: Date
  readonly state: KeyState
  /** Time at which the key stops or stopped working: its expiry, its revocation or the end of a rotation overlap. */
  readonly endsAt: Date | null
  readonly usedAt: Date | null
  readonly usedFrom: string | null
  /** Credits spent this UTC month. After a rotation the new key starts with the spend of the old one, so the cap can't be reset by rotating. */
  readonly spentCredits: number
  readonly isSuccessor: boolean
  /** Maximum credits per calendar month; null for no cap. */
  readonly capCredits: number | null
  /** Public id of the key that replaced it in a rotation; null if there is none. */
  readonly replacedBy: string | null
}

const maxShown = 200
const maxActive = 50
/** Maximum number of keys that an account can create in an hour. Needed because keys are never deleted, not even revoked ones. */
const maxPerHour = 60

function getState({ revoked_at: revoked, is_revoked: isRevoked, expires_at: expires }: OwnKeyRow, now: number): KeyState {
  if (isRevoked || (revoked !== null && revoked.getTime() <= now)) return 'revoked'
  if (expires !== null && expires.getTime() <= now) return 'expired'
  return revoked === null ? 'active' : 'ending'
}

const earlier = (a: Date | null, b: Date | null): Date | null => (a !== null && b !== null ? (a < b ? a : b) : (a ?? b))

const fromDb = (row: OwnKeyRow): OwnKey => ({
  id: row.public_id,
  mode: row.mode,
  name: row.name,
  hint: `svc_${row.mode}_…${row.hint}`,
  scopes: row.scopes as Scope[],
  addresses: row.addresses,
  createdAt: row.created_at,
  state: getState(row, clock.now()),
  endsAt: earlier(row.revoked_at, row.expires_at),
  usedAt: row.used_at,
  usedFrom: row.used_from,
  spentCredits: Number(row.month_spent),
  isSuccessor: row.is_successor,
  capCredits: row.month_cap === null ? null : Number(row.month_cap),
  replacedBy: row.replaced_by,
})

const tooManyKeys = () => new FieldsError({ form: `An account can have ${maxActive} active keys. Revoke one first.` })

/** Creates the error for a key that doesn't exist or belongs to another account. The two cases must look the same. */
const unknownKey = () => new RefusedError(refuse('not_found', {}, 'Key not found.'))

/** Returns an account's keys, active ones first, at most 200. */
export async function ownKeys(pool: Database, accountId: number): Promise<OwnKey[]> {
  return (await readOwnKeys(pool, accountId, maxShown)).map(fromDb)
}

const endedPageSize = 50

/** Page of inactive keys, newest first. `next` is the cursor of the next page; `count` is the total. */
export type EndedKeys = { readonly keys: readonly OwnKey[]; readonly next: string | null; readonly count: number }

export async function endedKeys(pool: Database, accountId: number, before: string | null): Promise<EndedKeys> {
  const [rows, count] = await Promise.all([readEndedKeys(pool, accountId, before, endedPageSize + 1), countEndedKeys(pool, accountId)])
  const keys = rows.slice(0, endedPageSize).map(fromDb)
  return { keys, next: rows.length > endedPageSize ? (keys.at(-1)?.id ?? null) : null, count }
}

/** @throws RefusedError not_found */
export async function ownKey(db: Db, accountId: number, id: string): Promise<OwnKey> {
  const row = await readOwnKey(db, accountId, id)
  if (!row) throw unknownKey()
  return fromDb(row)
}

/**
 * Returns the mode of one of the account's keys and its hash in hex, which is enough to make calls with the key; null if the account has no such key. Inactive
 * keys are included: the request pipeline rejects their calls.
 */
export async function ownKeyHash(db: Database, accountId: number, id: string): Promise<{ hash: string; mode: Mode } | null> {
  const row = await readOwnHash(db, accountId, id)
  return row ? { hash: row.hash.toString('hex'), mode: row.mode } : null
}

export type NewOwnKey = {
  readonly mode: Mode
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly addresses: readonly string[]
  readonly capCredits: number | null
  readonly expiresAt: Date | null
}

/** Key details for the audit log, without the secret. */
const toAuditDetails = (key: NewOwnKey) => ({
  mode: key.mode,
  name: key.name,
  scopes: key.scopes,
  addresses: key.addresses,
  capCredits: key.capCredits,
  expiresAt: key.expiresAt?.toISOString() ?? null,
})

async function issue(client: Transaction, owner: KeyOwner, key: NewOwnKey): Promise<{ id: string; key: string }> {
  const { accountId, address } = owner
  if ((await countNewKeys(client, accountId)) >= maxPerHour)
    throw new FieldsError({ form: `An account can create ${maxPerHour} keys an hour. Try again later.` })
  const { capCredits: spendCapCredits, ...rest } = key
  const made = await createKey(client, { accountId, spendCapCredits, ...rest })
  await writeAudit(client, { accountId, actor: 'account', action: 'key.create', subject: made.id, after: toAuditDetails(key), address })
  return made
}

function requireConfirmed({ isConfirmed }: KeyOwner): void {
  if (!isConfirmed) throw new RefusedError(refuse('email_not_verified', {}, 'Confirm your email before creating a key.'))
}

/**
 * Locks the wallet of an account before a key is created. Rejects a closed account: closing revoked its keys, and a key created afterwards would stay active.
 * @throws RefusedError account_blocked
 */
async function lockOpenAccount(client: Transaction, accountId: number): Promise<void> {
  await holdWallet(client, accountId)
  if (await isClosed(client, accountId)) throw new RefusedError(refuse('account_blocked', { reason: 'closed' }, 'This account is closed.'))
}

/**
 * Creates a key in the portal. The full key is only in the return value.
 * @throws RefusedError email_not_verified, account_blocked; FieldsError if the account has too many keys or created too many recently; KeyRequestError
 */
export async function createOwnKey(pool: Database, owner: KeyOwner, key: NewOwnKey): Promise<{ id: string; key: string }> {
  requireConfirmed(owner)
  return inTransaction(pool, async (client) => {
    await lockOpenAccount(client, owner.accountId)
    if ((await countWorkingKeys(client, owner.accountId)) >= maxActive) {
      throw tooManyKeys()
    }
    return issue(client, owner, key)
  })
}

/** Creates an account's first key, a test key with all scopes. Returns null if the account already has a key. */
export async function createFirstKey(pool: Database, owner: KeyOwner, scopes: readonly Scope[]): Promise<{ id: string; key: string } | null> {
  requireConfirmed(owner)
  return inTransaction(pool, async (client) => {
    await lockOpenAccount(client, owner.accountId)
    if ((await readOwnKeys(client, owner.accountId, 1)).length > 0) return null
    return issue(client, owner, { mode: 'test', name: 'First test key', scopes, addresses: [], capCredits: null, expiresAt: null })
  })
}

/** Hours for which the old key can keep working after a rotation. */
export const overlaps = [0, 1, 6, 24] as const

export type Overlap = (typeof overlaps)[number]

/**
 * Rotates a key in one transaction: creates a key with the same permissions and ends the old one. Without an overlap, the old key is rejected from the
 * next call on.
 * @throws RefusedError not_found, email_not_verified; FieldsError if the key has already ended or the account has too many keys
 */
export async function rotateKey(pool: Database, owner: KeyOwner, id: string, overlap: Overlap): Promise<{ id: string; key: string; oldEndsAt: Date }> {
  return inTransaction(pool, async (client) => {
    await lockOpenAccount(client, owner.accountId)
    const old = await ownKey(client, owner.accountId, id)
    if (old.state !== 'active') throw new FieldsError({ form: 'This key has ended or is about to. Create a new one.' })
    requireConfirmed(owner)
    // During an overlap both keys are active, so the new key must fit into the limit.
    if (overlap > 0 && (await countWorkingKeys(client, owner.accountId)) >= maxActive) throw tooManyKeys()
    const made = await issue(client, owner, { ...old, expiresAt: old.endsAt })
    const oldEndsAt = new Date(clock.now() + overlap * 3_600_000)
    await endKey(client, id, overlap === 0 ? null : oldEndsAt)
    await linkSuccessor(client, id, made.id)
    const { accountId, address } = owner
    const after = { replacedBy: made.id, oldEndsAt: oldEndsAt.toISOString() }
    await writeAudit(client, { accountId, actor: 'account', action: 'key.rotate', subject: id, after, address })
    return { ...made, oldEndsAt }
  })
}

/** Revokes a key. Returns false and writes nothing if it was already revoked. @throws RefusedError not_found */
async function revoke(pool: Database, by: Actor, accountId: number, id: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await holdWallet(client, accountId)
    const { state } = await ownKey(client, accountId, id)
    if (state === 'revoked') return false
    await endKey(client, id, null)
    await writeAudit(client, { ...by, accountId, action: 'key.revoke', subject: id, before: { state } })
    return true
  })
}

/** Revokes a key, effective with the next request on every process. Idempotent. @throws RefusedError not_found */
export async function revokeOwnKey(pool: Database, { accountId, address }: KeyOwner, id: string): Promise<void> {
  await revoke(pool, { actor: 'account', address }, accountId, id)
}

/** Revokes a customer's key as an administrator. @throws RefusedError not_found; FieldsError if it is already revoked */
export async function revokeKeyAsAdmin(pool: Database, by: AdminActor, accountId: number, id: string): Promise<void> {
  if (!(await revoke(pool, by, accountId, id))) throw new FieldsError({ form: 'This key is already revoked.' })
}

/** Revokes all keys of an account, in the transaction that closes it. */
export async function revokeAllKeys(client: Transaction, accountId: number): Promise<void> {
  await holdWallet(client, accountId)
  await endAllKeys(client, accountId)
}
