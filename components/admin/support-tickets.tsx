'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { RadioGroup } from '#components/forms/choice-field.tsx'
import { TextAreaField } from '#components/forms/field.tsx'
import { credits, number, pounds } from '#components/portal/amounts.ts'
import { Messages, TicketTag } from '#components/portal/tickets.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { SummaryButton } from '#components/ui/summary-button.tsx'
import { plans } from '#server/api/contract/access.ts'
import { accountStates } from '#server/api/contract/account-state.ts'
import { type TicketTopic, ticketTopicNames, ticketTopics } from '#server/api/contract/support.ts'
import { PaymentTable } from './account-payments.tsx'
import { ActionForm } from './kit/action-form.tsx'
import { AdminTable } from './kit/admin-table.tsx'
import { accountHref, CellLink, DescriptionList, Heading, type Outputs, Section } from './kit/layout.tsx'

type Tickets = Outputs['support']['list']
type Customer = Tickets['tickets'][number]['account']

/** Returns the name and email of a customer. An unconfirmed address may belong to someone else. */
function getName({ name, email, emailVerifiedAt, closedAt }: Customer): string {
  if (closedAt !== null) return 'Closed account'
  const address = emailVerifiedAt === null ? `${email} (not confirmed)` : email
  return name === '' ? address : `${name}, ${address}`
}

const messageHint = 'Shown to the customer in the portal, and emailed if their address is confirmed.'

const getTopic = (topic: string): string => ticketTopics[topic as TicketTopic]

/** Tickets in one state, in the order of the queue. `nextHref` is the link to the next page. */
export function TicketTable({ tickets, nextHref }: { tickets: Tickets['tickets']; nextHref: string | null }) {
  return (
    <AdminTable
      caption="Messages to support"
      rows={tickets}
      rowKey={({ id }) => id}
      empty="No messages."
      next={{ href: nextHref, name: 'Next page' }}
      columns={[
        {
          name: 'Customer',
          isHead: true,
          cell: ({ id, account }) => <CellLink href={`/admin/support/${id}`}>{getName(account)}</CellLink>,
          sort: ({ account }) => getName(account),
        },
        { name: 'Topic', cell: ({ topic }) => getTopic(topic), sort: ({ topic }) => getTopic(topic) },
        {
          name: 'Last message',
          isBeside: true,
          cell: ({ changedAt }) => <Time at={changedAt}>{ago(changedAt, new Date())}</Time>,
          sort: ({ changedAt }) => changedAt.getTime(),
        },
      ]}
    />
  )
}

/** Collapsed form that starts a conversation with a customer. */
export function WriteForm({ account }: { account: string }) {
  return (
    <ActionForm
      mutation={useTRPC().admin.support.write.mutationOptions()}
      name="write"
      title="Write to the customer"
      input={{ account }}
      kind="primary"
      button="Send message"
      done="Message sent."
      reason={{ usual: 'Wrote to the customer.' }}
    >
      <RadioGroup name="topic" legend="Topic" choices={ticketTopicNames.map((value) => ({ value, label: getTopic(value) }))} />
      <TextAreaField name="text" label="Message" rows={6} hint={messageHint} />
    </ActionForm>
  )
}

/** A customer's ticket with the forms to reply to it or close it. */
export function AdminTicket({ id }: { id: string }) {
  const { support } = useTRPC().admin
  const { data: ticket } = useSuspenseQuery(support.read.queryOptions({ id }))
  const { account, customer } = ticket
  const isAnswered = ticket.state === 'answered'
  return (
    <div className="max-w-176">
      <Heading title={getTopic(ticket.topic)} back={{ href: '/admin/support', name: 'Support' }}>
        <TicketTag state={ticket.state} />
      </Heading>
      <p className="mb-3">
        From{' '}
        <a className="prose-link wrap-anywhere" href={accountHref(account.publicId)}>
          {getName(account)}
        </a>
      </p>
      <DescriptionList
        items={[
          ['Balance', `${credits(customer.balanceCredits)} (${pounds(customer.balanceCredits)})`],
          ['Plan', `${plans[customer.plan].label}, ${accountStates[customer.standing].toLowerCase()}`],
        ]}
      />
      <details className="mt-3 mb-6" open={ticket.topic === 'payment' || undefined}>
        <SummaryButton>Last payments ({number(customer.payments.length)})</SummaryButton>
        <PaymentTable payments={customer.payments} />
      </details>
      <Messages messages={ticket.messages} />
      <Section id="answer" title="Reply">
        <ActionForm
          mutation={support.answer.mutationOptions()}
          name="answer"
          input={{ id }}
          kind="primary"
          button="Send reply"
          done="Reply sent."
          reason={{ usual: "Replied to the customer's message." }}
        >
          <TextAreaField name="text" label="Message" rows={6} hint={messageHint} />
        </ActionForm>
      </Section>
      {ticket.state === 'closed' ? null : (
        <div className="mt-8">
          <ActionForm
            mutation={support.close.mutationOptions()}
            name="close"
            title={isAnswered ? undefined : 'Close without replying'}
            input={{ id }}
            button="Close"
            done="Closed."
            reason={{ usual: isAnswered ? 'Answered.' : 'Needs no reply.' }}
          />
        </div>
      )}
    </div>
  )
}
