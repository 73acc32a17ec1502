import type { NoticeFacts, NoticeKind, NoticeNews } from '#server/api/contract/billing-notices.ts'
import { pounds } from '#server/api/contract/top-ups.ts'
import { credits } from '../amounts.ts'

type Words = { readonly [Kind in NoticeKind]: (facts: NoticeFacts[Kind]) => string }

const failed = ({ credits: count, reason }: NoticeFacts['auto_top_up.failed']) =>
  `Automatic top-up of ${credits(count)} failed${reason === null ? '' : `: ${reason.replace(/\.$/, '')}`}.`

const whyStopped = {
  refund: 'A payment was refunded',
  dispute: 'A payment was disputed',
  restore: 'The service was restored from a backup',
  fault: 'An automatic top-up could not be begun for a day',
}

const words: Words = {
  'balance.low': ({ balanceCredits, thresholdCredits }) =>
    balanceCredits <= 0 ? 'Balance used up.' : `Balance fell to ${credits(balanceCredits)}; you asked to be told at ${credits(thresholdCredits)}.`,
  'top_up.paid': ({ credits: count }) => `Payment came through: ${credits(count)} added.`,
  'top_up.failed': ({ credits: count }) => `Payment for ${credits(count)} did not come through. No payment was taken.`,
  'auto_top_up.paid': ({ credits: count }) => `Automatic top-up: ${credits(count)} added.`,
  'auto_top_up.failed': failed,
  'auto_top_up.off': (facts) => `${failed(facts)} It was the third in a row, so automatic top-ups are off.`,
  'auto_top_up.ceiling': ({ ceilingPence }) => `Automatic top-ups reached the ${pounds(ceilingPence)} that you allow for a month.`,
  'auto_top_up.stopped': ({ cause }) => `${whyStopped[cause]}, so automatic top-ups are off.`,
  refund: ({ credits: count }) => `A top-up was refunded: ${credits(count)} taken off.`,
  'refund.failed': ({ credits: count }) => `A refund did not reach your card: ${credits(count)} added again.`,
  'dispute.opened': ({ credits: count }) => `A payment is disputed: ${credits(count)} taken off until the bank decides.`,
  'dispute.returned': ({ credits: count }) => `A dispute ended: ${credits(count)} added again.`,
  'top_up.closed': ({ amountPence }) => `${pounds(amountPence)} was paid for a closed account.`,
  'ledger.differs': () => 'The ledger does not add up.',
  'reconciliation.differs': () => 'Stripe and the books differ.',
  'check.failed': () => 'The books could not be checked.',
}

/** What a notice says, in a line. */
export function noticeWords({ notice, facts }: NoticeNews): string {
  const say = words[notice] as (facts: object) => string
  return say(facts)
}
