import { clock } from '#server/clock.ts'
import { type Outcome, verdicts } from '#server/metering/batch.ts'
import type { BuiltPage } from './call.ts'
import type { Decision } from './decision.ts'
import type { Spending } from './spending-headers.ts'

/** Limits of the page cache: maximum age of a page, number of pages, and estimated memory use in bytes. */
const maxAgeMs = 60_000
const maxPages = 5_000
const maxBytes = 64 * 1_048_576

/** Estimates the memory use of a page in bytes. Its rows are stored twice: as one string and separately. */
const getWeight = ({ dataBytes, rows }: BuiltPage) => dataBytes * (rows === null ? 1 : 2) + 1_000

/** True if a page is fresh and was built from the current version of the shared state. */
export function isCurrent(page: BuiltPage | undefined, version: number): page is BuiltPage {
  if (page === undefined || page.version !== version) return false
  const ageMs = clock.now() - page.builtAt
  // A page with a future build time was built before the clock was set back, so its age is unknown.
  return ageMs >= 0 && ageMs < maxAgeMs
}

/**
 * Cache of built pages. Concurrent requests for the same page share one build. A store that keeps pages for longer, such as `PaidPages`, needs separate
 * limits, because the limits here don't count its pages.
 */
export class PageCache {
  private readonly pages = new Map<string, BuiltPage>()
  private readonly building = new Map<string, Promise<BuiltPage>>()
  private bytes = 0

  /** Returns the page and whether it was built for this call. Failed builds are not cached. */
  async get(key: string, version: number, build: () => Promise<BuiltPage>): Promise<{ page: BuiltPage; isNew: boolean }> {
    const known = this.pages.get(key)
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
    this.drop(key)
    this.pages.set(key, page)
    this.bytes += getWeight(page)
    // A Map iterates in insertion order, so the oldest page comes first.
    for (const [oldest, { builtAt }] of this.pages) {
      const isOld = clock.now() - builtAt >= maxAgeMs
      if (!isOld && this.pages.size <= maxPages && this.bytes <= maxBytes) return
      this.drop(oldest)
    }
  }

  private drop(key: string): void {
    const page = this.pages.get(key)
    if (page === undefined) return
    this.pages.delete(key)
    this.bytes -= getWeight(page)
  }
}

/** Lifetime of a paid page, the same as that of an Idempotency-Key in the database. */
const maxPaidAgeMs = 600_000
const maxPaidPages = 10_000
const maxPaidBytes = 32 * 1_048_576

type Idempotency = NonNullable<Spending['idempotency']>
type Paid = { readonly request: string; readonly page: BuiltPage; readonly at: number }

/**
 * Pages that were recently paid for with an Idempotency-Key, so that a replay returns the same page even after the data changed. Bounded: the oldest pages are
 * dropped first, and the database then rejects the replay.
 */
export class PaidPages {
  private readonly pages = new Map<string, Paid>()
  private bytes = 0

  /** Stores the page of a call that was charged and has an Idempotency-Key. */
  note(decision: Decision, accountId: number, { verdict, credits }: Outcome): void {
    if (decision.kind !== 'page' || decision.spending.idempotency === null || verdict !== verdicts.granted || credits === 0) return
    this.keep(accountId, decision.spending.idempotency, decision.page)
  }

  private keep(accountId: number, { key, request }: Idempotency, page: BuiltPage): void {
    const id = `${accountId} ${key}`
    this.drop(id)
    this.pages.set(id, { request, page, at: clock.now() })
    this.bytes += page.dataBytes
    for (const [oldest, { at }] of this.pages) {
      const isOld = Math.abs(clock.now() - at) >= maxPaidAgeMs
      if (!isOld && this.pages.size <= maxPaidPages && this.bytes <= maxPaidBytes) return
      this.drop(oldest)
    }
  }

  /** Returns the page that the same request paid for, or null. The database decides whether it may be sent again. */
  find(accountId: number, { key, request }: Idempotency): BuiltPage | null {
    const paid = this.pages.get(`${accountId} ${key}`)
    return paid?.request === request ? paid.page : null
  }

  private drop(id: string): void {
    const paid = this.pages.get(id)
    if (paid === undefined) return
    this.pages.delete(id)
    this.bytes -= paid.page.dataBytes
  }
}
