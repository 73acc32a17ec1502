/**
 * What is said about a payment, by an event or by the answer to a call of ours. All of it can be joined with what is known already, in any order and
 * any number of times: that is what makes the order of events not matter.
 */
export type PaymentFacts = {
  /** Public id of the top-up, as it was given along. */
  readonly topUp?: string | null
  readonly session?: string | null
  readonly intent?: string | null
  /** `declined` is a try that failed while the checkout page is still open for another. */
  readonly outcome?: 'paid' | 'pending' | 'failed' | 'declined' | 'expired'
  /** What was paid, with `paid`. */
  readonly amountPence?: number | null
  readonly failure?: string | null
  /** What has been refunded of the payment in all, by the time it was said. */
  readonly refundedPence?: number
  /** One refund, with what became of it. An event that says this says nothing else but the payment. */
  readonly refund?: RefundFacts
  readonly dispute?: DisputeFacts
}

export type RefundFacts = {
  readonly id: string
  readonly amountPence: number
  readonly status: string
  /** Whether the money is on its way back or there; false: it failed, and the money came back to us. */
  readonly isGone: boolean
  /** Orders what was told in the same second. */
  readonly stage: number
}

export type DisputeFacts = {
  readonly id: string
  readonly amountPence: number
  readonly status: string
  /** Whether the money is away: it is while the bank decides, and stays away when it decides against us. */
  readonly isTaken: boolean
  /** Orders what was told in the same second. */
  readonly stage: number
}

/** Where facts come from: an event, or null for the answer to a call of ours. */
export type Telling = { readonly event: { readonly id: string; readonly type: string } | null; readonly isLive: boolean; readonly at: Date }

/** What Stripe says contradicts what was asked for. Nothing was changed. */
export class RefusedFactsError extends Error {
  override name = 'RefusedFactsError'
}
