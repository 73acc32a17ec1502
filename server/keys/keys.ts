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
export async function createKey(pool: Pool | PoolClient, request: KeyRequest): Promise<{ id: string; key: string }> {
  check(request)
  return issue(pool, request, false)
}

export type PartnerKeyRequest = Pick<KeyRequest, 'accountId' | 'name' | 'addresses' | 'expiresAt'>

/**
 * Creates a partner API key, which reads live data free of charge. For administrators only: accounts use `createKey`, which can't create one.
 * @throws KeyRequestError if a range or the expiry is invalid.
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

/** Revokes a key, effective with the next request on every process. @throws KeyRequestError if there is no such key. */
export async function revokeKey(pool: Pool, id: string): Promise<void> {
  if (!(await endKey(pool, id, null))) throw new KeyRequestError(`There is no key "${id}".`)
}
