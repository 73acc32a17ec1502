import type { NoticeData, NoticeKind } from '#server/api/contract/billing-notices.ts'
import { creditPence, pounds } from '#server/api/contract/price-kinds.ts'
import type { EmailData } from '../email-content.ts'
import { action, type EmailContent, facts, message, text } from '../email-content.ts'
import type { EmailContext } from './account-emails.ts'

type Writers = { readonly [Kind in NoticeKind]: (context: EmailContext, facts: NoticeData[Kind]) => EmailContent }

const counted = (credits: number): string => `${credits.toLocaleString('en-GB')} ${Math.abs(credits) === 1 ? 'credit' : 'credits'}`
const worth = (credits: number): string => `${counted(credits)} (${pounds(credits * creditPence)})`

const topUp = ({ publicUrl }: EmailContext) => action('Top up', `${publicUrl}/portal/billing/top-up`)
const billing = ({ publicUrl }: EmailContext) => action('Open billing', `${publicUrl}/portal/billing`)

const offAfterReversal = 'so we turned off automatic top-ups to avoid charging your card again for the same credits. You can turn them back on under Billing.'

const stopReasons = {
  refund: `A payment was refunded, ${offAfterReversal}`,
  dispute: `A payment was disputed, ${offAfterReversal}`,
  restore:
    "We restored our service from a backup that doesn't include recent charges. To make sure your card isn't charged twice, we turned automatic top-ups off and removed your saved card. To turn automatic top-ups back on, first top up and save your card.",
  fault: "A problem on our side stopped automatic top-ups for a day, so we turned them off. Your card wasn't charged. You can turn them back on under Billing.",
}

const writers: Writers = {
  'balance.low': (context, { balanceCredits, thresholdCredits }) =>
    balanceCredits <= 0
      ? message("You're out of credits", text('Live calls return 402 until you top up. Test calls still work.'), topUp(context))
      : message(
          `${counted(balanceCredits)} left`,
          text(`Your balance is ${worth(balanceCredits)}. You asked us to email you at ${counted(thresholdCredits)}.`),
          topUp(context),
        ),
  'top_up.paid': (context, { credits }) =>
    message(`${counted(credits)} added`, text(`Your payment went through, and we added ${worth(credits)} to your balance.`), billing(context)),
  'top_up.failed': (context, { credits }) =>
    message(
      "Your payment didn't go through",
      text(`Your payment for ${worth(credits)} didn't go through. No credits were added and you weren't charged.`),
      topUp(context),
    ),
  'auto_top_up.paid': (context, { credits }) =>
    message(`Automatic top-up: ${counted(credits)} added`, text(`We charged your saved card for ${worth(credits)}.`), billing(context)),
  'auto_top_up.failed': (context, { credits, reason }) =>
    message(
      'Automatic top-up failed',
      text(
        `Your automatic top-up of ${worth(credits)} failed. We'll wait at least an hour, then try again. After three failures in a row, we turn automatic top-ups off.`,
      ),
      facts(['Reason', reason ?? 'not given']),
      topUp(context),
    ),
  'auto_top_up.off': (context, { reason }) =>
    message(
      'Automatic top-ups are off',
      text('Three automatic top-ups in a row failed, so we turned automatic top-ups off. You can turn them back on under Billing.'),
      facts(['Reason', reason ?? 'not given']),
      topUp(context),
    ),
  'auto_top_up.ceiling': (context, { ceilingPence }) =>
    message(
      'Automatic top-up limit reached',
      text(
        `Another top-up would take you over your limit of ${pounds(ceilingPence)} this month. Automatic top-ups resume next month, or when you raise the limit.`,
      ),
      billing(context),
    ),
  'auto_top_up.stopped': (context, { cause }) => message('Automatic top-ups are off', text(stopReasons[cause]), billing(context)),
  refund: (context, { credits }) =>
    message('A top-up was refunded', text(`A payment was refunded, so we took ${worth(credits)} off your balance.`), billing(context)),
  'refund.failed': (context, { credits }) =>
    message("A refund didn't reach your card", text(`Your bank rejected a refund, so we added ${worth(credits)} back to your balance.`), billing(context)),
  'dispute.opened': (context, { credits }) =>
    message(
      'A payment was disputed',
      text(`A payment was disputed with your bank, so we've taken ${worth(credits)} off your balance until the dispute is decided.`),
      billing(context),
    ),
  'dispute.returned': (context, { credits }) => message('A dispute was resolved', text(`We added ${worth(credits)} back to your balance.`), billing(context)),
  'top_up.closed': (_context, { account, payment, amountPence }) =>
    message(
      'Payment received for a closed account',
      text(
        `${pounds(amountPence)} was paid for a closed account, on a payment page opened before the account was closed. The owner can't use the credits. Refund the payment in Stripe.`,
      ),
      facts(['Account', account], ['Payment', payment]),
    ),
  'ledger.differs': (_context, { accounts, differences }) =>
    message(
      "Account balances don't match the ledger",
      text(
        `The balances of ${differences} of ${accounts} accounts differ from the sum of their ledger entries. Run "svc ledger verify" and follow docs/operations.md.`,
      ),
    ),
  'reconciliation.differs': (_context, { differences }) =>
    message('Stripe and the ledger differ', text(`Differences found: ${differences}. Run "svc billing reconcile" and follow docs/operations.md.`)),
  'check.failed': (_context, { check }) =>
    message(
      'A ledger check failed to run',
      text(`The daily check "${check}" failed to run, so balances are unverified. We'll retry the check every hour. See the log for the reason.`),
    ),
}

/** Builds the email for a billing notice. */
export function billingEmail(context: EmailContext, { notice, facts: data }: EmailData['billing']): EmailContent {
  const write = writers[notice] as (context: EmailContext, facts: object) => EmailContent
  return write(context, data)
}
