'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { HiddenField, TextAreaField, TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { Messages, TicketTag } from '#components/portal/tickets.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { type TicketState, type TicketTopic, ticketTopics } from '#server/api/contract/support.ts'
import { accountHref } from './kit/layout.tsx'

type Customer = { readonly publicId: string; readonly email: string; readonly name: string; readonly closedAt: Date | null }

const getName = ({ name, email, closedAt }: Customer): string => (closedAt === null ? (name === '' ? email : `${name}, ${email}`) : 'Closed account')

type Ticket = { readonly id: string; readonly topic: TicketTopic; readonly state: TicketState; readonly changedAt: Date; readonly account: Customer }

/** Tickets in one state. */
export function TicketTable({ tickets }: { tickets: readonly Ticket[] }) {
  if (tickets.length === 0) return <p>No messages.</p>
  return (
    <DataTable
      caption="Messages to support"
      rows={tickets}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'Customer',
          isHead: true,
          cell: ({ id, account }) => (
            <a className="prose-link wrap-anywhere" href={`/admin/support/${id}`}>
              {getName(account)}
            </a>
          ),
        },
        { name: 'Topic', cell: ({ topic }) => ticketTopics[topic] },
        { name: 'Last message', isBeside: true, cell: ({ changedAt }) => <Time at={changedAt}>{ago(changedAt, new Date())}</Time> },
      ]}
    />
  )
}

function WhyField({ text }: { text: string }) {
  return <TextField name="reason" label="Why" hint="Recorded in the audit log. Not shown to the customer." defaultValue={text} />
}

/** Closes a ticket that needs no answer. */
function CloseTicket({ id }: { id: string }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (
    <section aria-labelledby="close" className="mt-10">
      <h2 id="close" className="mb-3 text-h2 font-semibold">
        Close without an answer
      </h2>
      <MutationForm
        mutation={trpc.admin.support.close.mutationOptions()}
        name="close"
        onDone={async () => {
          await client.invalidateQueries(trpc.admin.support.pathFilter())
        }}
      >
        <HiddenField name="id" value={id} />
        <WhyField text="Needs no answer." />
        <SubmitButton kind="second">Close</SubmitButton>
      </MutationForm>
    </section>
  )
}

/** A customer's ticket with the form to answer it. */
export function AdminTicket({ id }: { id: string }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const { data: ticket } = useSuspenseQuery(trpc.admin.support.read.queryOptions({ id }))
  const { account } = ticket
  return (
    <div className="max-w-176">
      <div className="mb-1 flex flex-wrap items-center gap-3">
        <h1 className="text-h1 font-semibold tracking-tight">{ticketTopics[ticket.topic]}</h1>
        <TicketTag state={ticket.state} />
      </div>
      <p className="mb-6">
        From{' '}
        <a className="prose-link wrap-anywhere" href={accountHref(account.publicId)}>
          {getName(account)}
        </a>
      </p>
      <Messages messages={ticket.messages} ours="Support" theirs={getName(account)} />
      <section aria-labelledby="answer" className="mt-8">
        <h2 id="answer" className="mb-3 text-h2 font-semibold">
          Answer
        </h2>
        <MutationForm
          mutation={trpc.admin.support.answer.mutationOptions()}
          name="answer"
          isCleared
          onDone={async () => {
            await client.invalidateQueries(trpc.admin.support.pathFilter())
            return 'Answer sent.'
          }}
        >
          <HiddenField name="id" value={id} />
          <TextAreaField name="text" label="Message" rows={6} hint="The customer reads it in the portal, and by email if their address is confirmed." />
          <WhyField text="Answered the customer's message." />
          <SubmitButton>Send answer</SubmitButton>
        </MutationForm>
      </section>
      {ticket.state === 'closed' ? null : <CloseTicket id={id} />}
    </div>
  )
}
