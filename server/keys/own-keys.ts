import type { Pool, PoolClient } from 'pg'
import { type Actor, type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { holdWallet } from '#server/accounts/wallets.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Scope } from '#server/api/contract/scopes.ts'
import { clock } from '#server/clock.ts'
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

/** Who changes keys in the portal. */
export type KeyOwner = { readonly accountId: number; readonly isConfirmed: boolean; readonly address: string | null }

export type KeyState = 'active' | 'ending' | 'expired' | 'revoked'

/** A key as its owner sees it; the key itself is nowhere. */
export type OwnKey = {
  readonly id: string
  readonly mode: Mode
  readonly name: string
  /** Beginning and end, such as `svc_live_…7Qx2`. */
  readonly hint: string
  readonly scopes: readonly Scope[]
  readonly addresses: readonly string[]
  readonly createdAt: Date
  readonly state: KeyState
  /** When it stops, or has stopped: its expiry, its revocation, or the end of an overlap. */
  readonly endsAt: Date | null
  readonly usedAt: Date | null
  readonly usedFrom: string | null
  /** This month. What the key that it took the place of spent in it is counted too, since the cap goes on. */
  readonly spentCredits: number
  readonly isSuccessor: boolean
  /** Most credits in a calendar month; null: no cap. */
  readonly capCredits: number | null
  /** The key that took its place. */
  readonly replacedBy: string | null
}

const mostShown = 200
const mostWorking = 50
/** Keys stay for good, also those that are revoked at once. */
const mostAnHour = 60

function stateOf({ revoked_at: revoked, is_revoked: isRevoked, expires_at: expires }: OwnKeyRow, now: number): KeyState {
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
  state: stateOf(row, clock.now()),
  endsAt: earlier(row.revoked_at, row.expires_at),
  usedAt: row.used_at,
  usedFrom: row.used_from,
  spentCredits: Number(row.month_spent),
  isSuccessor: row.is_successor,
  capCredits: row.month_cap === null ? null : Number(row.month_cap),
  replacedBy: row.replaced_by,
})

const tooManyKeys = () => new FieldsError({ form: `An account can have ${mostWorking} keys that work. Revoke one first.` })

/** A key that is not the account's is as unknown as one that never was. */
const unknownKey = () => new RefusedError(refuse('not_found', {}, 'There is no such key.'))

/** The keys of an account, those that work first; 200 at most. */
export async function ownKeys(pool: Pool, accountId: number): Promise<OwnKey[]> {
  return (await readOwnKeys(pool, accountId, mostShown)).map(fromDb)
}

const endedOnPage = 50

/** Keys that no longer work, the newest first, in pages; `next` asks for the page behind this one. `count` is how many there are in all. */
export type EndedKeys = { readonly keys: readonly OwnKey[]; readonly next: string | null; readonly count: number }

export async function endedKeys(pool: Pool, accountId: number, before: string | null): Promise<EndedKeys> {
  const [rows, count] = await Promise.all([readEndedKeys(pool, accountId, before, endedOnPage + 1), countEndedKeys(pool, accountId)])
  const keys = rows.slice(0, endedOnPage).map(fromDb)
  return { keys, next: rows.length > endedOnPage ? (keys.at(-1)?.id ?? null) : null, count }
}

/** @throws RefusedError not_found */
export async function ownKey(db: Pool | PoolClient, accountId: number, id: string): Promise<OwnKey> {
  const row = await readOwnKey(db, accountId, id)
  if (!row) throw unknownKey()
  return fromDb(row)
}

/** What a call with a key of the account needs of it, without the key; of one that has ended too, which the gate refuses. Null: the account has no such key. */
export async function ownKeyHash(db: Pool, accountId: number, id: string): Promise<{ hash: string; mode: Mode } | null> {
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

/** What the audit log keeps of a key: everything but the key. */
const facts = (key: NewOwnKey) => ({
  mode: key.mode,
  name: key.name,
  scopes: key.scopes,
  addresses: key.addresses,
  capCredits: key.capCredits,
  expiresAt: key.expiresAt?.toISOString() ?? null,
})

async function issue(client: PoolClient, owner: KeyOwner, key: NewOwnKey): Promise<{ id: string; key: string }> {
  const { accountId, address } = owner
  if ((await countNewKeys(client, accountId)) >= mostAnHour) throw new FieldsError({ form: `An account can make ${mostAnHour} keys an hour. Try again later.` })
  const { capCredits: spendCapCredits, ...rest } = key
  const made = await createKey(client, { accountId, spendCapCredits, ...rest })
  await writeAudit(client, { accountId, actor: 'account', action: 'key.create', subject: made.id, after: facts(key), address })
  return made
}

function mayHold({ isConfirmed }: KeyOwner): void {
  if (!isConfirmed) throw new RefusedError(refuse('email_not_verified', {}, 'Confirm your email before creating a key.'))
}

/** Holds an account that is to get a key. One that was closed while this waited gets none: nothing would ever end it. @throws RefusedError account_blocked */
async function holdOpen(client: PoolClient, accountId: number): Promise<void> {
  await holdWallet(client, accountId)
  if (await isClosed(client, accountId)) throw new RefusedError(refuse('account_blocked', { reason: 'closed' }, 'This account is closed.'))
}

/**
 * Makes a key in the portal. The full key is in the answer and nowhere else.
 * @throws RefusedError email_not_verified, account_blocked; FieldsError when there are too many keys, or too many new ones; KeyRequestError
 */
export async function createOwnKey(pool: Pool, owner: KeyOwner, key: NewOwnKey): Promise<{ id: string; key: string }> {
  mayHold(owner)
  return inTransaction(pool, async (client) => {
    await holdOpen(client, owner.accountId)
    if ((await countWorkingKeys(client, owner.accountId)) >= mostWorking) {
      throw tooManyKeys()
    }
    return issue(client, owner, key)
  })
}

/** Makes the first key of an account, a test key for everything; null when it has one. */
export async function createFirstKey(pool: Pool, owner: KeyOwner, scopes: readonly Scope[]): Promise<{ id: string; key: string } | null> {
  mayHold(owner)
  return inTransaction(pool, async (client) => {
    await holdOpen(client, owner.accountId)
    if ((await readOwnKeys(client, owner.accountId, 1)).length > 0) return null
    return issue(client, owner, { mode: 'test', name: 'First test key', scopes, addresses: [], capCredits: null, expiresAt: null })
  })
}

/** Hours for which the old key may go on working after a rotation. */
export const overlaps = [0, 1, 6, 24] as const

export type Overlap = (typeof overlaps)[number]

/**
 * Rotates a key: a new one with the same rights, and the old one ends, in one step. Without an overlap the old one fails with the next call.
 * @throws RefusedError not_found, email_not_verified; FieldsError when the key has ended already, or there are too many
 */
export async function rotateKey(pool: Pool, owner: KeyOwner, id: string, overlap: Overlap): Promise<{ id: string; key: string; oldEndsAt: Date }> {
  return inTransaction(pool, async (client) => {
    await holdOpen(client, owner.accountId)
    const old = await ownKey(client, owner.accountId, id)
    if (old.state !== 'active') throw new FieldsError({ form: 'This key has ended or is about to. Create a new one.' })
    mayHold(owner)
    // Keys in an overlap work as well, and are counted: otherwise rotations would be a way around the number of keys.
    if (overlap > 0 && (await countWorkingKeys(client, owner.accountId)) >= mostWorking) throw tooManyKeys()
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

/** False when it was revoked before, and then nothing is written. @throws RefusedError not_found */
async function revoke(pool: Pool, by: Actor, accountId: number, id: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await holdWallet(client, accountId)
    const { state } = await ownKey(client, accountId, id)
    if (state === 'revoked') return false
    await endKey(client, id, null)
    await writeAudit(client, { ...by, accountId, action: 'key.revoke', subject: id, before: { state } })
    return true
  })
}

/** Revokes a key on every process with its next request. Revoking twice is revoking once. @throws RefusedError not_found */
export async function revokeOwnKey(pool: Pool, { accountId, address }: KeyOwner, id: string): Promise<void> {
  await revoke(pool, { actor: 'account', address }, accountId, id)
}

/** The same, from the desk. @throws RefusedError not_found; FieldsError when it was revoked before */
export async function revokeKeyAsAdmin(pool: Pool, by: AdminActor, accountId: number, id: string): Promise<void> {
  if (!(await revoke(pool, by, accountId, id))) throw new FieldsError({ form: 'This key is revoked already.' })
}

/** Ends every key of an account within the transaction that closes it. */
export async function revokeAllKeys(client: PoolClient, accountId: number): Promise<void> {
  await holdWallet(client, accountId)
  await endAllKeys(client, accountId)
}
