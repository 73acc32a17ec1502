import { clock } from '#server/clock.ts'
import { type Outcome, verdicts } from '#server/metering/batch.ts'
import type { BuiltPage } from './call.ts'
import type { Decision } from './decision.ts'
import type { Spending } from './spending-headers.ts'

/** Limits of a store: maximum age of a page in milliseconds, number of pages, and estimated memory use in bytes. */
type StoreLimits = { readonly ageMs: number; readonly pages: number; readonly bytes: number }

type Stored = { readonly page: BuiltPage; readonly at: number; readonly weight: number }

/** Store of pages that drops the oldest ones once a limit is exceeded. */
class PageStore<Value extends Stored> {
  private readonly limits: StoreLimits
  private readonly stored = new Map<string, Value>()
  private bytes = 0

  constructor(limits: StoreLimits) {
    this.limits = limits
  }

  get(key: string): Value | undefined {
    return this.stored.get(key)
  }

  keep(key: string, value: Value): void {
    this.drop(key)
    this.stored.set(key, value)
    this.bytes += value.weight
    // A Map iterates in insertion order, so the oldest page comes first.
    for (const [oldest, { at }] of this.stored) {
      const isOld = Math.abs(clock.now() - at) >= this.limits.ageMs
      if (!isOld && this.stored.size <= this.limits.pages && this.bytes <= this.limits.bytes) return
      this.drop(oldest)
    }
  }

  drop(key: string): void {
    this.bytes -= this.stored.get(key)?.weight ?? 0
    this.stored.delete(key)
  }
}

/** Maximum age of a page in the page cache. */
const maxAgeMs = 60_000

/** Estimates the memory use of a page in bytes. Its rows are stored twice: as one string and separately. */
const getWeight = ({ dataBytes, rows }: BuiltPage) => dataBytes * (rows === null ? 1 : 2) + 1_000

/** Pages above this weight in bytes are whole lists. A page of a paginated list is smaller. */
const largeWeight = 512 * 1_024

/** True if a page is fresh and was built from the current version of the shared state. */
export function isCurrent(page: BuiltPage | undefined, version: number): page is BuiltPage {
  if (page === undefined || page.version !== version) return false
  const ageMs = clock.now() - page.builtAt
  // A page whose build time is in the future was built before the clock was set back, so its age is unknown.
  return ageMs >= 0 && ageMs < maxAgeMs
}

/**
 * Cache of built pages. Concurrent requests for the same page share one build. A store that keeps pages for longer, such as `PaidPages`, needs separate
 * limits, because the limits here don't count its pages.
 */
export class PageCache {
  private readonly pages = new PageStore({ ageMs: maxAgeMs, pages: 5_000, bytes: 64 * 1_048_576 })
  /** Kept separately: otherwise a few whole lists, each requested with different filters, would replace the pages of all callers. */
  private readonly largePages = new PageStore({ ageMs: maxAgeMs, pages: 100, bytes: 24 * 1_048_576 })
  private readonly building = new Map<string, Promise<BuiltPage>>()

  /** Returns the page and whether it was built for this call. Failed builds are not cached. */
  async get(key: string, version: number, build: () => Promise<BuiltPage>): Promise<{ page: BuiltPage; isNew: boolean }> {
    const known = (this.pages.get(key) ?? this.largePages.get(key))?.page
    if (isCurrent(known, version)) return { page: known, isNew: false }
    const buildKey = `${version} ${key}`
    const pending = this.building.get(buildKey)
    if (pending) return { page: await pending, isNew: false }
    const promise = build().finally(() => this.building.delete(buildKey))
    this.building.set(buildKey, promise)
    const page = await promise
    this.keep(key, page)
    return { page, isNew: true }
  }

  private keep(key: string, page: BuiltPage): void {
    const weight = getWeight(page)
    const [store, other] = weight > largeWeight ? [this.largePages, this.pages] : [this.pages, this.largePages]
    other.drop(key)
    store.keep(key, { page, at: page.builtAt, weight })
  }
}

/** Lifetime of a paid page; equal to the lifetime of an Idempotency-Key in the database. */
const maxPaidAgeMs = 600_000

type Idempotency = NonNullable<Spending['idempotency']>

/**
 * Pages of recently charged calls that had an Idempotency-Key, kept so that a replay returns the same page even after the data has changed. Bounded: the oldest
 * pages are dropped first, and the database then rejects the replay.
 */
export class PaidPages {
  private readonly pages = new PageStore<Stored & { readonly request: string }>({ ageMs: maxPaidAgeMs, pages: 10_000, bytes: 32 * 1_048_576 })

  /** Stores the page of a call that was charged and has an Idempotency-Key. */
  note(decision: Decision, accountId: number, { verdict, credits }: Outcome): void {
    if (decision.kind !== 'page' || decision.spending.idempotency === null || verdict !== verdicts.granted || credits === 0) return
    const { key, request } = decision.spending.idempotency
    this.pages.keep(`${accountId} ${key}`, { request, page: decision.page, at: clock.now(), weight: decision.page.dataBytes })
  }

  /**
   * Returns the page that the original request paid for, or null if it is not cached or the request differs. The database decides whether it may be sent again.
   */
  find(accountId: number, { key, request }: Idempotency): BuiltPage | null {
    const paid = this.pages.get(`${accountId} ${key}`)
    return paid?.request === request ? paid.page : null
  }
}
