import { createHmac } from 'node:crypto'
import { holdWallet } from '#server/accounts/accounts.ts'
import { dataScopes, type Scope, scopeNames, testKeyPerMinute } from '#server/api/contract/access.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { clock } from '#server/clock.ts'
import type { KeyMeter, Prisma } from '#server/db/generated/client.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import { faultyRanges } from './address-list.ts'
import { appendChecksum, hashKey, keyHint, newKey } from './key-secret.ts'

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
  /** Login of the person who creates the key. */
  createdById?: number
  /** Application for which the user approved the key. */
  oauthClientId?: number | null
  /** Spending carried over from the key that this one replaces. */
  spending?: Partial<Pick<KeyMeter, 'month' | 'monthSpent' | 'capId'>>
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
export async function createKey(db: Db, request: KeyRequest): Promise<{ id: string; key: string }> {
  check(request)
  return issue(db, request, false)
}

export type PartnerKeyRequest = Pick<KeyRequest, 'accountId' | 'name' | 'addresses' | 'expiresAt'>

/**
 * Creates a partner API key, which reads live data free of charge. For administrators only: accounts use `createKey`, which can't create partner keys.
 * @throws KeyRequestError if a range or the expiry is invalid.
 */
export async function createPartnerKey(db: Database, request: PartnerKeyRequest): Promise<{ id: string; key: string }> {
  checkUse(request)
  return issue(db, { ...request, mode: 'live', scopes: [] }, true)
}

async function issue(db: Db, request: KeyRequest, isPartner: boolean): Promise<{ id: string; key: string }> {
  const key = newKey(isPartner ? 'partner' : request.mode)
  const publicId = newPublicId('key')
  const { accountId, mode, expiresAt = null, createdById, oauthClientId = null, spending } = request
  const ownMinute = mode === 'test' ? testKeyPerMinute : null
  await db.apiKey.create({
    data: {
      publicId,
      hash: hashKey(key),
      mode,
      partner: isPartner,
      name: request.name ?? '',
      hint: keyHint(key),
      scopes: [...new Set(request.scopes)],
      addresses: [...(request.addresses ?? [])],
      expiresAt,
      account: { connect: { id: accountId } },
      ...(oauthClientId === null ? {} : { oauthClient: { connect: { id: oauthClientId } } }),
      ...(createdById === undefined ? {} : { createdBy: { connect: { id: createdById } } }),
      meter: { create: { accountId, live: mode === 'live', ownMinute, monthCap: request.spendCapCredits ?? null, endsAt: expiresAt, ...spending } },
    },
    select: { id: true },
  })
  return { id: publicId, key }
}

/** End time of a key that was revoked immediately. With the current time, the key would work again if the clock were set back. */
export const immediately = new Date(0)

/** Revokes keys immediately. Their new version makes every process reload them. */
export async function endKeys(tx: Transaction, where: Prisma.ApiKeyWhereInput): Promise<void> {
  const now = new Date(clock.now())
  // Two statements, because a Citus cluster can't join keys, which are on the coordinator, in an update of meters, which are on the workers.
  const keys = await tx.apiKey.findMany({ where, select: { id: true, accountId: true } })
  const meters = { accountId: { in: [...new Set(keys.map(({ accountId }) => accountId))] }, keyId: { in: keys.map(({ id }) => id) } }
  await tx.keyMeter.updateMany({ where: meters, data: { version: { increment: 1 }, endsAt: immediately } })
  await tx.apiKey.updateMany({ where: { AND: [where, { OR: [{ revokedAt: null }, { revokedAt: { gt: now } }] }] }, data: { revokedAt: now } })
}

/** Revokes a key, effective with the next request on every process. @throws KeyRequestError if there is no such key. */
export async function revokeKey(db: Database, id: string): Promise<void> {
  const key = await db.apiKey.findUnique({ where: { publicId: id }, select: { id: true } })
  if (!key) throw new KeyRequestError(`There is no key "${id}".`)
  await inTransaction(db, (tx) => endKeys(tx, key))
}

/** Returns true if this service issued the key, revoked or not. */
export const isKnownKey = async (db: Db, key: string): Promise<boolean> =>
  (await db.apiKey.findUnique({ where: { hash: hashKey(key) }, select: { id: true } })) !== null

const maxNamed = 1_000

/** Revokes an account's active keys with this name, at most 1,000. Returns how many it revoked. */
export async function revokeNamed(tx: Transaction, accountId: number, name: string): Promise<number> {
  const keys = await tx.apiKey.findMany({ where: { accountId, name, revokedAt: null }, orderBy: { id: 'asc' }, take: maxNamed, select: { id: true } })
  await endKeys(tx, { id: { in: keys.map(({ id }) => id) } })
  return keys.length
}

/**
 * Condition for a confirmed account with at least one active key, including keys in a rotation overlap. Excludes the service's own accounts, because they have
 * no confirmed address.
 */
function holdsKey() {
  const isLater = { gt: new Date(clock.now()) }
  const isActive = [{ OR: [{ revokedAt: null }, { revokedAt: isLater }] }, { OR: [{ expiresAt: null }, { expiresAt: isLater }] }]
  return { emailVerifiedAt: { not: null }, closedAt: null, keys: { some: { AND: isActive } } } as const satisfies Prisma.AccountWhereInput
}

/** Returns the accounts with an active key and `after` < id <= `upTo`, in id order. Their owners are emailed about API changes. */
export async function keyHolders(tx: Transaction, after: number, upTo: number): Promise<{ accountId: number; email: string }[]> {
  const where = { id: { gt: after, lte: upTo }, ...holdsKey() }
  const accounts = await tx.account.findMany({
    where,
    orderBy: { id: 'asc' },
    take: Math.max(0, upTo - after),
    select: { id: true, email: true, owner: { select: { email: true } } },
  })
  return accounts.map(({ id, email, owner }) => ({ accountId: id, email: owner?.email ?? email }))
}

/** Counts accounts with an active key. */
export const countKeyHolders = (db: Db): Promise<number> => db.account.count({ where: holdsKey() })

/**
 * Finds the public id of the account that owns a key, given the key id (`key_…`) or the key itself, which is hashed before the lookup. Returns null if there
 * is no such key.
 */
export async function getHolder(db: Database, text: string): Promise<string | null> {
  const where: Prisma.ApiKeyWhereUniqueInput = text.startsWith('key_') ? { publicId: text } : { hash: hashKey(text) }
  return (await db.apiKey.findUnique({ where, select: { account: { select: { publicId: true } } } }))?.account.publicId ?? null
}

/**
 * Derives a test key for the service itself from the service secret. Every process can derive the same key, so only its hash is stored. Each `purpose` yields a
 * different key.
 */
export function serviceKey(secret: string, purpose: string): string {
  const digest = createHmac('sha256', secret).update(`service key: ${purpose}`).digest('hex')
  return appendChecksum(`svc_test_${digest.slice(0, 30)}`)
}

type ServiceKeyOptions = { readonly accountId: number; readonly name: string; readonly perMinute: number }

/** Inserts a test key and its counters, unless another process already has. */
async function insertServiceKey(tx: Transaction, key: string, { accountId, name, perMinute }: ServiceKeyOptions): Promise<void> {
  const data = { publicId: newPublicId('key'), accountId, hash: hashKey(key), mode: 'test' as const, name, hint: keyHint(key), scopes: [...dataScopes] }
  const [inserted] = await tx.apiKey.createManyAndReturn({ data: [data], skipDuplicates: true, select: { id: true } })
  if (!inserted) return
  await tx.keyMeter.create({ data: { keyId: inserted.id, accountId, live: false, ownMinute: perMinute }, select: { keyId: true } })
}

/** Condition for a service key that no longer works because it was revoked or its account was closed. */
const isInactive: Prisma.ApiKeyWhereInput = {
  OR: [{ revokedAt: { not: null } }, { meter: { endsAt: { not: null } } }, { account: { closedAt: { not: null } } }],
}

/**
 * Stores a service key in an account, with all scopes and its own per-minute limit, unless it is already stored. If the key was revoked or its account was
 * closed, moves the key to this account and reactivates it: the same secret always yields the same key, so a new one can't be created.
 */
export async function keepServiceKey(db: Database, key: string, options: ServiceKeyOptions): Promise<void> {
  const { accountId } = options
  await inTransaction(db, (tx) => insertServiceKey(tx, key, options))
  const inactive = await db.apiKey.findFirst({ where: { hash: hashKey(key), ...isInactive }, select: { id: true, accountId: true } })
  if (!inactive) return
  await inTransaction(db, async (tx) => {
    await holdWallet(tx, inactive.accountId, accountId)
    const where = { id: inactive.id }
    if ((await tx.apiKey.count({ where: { ...where, ...isInactive } })) === 0) return
    await tx.apiKey.update({ where, data: { accountId, revokedAt: null, expiresAt: null }, select: { id: true } })
    // Creates the row again, because on a Citus cluster rows can't move to another account. The new version makes every process reload the key.
    const { live, ownMinute, version } = await tx.keyMeter.delete({ where: { keyId: inactive.id }, select: { live: true, ownMinute: true, version: true } })
    await tx.keyMeter.create({ data: { keyId: inactive.id, accountId, live, ownMinute, version: version + 1 }, select: { keyId: true } })
  })
}
