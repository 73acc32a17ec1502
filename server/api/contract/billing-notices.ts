/** Failure of an automatic top-up whose outcome Stripe never reported. It is stored, so pages can recognise it. */
export const unknownCharge = "We couldn't confirm whether your card was charged. If it was, we'll add the credits."

/** Billing notices by kind, with the data for each email. Credits are whole numbers; amounts are in pence. */
export type NoticeData = {
  'balance.low': { balanceCredits: number; thresholdCredits: number }
  'top_up.paid': { topUp: string; credits: number }
  'top_up.failed': { topUp: string; credits: number }
  'auto_top_up.paid': { topUp: string; credits: number; reason: string | null }
  'auto_top_up.failed': { topUp: string; credits: number; reason: string | null }
  'auto_top_up.off': { topUp: string; credits: number; reason: string | null }
  'auto_top_up.ceiling': { ceilingPence: number }
  /**
   * Automatic top-ups were turned off: after a refund or dispute of a top-up, after a restore from a backup that lacks later charges, or because no top-up
   * could be started for a day.
   */
  'auto_top_up.stopped': { topUp?: string; cause: 'refund' | 'dispute' | 'restore' | 'fault' }
  refund: { topUp: string; credits: number }
  'refund.failed': { topUp: string; credits: number }
  'dispute.opened': { topUp: string; credits: number }
  'dispute.returned': { topUp: string; credits: number }
  /** For administrators: a payment arrived for a closed account. `payment` is the Stripe id. */
  'top_up.closed': { account: string; topUp: string; payment: string; amountPence: number }
  'ledger.differs': { accounts: number; differences: number }
  'reconciliation.differs': { differences: number }
  'check.failed': { check: 'ledger' | 'reconciliation' }
}

export type NoticeKind = keyof NoticeData

/** Notice kind with its data. */
export type NoticeNews = { [Kind in NoticeKind]: { readonly notice: Kind; readonly facts: NoticeData[Kind] } }[NoticeKind]
