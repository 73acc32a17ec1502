import { clock } from '#server/clock.ts'
import { type Outcome, verdicts } from '#server/metering/batch.ts'
import type { BuiltPage } from './call.ts'
import type { Decision, Spending } from './decision.ts'

/** Same as the lifetime of an Idempotency-Key in the database. */
const maxAgeMs = 600_000
const maxPages = 10_000
const maxBytes = 32 * 1_048_576

type Idempotency = NonNullable<Spending['idempotency']>
type Paid = { readonly request: string; readonly page: BuiltPage; readonly at: number }

/**
 * Pages that were recently paid for with an Idempotency-Key, so that a replay returns the same page even after the data changed. Bounded: the oldest pages
 * are dropped first, and the database then refuses the replay.
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
      const isOld = Math.abs(clock.now() - at) >= maxAgeMs
      if (!isOld && this.pages.size <= maxPages && this.bytes <= maxBytes) return
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
