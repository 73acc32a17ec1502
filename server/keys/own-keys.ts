import { readMemberLabels } from '#server/accounts/member-labels.ts'
import type { Scope } from '#server/api/contract/access.ts'
import { monthNumber } from '#server/api/contract/dates.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database, Db } from '#server/db/prisma.ts'
import { immediately } from './keys.ts'

export type KeyState = 'active' | 'ending' | 'expired' | 'revoked'

const maxShown = 200
const select = {
  id: true,
  publicId: true,
  mode: true,
  name: true,
  hint: true,
  scopes: true,
  addresses: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  replacedBy: true,
  meter: { select: { endsAt: true, month: true, monthSpent: true, monthCap: true, capId: true } },
  use: { select: { at: true, address: true } },
  createdById: true,
  oauthClientId: true,
} as const satisfies Prisma.ApiKeySelect

export type StoredKey = Prisma.ApiKeyGetPayload<{ select: typeof select }>

/** Condition for a key that works, as in the admission statement. */
export function isActive() {
  return { OR: [{ endsAt: null }, { endsAt: { gt: new Date(clock.now()) } }] }
}

/** Condition for a key that has ended. */
const hasEnded = () => ({ endsAt: { lte: new Date(clock.now()) } })

/** Returns the state of a key. `ending` means that it still works until a rotation overlap ends. */
export function getState({ revokedAt, expiresAt, meter }: StoredKey): KeyState {
  const now = clock.now()
  const isRevoked = meter?.endsAt?.getTime() === immediately.getTime()
  if (isRevoked || (revokedAt !== null && revokedAt.getTime() <= now)) return 'revoked'
  if (expiresAt !== null && expiresAt.getTime() <= now) return 'expired'
  return revokedAt === null ? 'active' : 'ending'
}

export const earlier = (a: Date | null, b: Date | null): Date | null => (a !== null && b !== null ? (a < b ? a : b) : (a ?? b))

const linkedSelect = {
  id: true,
  publicId: true,
  replacedBy: true,
  hint: true,
  mode: true,
  meter: { select: { endsAt: true } },
} as const satisfies Prisma.ApiKeySelect

/** Key that replaced, or was replaced by, another in a rotation. */
type Linked = Prisma.ApiKeyGetPayload<{ select: typeof linkedSelect }>

/** Prefix and last characters of a key, such as `svc_live_…7Qx2`. */
const toHint = ({ mode, hint }: Pick<Linked, 'mode' | 'hint'>): string => `svc_${mode}_…${hint}`

/** Returns the key that this one replaced, if it still works. */
function getPredecessor(id: number, linked: readonly Linked[]) {
  const now = clock.now()
  const old = linked.find(({ replacedBy, meter }) => replacedBy === id && meter?.endsAt && meter.endsAt.getTime() > now)
  return old?.meter?.endsAt ? { id: old.publicId, hint: toHint(old), endsAt: old.meter.endsAt } : null
}

/** Returns a key as its owner sees it, without the secret. */
export function toOwnKey(key: StoredKey, linked: readonly Linked[], toCreator: (id: number) => string | null = () => null) {
  const { id, publicId, hint, mode, scopes, revokedAt, replacedBy, meter, use, createdById, oauthClientId: _, ...shown } = key
  return {
    ...shown,
    id: publicId,
    mode,
    hint: toHint({ mode, hint }),
    scopes: scopes as Scope[],
    state: getState(key),
    /** Time at which the key stops or stopped working: its expiry, its revocation or the end of a rotation overlap. */
    endsAt: earlier(revokedAt, key.expiresAt),
    /** Name or email of the person who created the key; null if unknown. */
    createdBy: createdById === null ? null : toCreator(createdById),
    usedAt: use?.at ?? null,
    usedFrom: use?.address ?? null,
    /** Credits spent this UTC month. After a rotation the new key starts with the spend of the old one, so the cap can't be reset by rotating. */
    spentCredits: meter?.month === monthNumber(clock.now()) ? Number(meter.monthSpent) : 0,
    isSuccessor: linked.some((other) => other.replacedBy === id),
    /** The replaced key, while it still works; null otherwise. */
    predecessor: getPredecessor(id, linked),
    /** Maximum credits per calendar month; null for no cap. */
    capCredits: meter?.monthCap == null ? null : Number(meter.monthCap),
    /** Public id of the key that replaced this one in a rotation; null if there is none. */
    replacedBy: linked.find((other) => other.id === replacedBy)?.publicId ?? null,
  }
}

/** Excludes partner keys, which administrators manage. */
export const ownedBy = (accountId: number) => ({ accountId, partner: false })

/** Adds the creator of each key and its rotation links: its successor, and whether it is a successor itself. */
async function withLinks(db: Db, accountId: number, keys: readonly StoredKey[]) {
  const successors = keys.flatMap(({ replacedBy }) => (replacedBy === null ? [] : [replacedBy]))
  const where = { accountId, OR: [{ id: { in: successors } }, { replacedBy: { in: keys.map(({ id }) => id) } }] }
  const linked = await db.apiKey.findMany({ where, take: 2 * keys.length, select: linkedSelect })
  const toCreator = await readMemberLabels(
    db,
    accountId,
    keys.map(({ createdById }) => createdById),
  )
  return keys.map((key) => toOwnKey(key, linked, toCreator))
}

/** Finds one of the account's keys. @throws RefusedError not_found */
export async function findKey(db: Db, accountId: number, publicId: string): Promise<StoredKey> {
  const key = await db.apiKey.findFirst({ where: { ...ownedBy(accountId), publicId }, select })
  if (!key) throw unknownKey()
  return key
}

/** Creates the error for a key that doesn't exist or belongs to another account. The two cases must look the same. */
const unknownKey = () => new RefusedError(refuse('not_found', {}, 'Key not found.'))

/** Returns an account's keys, active ones first, then newest first, at most 200. */
export async function ownKeys(db: Database, accountId: number) {
  const where = ownedBy(accountId)
  const active = await db.apiKey.findMany({ where: { ...where, meter: isActive() }, orderBy: { id: 'desc' }, take: maxShown, select })
  const ended = await db.apiKey.findMany({ where: { ...where, meter: hasEnded() }, orderBy: { id: 'desc' }, take: maxShown - active.length, select })
  return withLinks(db, accountId, [...active, ...ended])
}

const endedPageSize = 50

/** Returns the credits that inactive keys spent this UTC month. Leaves out replaced keys, whose spend is included in that of their successors. */
async function spentByEnded(db: Database, accountId: number): Promise<number> {
  const where = { ...hasEnded(), month: monthNumber(clock.now()), key: { ...ownedBy(accountId), replacedBy: null } }
  return Number((await db.keyMeter.aggregate({ where, _sum: { monthSpent: true } }))._sum.monthSpent ?? 0)
}

/** Returns a page of inactive keys, newest first. `next` is the cursor of the next page; `count` and `spentCredits` are the totals, the latter of this UTC month. */
export async function endedKeys(db: Database, accountId: number, before: string | null) {
  const where = { ...ownedBy(accountId), meter: hasEnded() }
  const last = before === null ? null : await db.apiKey.findFirst({ where: { accountId, publicId: before }, select: { id: true } })
  const older = before === null ? {} : { id: { lt: last?.id ?? 0 } }
  const [found, count, spentCredits] = await Promise.all([
    db.apiKey.findMany({ where: { ...where, ...older }, orderBy: { id: 'desc' }, take: endedPageSize + 1, select }),
    db.apiKey.count({ where }),
    spentByEnded(db, accountId),
  ])
  const keys = await withLinks(db, accountId, found.slice(0, endedPageSize))
  return { keys, next: found.length > endedPageSize ? (keys.at(-1)?.id ?? null) : null, count, spentCredits }
}

/** @throws RefusedError not_found */
export async function ownKey(db: Db, accountId: number, id: string) {
  const [key] = await withLinks(db, accountId, [await findKey(db, accountId, id)])
  if (!key) throw unknownKey()
  return key
}

/**
 * Returns the mode of one of the account's keys and its hash in hex, which is enough to make calls with the key; null if the account has no such key. Inactive
 * keys are included: the request pipeline rejects their calls.
 */
export async function ownKeyHash(db: Database, accountId: number, id: string): Promise<{ hash: string; mode: Mode } | null> {
  const key = await db.apiKey.findFirst({ where: { ...ownedBy(accountId), publicId: id }, select: { hash: true, mode: true } })
  return key && { mode: key.mode, hash: Buffer.from(key.hash).toString('hex') }
}
