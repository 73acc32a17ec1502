/**
 * Facts about a payment, from an event or from the response to an API call. They can be merged with known facts in any order and any number of
 * times, so the order of events doesn't matter.
 */
export type PaymentChange = {
  /** Public id of the top-up, from the payment's metadata. */
  readonly topUp?: string | null
  readonly session?: string | null
  readonly intent?: string | null
  /** `declined` is a failed attempt while the checkout page is still open for another one. */
  readonly outcome?: 'paid' | 'pending' | 'failed' | 'declined' | 'expired'
  /** Amount paid; set with `paid`. */
  readonly amountPence?: number | null
  readonly failure?: string | null
  /** Total refunded so far. */
  readonly refundedPence?: number
  /** State of a single refund. Such an event contains no other facts apart from the payment's id. */
  readonly refund?: RefundChange
  readonly dispute?: DisputeChange
}

export type RefundChange = {
  readonly id: string
  readonly amountPence: number
  readonly status: string
  /** True if the money was or is being refunded; false if the refund failed and the money was returned to us. */
  readonly isGone: boolean
  /** Rank that orders statuses reported in the same second. */
  readonly stage: number
}

export type DisputeChange = {
  readonly id: string
  readonly amountPence: number
  readonly status: string
  /** True if the money is withheld: while the bank decides, and after it has decided against us. */
  readonly isTaken: boolean
  /** Rank that orders statuses reported in the same second. */
  readonly stage: number
}

/** Source of facts: an event, or null for the response to an API call. */
export type ChangeSource = { readonly event: { readonly id: string; readonly type: string } | null; readonly isLive: boolean; readonly at: Date }

/** Thrown when facts from Stripe contradict the purchase. Nothing was changed. */
export class RefusedChangeError extends Error {
  override name = 'RefusedChangeError'
}
