import type { NoticeData, NoticeKind, NoticeNews } from '#server/api/contract/billing-notices.ts'
import { pounds } from '#server/api/contract/top-ups.ts'
import { credits } from '../amounts.ts'

type Messages = { readonly [Kind in NoticeKind]: (facts: NoticeData[Kind]) => string }

const failed = ({ credits: count, reason }: NoticeData['auto_top_up.failed']) =>
  `Automatic top-up of ${credits(count)} failed${reason === null ? '' : `: ${reason.replace(/\.$/, '')}`}.`

const stopCauses = {
  refund: 'A payment was refunded',
  dispute: 'A payment was disputed',
  restore: 'The service was restored from a backup',
  fault: 'Automatic top-ups could not be started for a day',
}

const messages: Messages = {
  'balance.low': ({ balanceCredits, thresholdCredits }) =>
    balanceCredits <= 0 ? 'Your balance is used up.' : `Balance fell to ${credits(balanceCredits)}, below your alert at ${credits(thresholdCredits)}.`,
  'top_up.paid': ({ credits: count }) => `Payment succeeded: ${credits(count)} added.`,
  'top_up.failed': ({ credits: count }) => `Payment for ${credits(count)} failed. You were not charged.`,
  'auto_top_up.paid': ({ credits: count }) => `Automatic top-up: ${credits(count)} added.`,
  'auto_top_up.failed': failed,
  'auto_top_up.off': (facts) => `${failed(facts)} This was the third failure in a row, so automatic top-ups are off.`,
  'auto_top_up.ceiling': ({ ceilingPence }) => `Automatic top-ups reached your monthly limit of ${pounds(ceilingPence)}.`,
  'auto_top_up.stopped': ({ cause }) => `${stopCauses[cause]}, so automatic top-ups are off.`,
  refund: ({ credits: count }) => `A top-up was refunded: ${credits(count)} deducted.`,
  'refund.failed': ({ credits: count }) => `A refund to your card failed: ${credits(count)} returned to your balance.`,
  'dispute.opened': ({ credits: count }) => `A payment is disputed: ${credits(count)} deducted until the bank decides.`,
  'dispute.returned': ({ credits: count }) => `A dispute was resolved: ${credits(count)} returned to your balance.`,
  'top_up.closed': ({ amountPence }) => `A payment of ${pounds(amountPence)} arrived for a closed account.`,
  'ledger.differs': () => 'The ledger check found a difference.',
  'reconciliation.differs': () => 'Stripe and the ledger differ.',
  'check.failed': () => 'The ledger check failed to run.',
}

/** Text of a notification in one line. */
export function noticeText({ notice, facts }: NoticeNews): string {
  const toText = messages[notice] as (facts: object) => string
  return toText(facts)
}
