import type { ReactNode } from 'react'
import { Time } from '#components/data/time.tsx'
import { credits, number, pounds } from '#components/portal/amounts.ts'
import { Fact } from '#components/portal/fact.tsx'
import type { AdminAccount } from '#server/api/contract/admin-account.ts'
import { planLabel } from './account-tags.tsx'

const signIn = ({ hasPassword, hasSecondFactor, issuers }: AdminAccount): string =>
  [...(hasPassword ? ['password'] : []), ...issuers, ...(hasSecondFactor ? ['second factor'] : [])].join(', ') || 'nothing'

function Limit({ value, own, unit }: { value: number; own: number | null; unit: string }) {
  return `${number(value)} ${unit}${own === null ? '' : ' (its own)'}`
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
        Refused <Time at={declinedAt} />. It was told: {declineReason}
      </>
    )
  if (confirmedAt === null) return 'Begins when the email is confirmed'
  return (
    <>
      Waits since <Time at={confirmedAt} />
    </>
  )
}

/** What an account is, and why it stands as it does. */
export function AccountFacts({ account }: { account: AdminAccount }) {
  const { balanceCredits, capCredits, limits } = account
  return (
    <dl className="border-t border-line">
      <Fact name="Account">
        <code className="font-mono text-table">{account.id}</code>
        {account.name === '' ? '' : `, ${account.name}`}
      </Fact>
      <Fact name="Plan">
        {planLabel(account.plan)}: <Limit value={limits.perMinute} own={account.ownPerMinute} unit="calls a minute for each live key" />,{' '}
        <Limit value={limits.perDay} own={account.ownPerDay} unit="a day" />
      </Fact>
      <Fact name="Balance">
        {credits(balanceCredits)} ({pounds(balanceCredits)}){capCredits === null ? '' : `, at most ${credits(capCredits)} a month`}
      </Fact>
      <Fact name="Review">
        <Review account={account} />
      </Fact>
      {account.state === 'blocked' && !account.isClosed ? (
        <Fact name="Block">
          {account.blockReason === null ? 'Callers are told no reason.' : `Callers are told: ${account.blockReason}`}
          {account.blockReasonPrivate === null ? null : <span className="block">Why: {account.blockReasonPrivate}</span>}
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
