'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Time } from '#components/data/time.tsx'
import { credits, number, pounds } from '#components/portal/amounts.ts'
import { LedgerTable } from '#components/portal/billing/ledger.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { AsidePanel } from '#components/ui/columns.tsx'
import { Figure, FigureStrip } from '#components/ui/figures.tsx'
import { plans } from '#server/api/contract/access.ts'
import { AccountActions } from './account-actions.tsx'
import { KeyList, Notes, SignIns, TicketList, UseTable, WebhookList } from './account-parts.tsx'
import { PaymentTable } from './account-payments.tsx'
import { CallTable, linePlaces } from './account-records.tsx'
import { AuditTable } from './audit.tsx'
import { CopyId } from './kit/copy-id.tsx'
import { AccountTags, accountHref, DescriptionList, Heading, type Outputs, Section } from './kit/layout.tsx'
import { WriteForm } from './support-tickets.tsx'
import { shownRows } from './views.ts'

type Account = Outputs['accounts']['read']

const signIn = ({ hasPassword, hasSecondFactor, issuers }: Account): string =>
  [...(hasPassword ? ['password'] : []), ...issuers, ...(hasSecondFactor ? ['second factor'] : [])].join(', ') || 'None'

const limit = (value: number, own: number | null, unit: string): string => `${number(value)} ${unit}${own === null ? '' : ' (custom)'}`

function planText({ plan, limits, ownPerMinute, ownPerDay }: Account): string {
  const perMinute = limit(limits.perMinute, ownPerMinute, 'calls per minute for each live key')
  return `${plans[plan].label}: ${perMinute}, ${limit(limits.perDay, ownPerDay, 'per day')}`
}

function Review({ account: { approvedAt, declinedAt, declineReason, confirmedAt } }: { account: Account }): ReactNode {
  if (approvedAt === null && declinedAt === null && confirmedAt === null) return 'Starts when the email is confirmed'
  return (
    <>
      {approvedAt !== null ? 'Approved ' : declinedAt !== null ? 'Declined ' : 'Waiting since '}
      <Time at={approvedAt ?? declinedAt ?? confirmedAt ?? new Date()} />
      {approvedAt === null && declinedAt !== null ? `. Reason shown to the customer: ${declineReason}` : ''}
    </>
  )
}

function Block({ account: { blockReason, blockReasonPrivate } }: { account: Account }) {
  return (
    <>
      {blockReason === null ? 'No reason shown to the customer.' : `Reason shown to the customer: ${blockReason}`}
      {blockReasonPrivate === null ? null : <span className="block">Internal reason: {blockReasonPrivate}</span>}
    </>
  )
}

/** Details of an account, including why it was declined or blocked. */
function AccountDetails({ account }: { account: Account }) {
  const { id, name, capCredits, standing, licence, createdAt, singleSignOn } = account
  return (
    <DescriptionList
      isStacked
      items={[
        ['Name', name === '' ? 'Not given' : name],
        ['Account ID', <CopyId key="id" id={id} />],
        ['Limits', planText(account)],
        ['Monthly cap', capCredits === null ? 'None' : credits(capCredits)],
        ['Review', <Review key="review" account={account} />],
        ['Block', standing === 'blocked' ? <Block key="block" account={account} /> : null],
        ['Sign-in method', signIn(account)],
        ['Single sign-on', singleSignOn && `${singleSignOn.issuer}${singleSignOn.isRequired ? ', required for members' : ''}`],
        ['Data Licence', licence ?? 'None accepted'],
        ['Signed up', <Time key="signed-up" at={createdAt} />],
      ]}
    />
  )
}

/** Other pages of an account, linked from its heading. */
const tabs = [
  { more: '/requests', name: 'Calls' },
  { more: '/ledger', name: 'Ledger' },
  { more: '/credits', name: 'Adjust credits' },
  { more: '/viewing', name: 'View as this account' },
] as const

/** Inputs of the account page's queries. The server prefetches them. */
export type AccountInputs = {
  readonly account: string
  readonly range: { readonly from: string; readonly to: string }
  readonly before: string | null
}

function Activity({ account, range }: AccountInputs) {
  const { accounts } = useTRPC().admin
  const { data: failed } = useSuspenseQuery(accounts.requests.queryOptions({ account, isFailed: true, before: null, limit: shownRows }))
  const { data: ledger } = useSuspenseQuery(accounts.ledger.queryOptions({ account, cursor: null, request: null, limit: shownRows }))
  const { data: payments } = useSuspenseQuery(accounts.payments.queryOptions({ account, limit: shownRows }))
  const { data: usage } = useSuspenseQuery(accounts.usage.queryOptions({ account, ...range, by: 'endpoint' }))
  return (
    <>
      <Section id="failed" title="Rejected and failed calls" more={{ href: accountHref(account, '/requests'), name: 'All calls' }}>
        <CallTable
          caption="Latest rejected (4xx) and failed (5xx) calls"
          account={account}
          calls={failed.requests}
          empty="No rejected or failed calls in the last 30 days."
        />
      </Section>
      <Section id="ledger" title="Ledger" more={{ href: accountHref(account, '/ledger'), name: 'Full ledger' }}>
        {ledger.lines.length === 0 ? (
          <p>No transactions yet.</p>
        ) : (
          <LedgerTable caption="Latest ledger entries" lines={ledger.lines} isNewest marked={null} places={linePlaces(account)} />
        )}
      </Section>
      <Section
        id="payments"
        title="Payments"
        lead="Failures from the last 30 days first, then the latest other top-ups, including unpaid ones. To refund a payment, use Stripe: the credits are then deducted automatically."
      >
        <PaymentTable payments={payments} />
      </Section>
      <Section id="usage" title="Usage, last 7 days">
        <UseTable groups={usage.groups} />
      </Section>
    </>
  )
}

/** Balance and plan of an account, and its usage in the last seven days. */
function AccountFigures({ account, range }: { account: Account } & Pick<AccountInputs, 'range'>) {
  const { accounts } = useTRPC().admin
  const { groups } = useSuspenseQuery(accounts.usage.queryOptions({ account: account.id, ...range, by: 'endpoint' })).data
  const calls = groups.reduce((sum, group) => sum + group.calls, 0)
  const spent = groups.reduce((sum, group) => sum + group.credits, 0)
  return (
    <FigureStrip count={4}>
      <Figure
        name="Balance"
        value={number(account.balanceCredits)}
        note={`credits · ${pounds(account.balanceCredits)}`}
        tone={account.balanceCredits < 0 ? 'danger' : undefined}
      />
      <Figure name="Plan" value={plans[account.plan].label} />
      <Figure name="Calls, 7 days" value={number(calls)} />
      <Figure name="Credits used, 7 days" value={number(spent)} note={pounds(spent)} />
    </FigureStrip>
  )
}

function Aside({ account }: { account: Account }) {
  const { id, isClosed } = account
  return (
    <>
      <AsidePanel id="part-details" title="Details">
        <AccountDetails account={account} />
      </AsidePanel>
      <Section id="actions" title="Actions">
        <AccountActions account={account} />
      </Section>
      <Section id="support" title="Messages to support">
        <TicketList account={id} />
        {isClosed ? null : <WriteForm account={id} />}
      </Section>
      <Section id="notes" title="Notes">
        <Notes account={id} />
      </Section>
    </>
  )
}

/** Admin page of an account: details, actions, failed calls, ledger, access, notes and history. */
export function AccountPage(inputs: AccountInputs) {
  const { account: id, before, range } = inputs
  const { accounts } = useTRPC().admin
  const { data: account } = useSuspenseQuery(accounts.read.queryOptions({ account: id }))
  const { data: history } = useSuspenseQuery(accounts.history.queryOptions({ account: id, before }))
  return (
    <>
      <Heading title={account.email} back={{ href: '/admin/accounts', name: 'Accounts' }}>
        <AccountTags {...account} />
        <nav aria-label="Account" className="flex flex-wrap gap-2 sm:ml-auto">
          {tabs.map(({ more, name }) => (
            <ButtonLink key={more} kind="second" size="compact" href={accountHref(id, more)}>
              {name}
            </ButtonLink>
          ))}
        </nav>
      </Heading>
      <AccountFigures account={account} range={range} />
      {/* In a single column, the actions come first. */}
      <div className="grid gap-x-10 xl:grid-cols-[minmax(0,1fr)_20rem] xl:[&>div>section:first-child]:mt-0">
        <div className="min-w-0 xl:order-last">
          <Aside account={account} />
        </div>
        <div className="min-w-0">
          <Activity {...inputs} />
          <Section id="keys" title="Keys">
            <KeyList account={id} />
          </Section>
          <Section id="webhooks" title="Webhooks">
            <WebhookList account={id} />
          </Section>
          <Section id="sessions" title="Sessions">
            <SignIns account={id} />
          </Section>
          <Section id="history" title="History">
            <AuditTable
              lines={history.lines}
              isOfOne
              empty="No changes yet."
              older={history.next === null ? null : accountHref(id, `?before=${history.next}#history`)}
            />
          </Section>
        </div>
      </div>
    </>
  )
}
