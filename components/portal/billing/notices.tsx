import { Time } from '#components/data/time.tsx'
import { Notice } from '#components/ui/notice.tsx'
import type { NoticeData, NoticeKind, NoticeNews } from '#server/api/contract/billing-notices.ts'
import { pounds } from '#server/api/contract/price-kinds.ts'
import { credits, number, pounds as worth } from '../amounts.ts'

type Messages = { readonly [Kind in NoticeKind]: (facts: NoticeData[Kind]) => string }

const failed = ({ credits: count, reason }: NoticeData['auto_top_up.failed']) =>
  `Automatic top-up of ${credits(count)} failed.${reason === null ? '' : ` ${reason.replace(/\.?$/, '.')}`}`

const stopCauses = {
  refund: 'A payment was refunded',
  dispute: 'A payment was disputed',
  restore: 'The service was restored from a backup',
  fault: 'A problem on our side stopped automatic top-ups for a day',
}

const messages: Messages = {
  'balance.low': ({ balanceCredits, thresholdCredits }) =>
    balanceCredits <= 0 ? "You're out of credits." : `Balance fell to ${credits(balanceCredits)}. Your alert is set to ${credits(thresholdCredits)}.`,
  'top_up.paid': ({ credits: count }) => `Payment succeeded: ${credits(count)} added.`,
  'top_up.failed': ({ credits: count }) => `Payment for ${credits(count)} failed. You were not charged.`,
  'auto_top_up.paid': ({ credits: count }) => `Automatic top-up: ${credits(count)} added.`,
  'auto_top_up.failed': failed,
  'auto_top_up.off': (facts) => `${failed(facts)} This was the third failure in a row, so automatic top-ups are off.`,
  'auto_top_up.ceiling': ({ ceilingPence }) => `Another automatic top-up would have exceeded your monthly limit of ${pounds(ceilingPence)}.`,
  'auto_top_up.stopped': ({ cause }) => `${stopCauses[cause]}, so automatic top-ups are off.`,
  refund: ({ credits: count }) => `A top-up was refunded: ${credits(count)} deducted.`,
  'refund.failed': ({ credits: count }) => `A refund to your card failed: ${credits(count)} returned to your balance.`,
  'dispute.opened': ({ credits: count }) => `A payment was disputed: ${credits(count)} deducted until the bank decides.`,
  'dispute.returned': ({ credits: count }) => `A dispute was resolved: ${credits(count)} returned to your balance.`,
  'top_up.closed': ({ amountPence }) => `A payment of ${pounds(amountPence)} arrived for a closed account.`,
  'ledger.differs': () => 'The ledger check found a difference.',
  'reconciliation.differs': () => 'Stripe and the ledger differ.',
  'check.failed': () => 'The ledger check failed to run.',
}

function noticeText({ notice, facts }: NoticeNews): string {
  const toText = messages[notice] as (facts: object) => string
  return toText(facts)
}

type Props = {
  balanceCredits: number
  debt: { readonly kind: string; readonly credits: number } | null
  spendCap: { readonly capCredits: number | null; readonly spentCredits: number; readonly renewsOn: string }
  /** Reason why the service turned off automatic top-ups; null if it did not. */
  autoOffReason: string | null
  /** Payments that the bank has not confirmed yet. */
  pending: readonly { readonly id: string; readonly grossPence: number }[]
}

const debtCauses: Readonly<Record<string, string>> = { refund: 'refund', dispute: 'dispute' }

function debtMessage({ kind, credits }: NonNullable<Props['debt']>, balance: number): string {
  return `A ${worth(credits)} ${debtCauses[kind] ?? 'correction'} left your balance at ${number(balance)} credits. Top up to use live keys.`
}

/** Notices about the balance, shown above the ledger: debt, zero balance, monthly cap, pending payments and automatic top-ups. */
export function BalanceNotices({ balanceCredits, debt, spendCap, autoOffReason, pending }: Props) {
  return (
    <div className="flex flex-col gap-3 not-empty:mb-6">
      {debt === null ? null : <Notice tone="danger">{debtMessage(debt, balanceCredits)}</Notice>}
      {balanceCredits === 0 ? <Notice tone="danger">Your balance is 0. Live calls return 402 until you top up. Test calls still work.</Notice> : null}
      {spendCap.capCredits !== null && spendCap.spentCredits >= spendCap.capCredits ? (
        <Notice tone="danger">
          You've reached your monthly cap of {credits(spendCap.capCredits)}. Live calls return 402 until {spendCap.renewsOn}.{' '}
          <a className="prose-link" href="/portal/billing/alerts#cap">
            Change the cap
          </a>
        </Notice>
      ) : null}
      {pending.map(({ id, grossPence }) => (
        <Notice key={id} tone="caution">
          We're still waiting for your payment of {pounds(grossPence)} to be confirmed. Don't pay again: we'll email you once it is.
        </Notice>
      ))}
      {autoOffReason === null ? null : (
        <Notice tone="caution" title="Automatic top-ups are off">
          {autoOffReason}{' '}
          <a className="prose-link" href="/portal/billing/alerts#auto-top-up">
            Turn them on again
          </a>
        </Notice>
      )}
    </div>
  )
}

type Shown = NoticeNews & { readonly id: string; readonly at: Date }

/** Notifications that were emailed to the account in the last 90 days, so that customers needn't search their inbox. */
export function NoticeList({ notices }: { notices: readonly Shown[] }) {
  if (notices.length === 0) return <p>No notifications in the last 90 days.</p>
  return (
    <ul className="divide-y divide-line border-y border-line">
      {notices.map((notice) => (
        <li key={notice.id} className="py-2">
          {noticeText(notice)}
          <span className="block text-note text-ink-2">
            <Time at={notice.at} isStop />
          </span>
        </li>
      ))}
    </ul>
  )
}
