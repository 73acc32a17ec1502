import { Notice } from '#components/ui/notice.tsx'
import { pounds } from '#server/api/contract/top-ups.ts'
import { credits, number, pounds as worth } from '../amounts.ts'

type Props = {
  balanceCredits: number
  debt: { readonly kind: string; readonly credits: number } | null
  spendCap: { readonly capCredits: number | null; readonly spentCredits: number; readonly renewsOn: string }
  /** Reason why automatic top-ups were turned off by the service. */
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
          Your monthly cap of {credits(spendCap.capCredits)} is used up. Live calls return 402 until {spendCap.renewsOn}.{' '}
          <a className="prose-link" href="/portal/billing#cap">
            Change the cap
          </a>
        </Notice>
      ) : null}
      {pending.map(({ id, grossPence }) => (
        <Notice key={id} tone="caution">
          Your bank is still confirming a payment of {pounds(grossPence)}. We will email you. Do not pay again.
        </Notice>
      ))}
      {autoOffReason === null ? null : (
        <Notice tone="caution" title="Automatic top-ups are off">
          {autoOffReason}{' '}
          <a className="prose-link" href="#auto-top-up">
            Turn them on again
          </a>
        </Notice>
      )}
    </div>
  )
}
