import type { ReactNode } from 'react'
import { Time } from '#components/data/time.tsx'
import { credits, number, pounds } from '#components/portal/amounts.ts'
import type { Line } from '#components/portal/billing/ledger.tsx'
import { LedgerTable } from '#components/portal/billing/ledger.tsx'
import { Fact } from '#components/portal/fact.tsx'
import type { ShownKey } from '#components/portal/key-table.tsx'
import type { ShownRequest } from '#components/portal/request-table.tsx'
import type { Session } from '#components/portal/session-list.tsx'
import { Notice } from '#components/ui/notice.tsx'
import type { AdminAccount } from '#server/trpc/root.ts'
import { AccountActions, type AccountFormActions } from './account-actions.tsx'
import { AccountHistory, CallTable, type HistoryLine } from './account-activity.tsx'
import { KeyList, Notes, type ShownNote, type ShownUse, type ShownWebhooks, SignIns, UseTable, WebhookList } from './account-parts.tsx'
import { AccountTabs, AccountTags, linePlaces, planLabel } from './account-top.tsx'
import { doneMessages } from './action-messages.ts'
import type { EmailContent } from './email-preview.tsx'
import { accountHref, Section } from './section.tsx'

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

/** Details of an account, including why it was declined or blocked. */
function AccountDetails({ account }: { account: AdminAccount }) {
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

export type AccountPageData = {
  readonly account: AdminAccount
  readonly failed: readonly ShownRequest[]
  readonly ledger: readonly Line[]
  readonly usage: readonly ShownUse[]
  readonly keys: readonly ShownKey[]
  readonly webhooks: ShownWebhooks
  readonly sessions: readonly Session[]
  readonly notes: readonly ShownNote[]
  readonly history: { readonly lines: readonly HistoryLine[]; readonly next: string | null }
  readonly message: EmailContent
}

function Money({ data: { account, ledger, usage } }: { data: AccountPageData }) {
  return (
    <>
      <Section id="ledger" title="Ledger" more={{ href: accountHref(account.id, '/ledger'), name: 'Full ledger' }}>
        {ledger.length === 0 ? (
          <p>No transactions yet.</p>
        ) : (
          <LedgerTable caption="Latest ledger entries" lines={ledger} isNewest marked={null} places={linePlaces(account.id)} />
        )}
      </Section>
      <Section id="usage" title="Usage, last 7 days">
        <UseTable groups={usage} />
      </Section>
    </>
  )
}

function Access({ data: { keys, webhooks, sessions } }: { data: AccountPageData }) {
  return (
    <>
      <Section id="keys" title="Keys">
        <KeyList keys={keys} />
      </Section>
      <Section id="webhooks" title="Webhooks">
        <WebhookList webhooks={webhooks} />
      </Section>
      <Section id="sessions" title="Sessions">
        <SignIns sessions={sessions} />
      </Section>
    </>
  )
}

type Props = { data: AccountPageData; actions: AccountFormActions; done: string | undefined }

/** Admin page of an account: details, actions, failed calls, ledger, access, notes and history. */
export function AccountPage({ data, actions, done }: Props) {
  const { account, failed, keys, webhooks, sessions, notes, history, message: emailMessage } = data
  const message = done === undefined ? undefined : doneMessages[done]
  return (
    <>
      <p className="mb-2">
        <a className="prose-link" href="/admin/accounts">
          Accounts
        </a>
      </p>
      <div className="mb-6 flex flex-wrap items-center gap-3">
        <h1 className="text-h1 font-semibold tracking-tight wrap-anywhere">{account.email}</h1>
        <AccountTags {...account} />
      </div>
      {message === undefined ? null : (
        <div role="status" className="mb-6">
          <Notice tone="good">{message}</Notice>
        </div>
      )}
      <AccountDetails account={account} />
      <AccountTabs account={account.id} />
      <Section id="actions" title="Actions">
        {/* Every action adds a history entry, so this key resets the forms. */}
        <AccountActions
          key={history.lines[0]?.id}
          account={account}
          actions={actions}
          hasWebhooks={webhooks.isOn}
          sessionCount={sessions.length}
          keys={keys}
          message={emailMessage}
        />
      </Section>
      <Section id="failed" title="Failed calls" more={{ href: accountHref(account.id, '/requests'), name: 'All calls' }}>
        {failed.length === 0 ? <p>No failed calls in the last 30 days.</p> : <CallTable caption="Latest failed calls" account={account.id} calls={failed} />}
      </Section>
      <Money data={data} />
      <Access data={data} />
      <Section id="notes" title="Notes">
        <Notes key={notes[0]?.id} account={account.id} notes={notes} add={actions.addNote} />
      </Section>
      <Section id="history" title="History">
        <AccountHistory lines={history.lines} older={history.next === null ? null : accountHref(account.id, `?before=${history.next}#history`)} />
      </Section>
    </>
  )
}
