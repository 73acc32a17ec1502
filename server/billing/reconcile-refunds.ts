import type { BillingRoom } from './billing-room.ts'
import type { ListedRefund } from './payments.ts'
import { type BookedRefund, readBookedRefunds } from './reconciliation.store.ts'

type Found = { readonly subject: string; readonly problem: string }

/** What went back of one payment: at Stripe by the refunds that were listed, and in our books. */
type Refunded = { readonly pence: number; readonly bookedPence: number; readonly isSettled: boolean }

/** What is wrong with one refund, or null. One of which only its charge told is in the sum of its payment, unless it failed. */
function faultOf({ status, amountPence, isGone }: ListedRefund, booked: BookedRefund | undefined): string | null {
  if (!booked) return isGone ? null : `${status}, ${amountPence} pence at Stripe; unknown here`
  if (booked.is_gone === isGone && Number(booked.amount_pence) === amountPence) return null
  return `${status}, ${amountPence} pence at Stripe; ${booked.status}, ${booked.amount_pence} pence here`
}

const sumFault = (pence: number, bookedPence: number): string => `${pence} pence refunded at Stripe, ${bookedPence} here`

/** What refunds add up to, by payment; those of payments that are not ours are left out. */
export class RefundSums {
  private readonly payments = new Map<string, Refunded>()

  private add(intent: string, { isGone, amountPence }: ListedRefund, bookedPence: number, isSettled: boolean): void {
    const before = this.payments.get(intent) ?? { pence: 0, isSettled: true }
    this.payments.set(intent, { pence: before.pence + (isGone ? amountPence : 0), bookedPence, isSettled: before.isSettled && isSettled })
  }

  /** Takes a page of the list in, and gives what is wrong with single refunds. What is younger than `settledBy` may still be under way. */
  async take({ pool }: BillingRoom, page: readonly ListedRefund[], settledBy: number): Promise<Found[]> {
    const { known, gonePence } = await readBookedRefunds(pool, page)
    const byId = new Map(known.map((one) => [one.id, one]))
    const found: Found[] = []
    for (const one of page) {
      const bookedPence = gonePence.get(one.intent ?? '')
      if (one.intent === null || bookedPence === undefined) continue
      const isSettled = one.createdAt.getTime() < settledBy
      this.add(one.intent, one, bookedPence, isSettled)
      const problem = isSettled ? faultOf(one, byId.get(one.id)) : null
      if (problem !== null) found.push({ subject: one.id, problem })
    }
    return found
  }

  /** What is wrong with the refunds of a payment that was made since the list begins, all of which were listed; null also while one may be under way. */
  faultOf(intent: string, bookedPence: number): string | null {
    const { pence, isSettled } = this.payments.get(intent) ?? { pence: 0, isSettled: true }
    return isSettled && pence !== bookedPence ? sumFault(pence, bookedPence) : null
  }

  /** Payments that are older than the list: at least what was listed has to be in the books. */
  faultsBeyond(seen: ReadonlySet<string>): Found[] {
    const older = [...this.payments].filter(([intent, { pence, bookedPence, isSettled }]) => !seen.has(intent) && isSettled && bookedPence < pence)
    return older.map(([subject, { pence, bookedPence }]) => ({ subject, problem: sumFault(pence, bookedPence) }))
  }
}
