import type { ReactNode } from 'react'
import { Time } from '#components/data/time.tsx'
import { credits, number, pounds } from '#components/portal/amounts.ts'
import { Fact } from '#components/portal/fact.tsx'
import type { AdminAccount } from '#server/api/contract/admin-account.ts'
import { planLabel } from './account-tags.tsx'

const signIn = ({ hasPassword, hasSecondFactor, issuers }: AdminAccount): string =>
  [...(hasPassword ? ['password'] : []), ...issuers, ...(hasSecondFactor ? ['second factor'] : [])].join(', ') || 'None'

function Limit({ value, own, unit }: { value: number; own: number | null; unit: string }) {
  return `${number(value)} ${unit}${own === null ? '' : ' (custom)'}`
}

function Review({ account }: { account: AdminAccount }): ReactNode {
  const { approvedAt, declinedAt, declineReason, confirmedAt } = account
  if (approvedAt !== null)
    return (
      <>
        Approved <Time at={approvedAt} />
      </>
    )
  if (declinedAt !== null)
    return (
      <>
        Declined <Time at={declinedAt} />. Reason shown to the customer: {declineReason}
      </>
    )
  if (confirmedAt === null) return 'Starts when the email is confirmed'
  return (
    <>
      Waiting since <Time at={confirmedAt} />
    </>
  )
}

/** Details of an account, with the reasons for its state. */
export function AccountDetails({ account }: { account: AdminAccount }) {
  const { balanceCredits, capCredits, limits } = account
  return (
    <dl className="border-t border-line">
      <Fact name="Account">
        <code className="font-mono text-table">{account.id}</code>
        {account.name === '' ? '' : `, ${account.name}`}
      </Fact>
      <Fact name="Plan">
        {planLabel(account.plan)}: <Limit value={limits.perMinute} own={account.ownPerMinute} unit="calls per minute for each live key" />,{' '}
        <Limit value={limits.perDay} own={account.ownPerDay} unit="per day" />
      </Fact>
      <Fact name="Balance">
        {credits(balanceCredits)} ({pounds(balanceCredits)}){capCredits === null ? '' : `, capped at ${credits(capCredits)} a month`}
      </Fact>
      <Fact name="Review">
        <Review account={account} />
      </Fact>
      {account.state === 'blocked' && !account.isClosed ? (
        <Fact name="Block">
          {account.blockReason === null ? 'No reason shown to the customer.' : `Reason shown to the customer: ${account.blockReason}`}
          {account.blockReasonPrivate === null ? null : <span className="block">Internal reason: {account.blockReasonPrivate}</span>}
        </Fact>
      ) : null}
      <Fact name="Signs in with">{signIn(account)}</Fact>
      <Fact name="Data Licence">{account.licence ?? 'None accepted'}</Fact>
      <Fact name="Signed up">
        <Time at={account.createdAt} />
      </Fact>
    </dl>
  )
}
