import type { BillingDeps, ListedRefund } from './billing-deps.ts'
import { type RecordedRefund, readRecordedRefunds } from './reconcile-payments.store.ts'

type Difference = { readonly subject: string; readonly problem: string }

/** Refunded total of one payment: at Stripe, according to the listed refunds, and in our records. */
type Refunded = { readonly pence: number; readonly recordedPence: number; readonly isSettled: boolean }

/** Describes the difference of one refund, or returns null. A refund without its own event is covered by the total of its payment, unless it failed. */
function compareRefund({ status, amountPence, isGone }: ListedRefund, recorded: RecordedRefund | undefined): string | null {
  if (!recorded) return isGone ? null : `${status}, ${amountPence} pence at Stripe; unknown here`
  if (recorded.is_gone === isGone && Number(recorded.amount_pence) === amountPence) return null
  return `${status}, ${amountPence} pence at Stripe; ${recorded.status}, ${recorded.amount_pence} pence here`
}

const describeDifference = (pence: number, recordedPence: number): string => `${pence} pence refunded at Stripe, ${recordedPence} here`

/** Refunded totals by payment. Payments that are not ours are ignored. */
export class RefundSums {
  private readonly payments = new Map<string, Refunded>()

  private add(intent: string, { isGone, amountPence }: ListedRefund, recordedPence: number, isSettled: boolean): void {
    const before = this.payments.get(intent) ?? { pence: 0, isSettled: true }
    this.payments.set(intent, { pence: before.pence + (isGone ? amountPence : 0), recordedPence, isSettled: before.isSettled && isSettled })
  }

  /** Adds a page of listed refunds and returns differences of single refunds. Refunds created at or after `settledBy` may still be in progress. */
  async addPage({ pool }: BillingDeps, page: readonly ListedRefund[], settledBy: number): Promise<Difference[]> {
    const { known, gonePence } = await readRecordedRefunds(pool, page)
    const byId = new Map(known.map((one) => [one.id, one]))
    const differences: Difference[] = []
    for (const one of page) {
      const recordedPence = gonePence.get(one.intent ?? '')
      if (one.intent === null || recordedPence === undefined) continue
      const isSettled = one.createdAt.getTime() < settledBy
      this.add(one.intent, one, recordedPence, isSettled)
      const problem = isSettled ? compareRefund(one, byId.get(one.id)) : null
      if (problem !== null) differences.push({ subject: one.id, problem })
    }
    return differences
  }

  /** Describes the difference of a listed payment whose refunds were all listed. Returns null if there is none or a refund may be in progress. */
  comparePayment(intent: string, recordedPence: number): string | null {
    const { pence, isSettled } = this.payments.get(intent) ?? { pence: 0, isSettled: true }
    return isSettled && pence !== recordedPence ? describeDifference(pence, recordedPence) : null
  }

  /** Returns differences of payments older than the list: our records must include at least the refunds that were listed. */
  compareOlderPayments(seen: ReadonlySet<string>): Difference[] {
    const older = [...this.payments].filter(([intent, { pence, recordedPence, isSettled }]) => !seen.has(intent) && isSettled && recordedPence < pence)
    return older.map(([subject, { pence, recordedPence }]) => ({ subject, problem: describeDifference(pence, recordedPence) }))
  }
}
