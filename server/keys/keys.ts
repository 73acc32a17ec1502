import { createHmac } from 'node:crypto'
import { holdWallets } from '#server/accounts/accounts.ts'
import { type Scope, scopeNames, testKeyPerMinute } from '#server/api/contract/access.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { clock } from '#server/clock.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import { faultyRanges } from './address-list.ts'
import { appendChecksum, hashKey, keyHint, newKey } from './key-secret.ts'
import {
  countHolders,
  endKey,
  insertKey,
  insertServiceKey,
  isKeptHash,
  readHolder,
  readHolderOfLost,
  readIdsNamed,
  readKeyHolders,
  reviveServiceKey,
} from './keys.store.ts'

export type KeyRequest = {
  accountId: number
  mode: Mode
  scopes: readonly Scope[]
  name?: string
  /** IP addresses and CIDR ranges that can use the key; empty for any. */
  addresses?: readonly string[]
  /** Maximum credits the key can spend in a UTC calendar month. */
  spendCapCredits?: number | null
  expiresAt?: Date | null
}

/** Thrown if a key can't be created as requested. The message says what to change. */
export class KeyRequestError extends Error {
  override name = 'KeyRequestError'
}

function check(request: KeyRequest): void {
  if (request.scopes.length === 0) throw new KeyRequestError(`Choose at least one scope: ${scopeNames.join(', ')}.`)
  if (request.spendCapCredits != null && (!Number.isSafeInteger(request.spendCapCredits) || request.spendCapCredits < 0)) {
    throw new KeyRequestError('The spend cap must be a whole number of credits, 0 or more.')
  }
  checkUse(request)
}

/** Checks the IP ranges and the expiry. */
function checkUse(request: Pick<KeyRequest, 'addresses' | 'expiresAt'>): void {
  const faulty = faultyRanges(request.addresses ?? [])
  if (faulty.length > 0) throw new KeyRequestError(`"${faulty[0]}" is not an IP address or range.`)
  if ((request.addresses?.length ?? 0) > 100) throw new KeyRequestError('A key can have at most 100 addresses and ranges.')
  if (request.expiresAt && !(request.expiresAt.getTime() > clock.now())) throw new KeyRequestError('Expiry must be in the future.')
}

/**
 * Creates a key. The full key is only in the return value: only its hash is stored.
 * @throws KeyRequestError if a scope, range, cap or expiry is invalid.
 */
export async function createKey(pool: Db, request: KeyRequest): Promise<{ id: string; key: string }> {
  check(request)
  return issue(pool, request, false)
}

export type PartnerKeyRequest = Pick<KeyRequest, 'accountId' | 'name' | 'addresses' | 'expiresAt'>

/**
 * Creates a partner API key, which reads live data free of charge. For administrators only: accounts use `createKey`, which can't create partner keys.
 * @throws KeyRequestError if a range or the expiry is invalid.
 */
export async function createPartnerKey(pool: Database, request: PartnerKeyRequest): Promise<{ id: string; key: string }> {
  checkUse(request)
  return issue(pool, { ...request, mode: 'live', scopes: [] }, true)
}

async function issue(pool: Db, request: KeyRequest, isPartner: boolean): Promise<{ id: string; key: string }> {
  const key = newKey(isPartner ? 'partner' : request.mode)
  const id = newPublicId('key')
  await insertKey(pool, {
    publicId: id,
    accountId: request.accountId,
    hash: hashKey(key),
    mode: request.mode,
    isPartner,
    name: request.name ?? '',
    hint: keyHint(key),
    scopes: [...new Set(request.scopes)],
    addresses: request.addresses ?? [],
    expiresAt: request.expiresAt ?? null,
    monthCap: request.spendCapCredits ?? null,
    ownMinuteLimit: request.mode === 'test' ? testKeyPerMinute : null,
  })
  return { id, key }
}

/** Revokes a key, effective with the next request on every process. @throws KeyRequestError if there is no such key. */
export async function revokeKey(pool: Database, id: string): Promise<void> {
  if (!(await endKey(pool, id, null))) throw new KeyRequestError(`There is no key "${id}".`)
}

/** Returns true if this service issued the key, revoked or not. */
export const isKnownKey = (client: Db, key: string): Promise<boolean> => isKeptHash(client, hashKey(key))

/** Revokes an account's active keys with this name. Returns how many it revoked. */
export async function revokeNamed(client: Db, accountId: number, name: string): Promise<number> {
  const ids = await readIdsNamed(client, accountId, name)
  for (const id of ids) await endKey(client, id, null)
  return ids.length
}

/** Returns the accounts with an active key and `after` < id <= `upTo`, in id order. These are the accounts that are emailed about API changes. */
export async function keyHolders(client: Transaction, after: number, upTo: number): Promise<{ accountId: number; email: string }[]> {
  return (await readKeyHolders(client, after, upTo)).map(({ id, email }) => ({ accountId: Number(id), email }))
}

/** Counts accounts with an active key. */
export const countKeyHolders = (db: Db): Promise<number> => countHolders(db)

/**
 * Finds the public id of the account that owns a key, given the key id (`key_…`) or the key itself, which is hashed before the lookup. Returns null if there
 * is no such key.
 */
export const getHolder = (pool: Database, text: string): Promise<string | null> =>
  readHolder(pool, text.startsWith('key_') ? { publicId: text } : { hash: hashKey(text) })

/**
 * Derives a test key for the service itself from the service secret. Every process can derive the same key, so only its hash is stored. Each `purpose` has a
 * different key.
 */
export function serviceKey(secret: string, purpose: string): string {
  const digest = createHmac('sha256', secret).update(`service key: ${purpose}`).digest('hex')
  return appendChecksum(`svc_test_${digest.slice(0, 30)}`)
}

type ServiceKeyOptions = { readonly accountId: number; readonly name: string; readonly perMinute: number }

/**
 * Stores a service key in an account, with all scopes and its own per-minute limit, unless it is already stored. If the key was revoked or its account was
 * closed, moves it to this account and reactivates it: the same secret always derives the same key, so there can be no new one.
 */
export async function keepServiceKey(pool: Database, key: string, { accountId, name, perMinute }: ServiceKeyOptions): Promise<void> {
  const hash = hashKey(key)
  await insertServiceKey(pool, { publicId: newPublicId('key'), hash, hint: keyHint(key), scopes: scopeNames, accountId, name, minuteLimit: perMinute })
  const holder = await readHolderOfLost(pool, hash)
  if (holder === null) return
  await inTransaction(pool, async (client) => {
    await holdWallets(client, [holder, accountId])
    await reviveServiceKey(client, hash, accountId)
  })
}
