import { getLimits, testKeyPerMinute } from '#server/api/contract/access.ts'
import type { Database } from '#server/db/prisma.ts'
import { AddressList } from './address-list.ts'
import { type KeyRow, readKey } from './keys.sql.ts'

const scopeSets = new Map<string, ReadonlySet<string>>()

/** Shares one Set between all keys with the same scopes, so that it stays in the CPU cache. */
function scopeSet(scopes: readonly string[]): ReadonlySet<string> {
  const names = scopes.join(' ')
  const known = scopeSets.get(names)
  if (known) return known
  const made = new Set(scopes)
  scopeSets.set(names, made)
  return made
}

function toRecord(row: KeyRow) {
  const { hint, scopes, addresses, state, expiresAt, revokedAt, customPerMinute, customPerDay, licenceDueAt, ...rest } = row
  const limits = getLimits(row.plan, { perMinute: customPerMinute, perDay: customPerDay })
  return {
    ...rest,
    hint: `svc_${row.mode}_…${hint}`,
    scopes: scopeSet(scopes),
    ranges: addresses as readonly string[],
    /** Addresses that may use the key; null allows any. */
    addresses: addresses.length > 0 ? new AddressList(addresses) : null,
    /** Milliseconds since 1970, or null. */
    expiresAt: expiresAt?.getTime() ?? null,
    /** Milliseconds since 1970, or null. After a rotation with overlap it can be in the future. */
    revokedAt: revokedAt?.getTime() ?? null,
    accountState: state,
    /** Limits that apply: calls per minute for this key, and calls per day for the account (live keys only). */
    limits: row.mode === 'test' ? { perMinute: testKeyPerMinute, perDay: limits.perDay } : limits,
    /** Deadline for accepting the newest licence, in milliseconds since 1970; null if it is already accepted. */
    licenceDueAt: licenceDueAt?.getTime() ?? null,
    /** Calls left this minute and today, when last checked. Reported to callers while the database is unavailable. */
    seen: { minuteLeft: limits.perMinute, dayLeft: limits.perDay },
  }
}

/**
 * Cached record of a key and its account. May be stale: the admission statement compares its versions with the locked rows and returns `stale` on a mismatch,
 * so no request is admitted or rejected based on a stale record.
 */
export type KeyRecord = Readonly<ReturnType<typeof toRecord>>

const maxCached = 100_000

/** Cache of key records by hash; evicts the least recently loaded. Unknown keys are not cached, so new keys work immediately. */
export class KeyRecordCache {
  private readonly db: Database
  private readonly kept = new Map<string, KeyRecord>()
  private readonly loading = new Map<string, Promise<KeyRecord | null>>()

  constructor(db: Database) {
    this.db = db
  }

  /** Returns the cached record without waiting. `hash` is the key's SHA-256 in hex. */
  peek(hash: string): KeyRecord | undefined {
    return this.kept.get(hash)
  }

  /** Removes all records. Needed after a failover, because the new primary may reuse the versions of lost changes. */
  clear(): void {
    this.kept.clear()
  }

  /** Reloads a key's record; concurrent callers share one query. Returns null for an unknown key. */
  load(hash: string): Promise<KeyRecord | null> {
    const pending = this.loading.get(hash)
    if (pending) return pending
    const load = this.read(hash).finally(() => this.loading.delete(hash))
    this.loading.set(hash, load)
    return load
  }

  private async read(hash: string): Promise<KeyRecord | null> {
    const row = await readKey(this.db, Buffer.from(hash, 'hex'))
    this.kept.delete(hash)
    if (!row) return null
    const record = toRecord(row)
    this.kept.set(hash, record)
    if (this.kept.size > maxCached) this.kept.delete(this.kept.keys().next().value ?? '')
    return record
  }
}
