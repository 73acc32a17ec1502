import type { Pool, PoolClient } from 'pg'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { testKeyPerMinute } from '#server/api/contract/plans.ts'
import { type Scope, scopeNames } from '#server/api/contract/scopes.ts'
import { clock } from '#server/clock.ts'
import { newPublicId } from '#server/ids.ts'
import { faultyRanges } from './address-list.ts'
import { hashKey, keyHint, newKey } from './key-format.ts'
import { endKey, insertKey } from './keys.store.ts'

export type KeyRequest = {
  accountId: number
  mode: Mode
  scopes: readonly Scope[]
  name?: string
  /** Addresses and CIDR ranges that may use the key; empty: all. */
  addresses?: readonly string[]
  /** Most credits the key may spend in a UTC calendar month. */
  spendCapCredits?: number | null
  expiresAt?: Date | null
}

/** A key cannot be made as asked; the message says what to change. */
export class KeyRequestError extends Error {
  override name = 'KeyRequestError'
}

function check(request: KeyRequest): void {
  if (request.scopes.length === 0) throw new KeyRequestError(`Choose at least one scope: ${scopeNames.join(', ')}.`)
  if (request.spendCapCredits != null && (!Number.isSafeInteger(request.spendCapCredits) || request.spendCapCredits < 0)) {
    throw new KeyRequestError('The spend cap is a whole number of credits, 0 or more.')
  }
  checkUse(request)
}

/** From where and until when a key may be used. */
function checkUse(request: Pick<KeyRequest, 'addresses' | 'expiresAt'>): void {
  const faulty = faultyRanges(request.addresses ?? [])
  if (faulty.length > 0) throw new KeyRequestError(`"${faulty[0]}" is not an IP address or range.`)
  if ((request.addresses?.length ?? 0) > 100) throw new KeyRequestError('A key can have at most 100 addresses and ranges.')
  if (request.expiresAt && !(request.expiresAt.getTime() > clock.now())) throw new KeyRequestError('The expiry has to lie ahead.')
}

/**
 * Makes a key. The full key is in the answer and nowhere else: only its hash is kept.
 * @throws KeyRequestError when a scope, range, cap or expiry cannot be used.
 */
export async function createKey(pool: Pool | PoolClient, request: KeyRequest): Promise<{ id: string; key: string }> {
  check(request)
  return issue(pool, request, false)
}

export type PartnerKeyRequest = Pick<KeyRequest, 'accountId' | 'name' | 'addresses' | 'expiresAt'>

/**
 * Makes a key of the partner API, which reads live data and pays nothing. For an administrator alone: whatever an account does for itself goes through
 * `createKey`, which cannot make one.
 * @throws KeyRequestError when a range or the expiry cannot be used.
 */
export async function createPartnerKey(pool: Pool, request: PartnerKeyRequest): Promise<{ id: string; key: string }> {
  checkUse(request)
  return issue(pool, { ...request, mode: 'live', scopes: [] }, true)
}

async function issue(pool: Pool | PoolClient, request: KeyRequest, isPartner: boolean): Promise<{ id: string; key: string }> {
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

/** Revokes a key on every process with its next request. @throws KeyRequestError when there is no such key. */
export async function revokeKey(pool: Pool, id: string): Promise<void> {
  if (!(await endKey(pool, id, null))) throw new KeyRequestError(`There is no key "${id}".`)
}
