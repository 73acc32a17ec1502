/** What is told about an account's money, with the facts that its letter needs. Credits are whole credits, amounts pence. */
export type NoticeFacts = {
  'balance.low': { balanceCredits: number; thresholdCredits: number }
  'top_up.paid': { topUp: string; credits: number }
  'top_up.failed': { topUp: string; credits: number }
  'auto_top_up.paid': { topUp: string; credits: number; reason: string | null }
  'auto_top_up.failed': { topUp: string; credits: number; reason: string | null }
  'auto_top_up.off': { topUp: string; credits: number; reason: string | null }
  'auto_top_up.ceiling': { ceilingPence: number }
  /**
   * A refund or dispute of a top-up took credits, the service came back from a backup that knows nothing of later charges, or none could be begun for a day:
   * nothing is charged by itself any more.
   */
  'auto_top_up.stopped': { topUp?: string; cause: 'refund' | 'dispute' | 'restore' | 'fault' }
  refund: { topUp: string; credits: number }
  'refund.failed': { topUp: string; credits: number }
  'dispute.opened': { topUp: string; credits: number }
  'dispute.returned': { topUp: string; credits: number }
  /** For administrators. Somebody paid for an account that is closed; `payment` is its id at Stripe. */
  'top_up.closed': { account: string; topUp: string; payment: string; amountPence: number }
  'ledger.differs': { accounts: number; differences: number }
  'reconciliation.differs': { differences: number }
  'check.failed': { check: 'ledger' | 'reconciliation' }
}

export type NoticeKind = keyof NoticeFacts

/** A kind with its facts. */
export type NoticeNews = { [Kind in NoticeKind]: { readonly notice: Kind; readonly facts: NoticeFacts[Kind] } }[NoticeKind]
