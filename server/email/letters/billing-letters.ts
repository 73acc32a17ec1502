import type { NoticeFacts, NoticeKind } from '#server/api/contract/billing-notices.ts'
import { creditPence } from '#server/api/contract/prices.ts'
import { pounds } from '#server/api/contract/top-ups.ts'
import { action, facts, type Letter, text } from '../letter.ts'
import type { MailFacts } from '../mail-kinds.ts'
import type { LetterContext } from './account-letters.ts'

type Writers = { readonly [Kind in NoticeKind]: (context: LetterContext, facts: NoticeFacts[Kind]) => Letter }

const counted = (credits: number): string => `${credits.toLocaleString('en-GB')} ${Math.abs(credits) === 1 ? 'credit' : 'credits'}`
const worth = (credits: number): string => `${counted(credits)} (${pounds(credits * creditPence)})`

const topUp = ({ publicUrl }: LetterContext) => action('Top up', `${publicUrl}/portal/billing/top-up`)
const billing = ({ publicUrl }: LetterContext) => action('Open billing', `${publicUrl}/portal/billing`)

const letter = (subject: string, ...parts: Letter['parts']): Letter => ({ subject, parts })

const goneBack = 'so automatic top-ups are switched off: your card is not charged again for what went back. Switch them on again when you want them.'

const whyStopped = {
  refund: `A payment was refunded, ${goneBack}`,
  dispute: `A payment was disputed, ${goneBack}`,
  restore:
    'We brought our service back from a backup, which does not know of later charges. So that your card is not charged twice, automatic top-ups are switched off and your saved card is forgotten. To have them again, top up once, choose to save the card, and switch them on.',
  fault:
    'An automatic top-up could not be begun for a day by a fault of ours, so automatic top-ups are switched off. Your card was not charged. Switch them on again when you want them.',
}

const writers: Writers = {
  'balance.low': (context, { balanceCredits, thresholdCredits }) =>
    balanceCredits <= 0
      ? letter('Your balance is used up', text('Live calls get 402 until you top up. Test calls still work.'), topUp(context))
      : letter(
          `${counted(balanceCredits)} left`,
          text(`Your balance is ${worth(balanceCredits)}. You asked to be told at ${counted(thresholdCredits)}.`),
          topUp(context),
        ),
  'top_up.paid': (context, { credits }) =>
    letter(`${counted(credits)} added`, text(`Your payment has come through, and ${worth(credits)} were added to your balance.`), billing(context)),
  'top_up.failed': (context, { credits }) =>
    letter(
      'Your payment did not come through',
      text(`Your bank did not pay for ${worth(credits)}. No credits were added and no payment was taken.`),
      topUp(context),
    ),
  'auto_top_up.paid': (context, { credits }) =>
    letter(`Automatic top-up: ${counted(credits)} added`, text(`Your saved card was charged for ${worth(credits)}.`), billing(context)),
  'auto_top_up.failed': (context, { credits, reason }) =>
    letter(
      'An automatic top-up failed',
      text(
        `Your saved card could not be charged for ${worth(credits)}. We try again in an hour or more; the third failure in a row switches automatic top-ups off.`,
      ),
      facts(['What the bank said', reason ?? 'nothing']),
      topUp(context),
    ),
  'auto_top_up.off': (context, { reason }) =>
    letter(
      'Automatic top-ups are off',
      text('Your saved card was declined three times in a row, so automatic top-ups are switched off.'),
      facts(['What the bank said', reason ?? 'nothing']),
      topUp(context),
    ),
  'auto_top_up.ceiling': (context, { ceilingPence }) =>
    letter(
      'Your automatic top-ups have reached their limit',
      text(`Another one would take this month past the ${pounds(ceilingPence)} that you allow. They go on next month, or when you raise the limit.`),
      billing(context),
    ),
  'auto_top_up.stopped': (context, { cause }) => letter('Automatic top-ups are off', text(whyStopped[cause]), billing(context)),
  refund: (context, { credits }) =>
    letter('A top-up was refunded', text(`A payment was refunded, and ${worth(credits)} were taken off your balance.`), billing(context)),
  'refund.failed': (context, { credits }) =>
    letter(
      'A refund did not reach your card',
      text(`Your bank did not take a refund, so ${worth(credits)} were added to your balance again.`),
      billing(context),
    ),
  'dispute.opened': (context, { credits }) =>
    letter(
      'A payment is disputed',
      text(`Your bank disputes a payment. Until it decides, the ${worth(credits)} that it bought are taken off your balance.`),
      billing(context),
    ),
  'dispute.returned': (context, { credits }) => letter('A dispute has ended', text(`${worth(credits)} were added to your balance again.`), billing(context)),
  'top_up.closed': (_context, { account, payment, amountPence }) =>
    letter(
      'A payment came in for a closed account',
      text(
        `${pounds(amountPence)} was paid for an account that is closed, on a page that was opened before. Its owner cannot use the credits: refund it at Stripe.`,
      ),
      facts(['Account', account], ['Payment', payment]),
    ),
  'ledger.differs': (_context, { accounts, differences }) =>
    letter(
      'The ledger does not add up',
      text(
        `${differences} of ${accounts} accounts have a balance that is not the sum of its entries. Run "svc ledger verify"; docs/operations.md says what to do.`,
      ),
    ),
  'reconciliation.differs': (_context, { differences }) =>
    letter('Stripe and the books differ', text(`There are ${differences} differences. Run "svc billing reconcile"; docs/operations.md says what to do.`)),
  'check.failed': (_context, { check }) =>
    letter(
      'The books could not be checked',
      text(`The daily check "${check}" failed, so nobody knows whether the books are right. It is tried again each hour; the log has the reason.`),
    ),
}

/** The letter about something that happened to credits or payments. */
export function billingLetter(context: LetterContext, { notice, facts: told }: MailFacts['billing']): Letter {
  const write = writers[notice] as (context: LetterContext, facts: object) => Letter
  return write(context, told)
}
