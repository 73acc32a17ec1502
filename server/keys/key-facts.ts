import type { Pool } from 'pg'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { type Limits, limitsOf, type Plan, testKeyPerMinute } from '#server/api/contract/plans.ts'
import { AddressList } from './address-list.ts'
import { type KeyRow, readKey } from './keys.store.ts'

/**
 * What the gateway knows of a key and its account. It may be old: the admission statement compares the versions with the rows that it has
 * locked and answers `stale` when one differs, so nothing here is ever trusted beyond the next request.
 */
export type KeyFacts = {
  readonly keyId: number
  readonly keyVersion: number
  /** Which spend cap it counts on together with other keys; null: with none. */
  readonly capId: number | null
  /** Version of the shared facts (licence among them) that these were read with. */
  readonly serviceVersion: number
  readonly accountId: number
  readonly accountVersion: number
  readonly publicId: string
  readonly mode: Mode
  readonly hint: string
  readonly scopes: ReadonlySet<string>
  readonly ranges: readonly string[]
  /** Null: callable from everywhere. */
  readonly addresses: AddressList | null
  readonly createdAt: Date
  /** Milliseconds since 1970, or null. A revocation may lie ahead: rotation with overlap. */
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly accountPublicId: string
  readonly accountName: string
  readonly accountState: 'open' | 'review' | 'blocked'
  /** The part of the reason that may be shown. */
  readonly blockReason: string | null
  /** Why the account was not approved, as it was told; null: it was not refused. */
  readonly declineReason: string | null
  readonly plan: Plan
  /** Limits in force for this key: a minute, and the account's day (live keys only). */
  readonly limits: Limits
  /** From when on the account has to have accepted the newest licence, or null when it has. */
  readonly licenceDueAt: number | null
  /** What was left of the limits when they were last seen; told when the database cannot be asked. */
  readonly seen: { minuteLeft: number; dayLeft: number }
}

const scopeSets = new Map<string, ReadonlySet<string>>()

/** One set for all keys that were made with the same scopes: what every call looks at is then at hand, and not apart for each key. */
function scopeSet(scopes: readonly string[]): ReadonlySet<string> {
  const names = scopes.join(' ')
  const known = scopeSets.get(names)
  if (known) return known
  const made = new Set(scopes)
  scopeSets.set(names, made)
  return made
}

function fromDb(row: KeyRow): KeyFacts {
  const limits = limitsOf(row.plan, { perMinute: row.own_per_minute, perDay: row.own_per_day })
  return {
    keyId: Number(row.id),
    keyVersion: row.key_version,
    capId: row.cap_id === null ? null : Number(row.cap_id),
    serviceVersion: row.service_version,
    accountId: Number(row.account_id),
    accountVersion: row.account_version,
    publicId: row.public_id,
    mode: row.mode,
    hint: `svc_${row.mode}_…${row.hint}`,
    scopes: scopeSet(row.scopes),
    ranges: row.addresses,
    addresses: row.addresses.length > 0 ? new AddressList(row.addresses) : null,
    createdAt: row.created_at,
    expiresAt: row.expires_at?.getTime() ?? null,
    revokedAt: row.revoked_at?.getTime() ?? null,
    accountPublicId: row.account_public_id,
    accountName: row.account_name,
    accountState: row.state,
    blockReason: row.block_reason,
    declineReason: row.decline_reason,
    plan: row.plan,
    limits: row.mode === 'test' ? { perMinute: testKeyPerMinute, perDay: limits.perDay } : limits,
    licenceDueAt: row.licence_due_at?.getTime() ?? null,
    seen: { minuteLeft: limits.perMinute, dayLeft: limits.perDay },
  }
}

const mostKept = 100_000

/** Key facts by hash, the least recently loaded dropped first. Unknown keys are never kept, so a new key works at once. */
export class KeyFactsCache {
  private readonly pool: Pool
  private readonly kept = new Map<string, KeyFacts>()
  private readonly loading = new Map<string, Promise<KeyFacts | null>>()

  constructor(pool: Pool) {
    this.pool = pool
  }

  /** What is known already, without waiting. `hash` is the key's SHA-256 in hex. */
  peek(hash: string): KeyFacts | undefined {
    return this.kept.get(hash)
  }

  /** Reads the facts of a key anew; callers at the same time share one query. Null: no such key. */
  load(hash: string): Promise<KeyFacts | null> {
    const under = this.loading.get(hash)
    if (under) return under
    const load = this.read(hash).finally(() => this.loading.delete(hash))
    this.loading.set(hash, load)
    return load
  }

  private async read(hash: string): Promise<KeyFacts | null> {
    const row = await readKey(this.pool, Buffer.from(hash, 'hex'))
    this.kept.delete(hash)
    if (!row) return null
    const facts = fromDb(row)
    this.kept.set(hash, facts)
    if (this.kept.size > mostKept) this.kept.delete(this.kept.keys().next().value ?? '')
    return facts
  }
}
