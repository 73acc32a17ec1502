'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { RadioGroup } from '#components/forms/choice-field.tsx'
import { HiddenField, TextAreaField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { Tag, type Tone } from '#components/ui/tag.tsx'
import { type TicketState, ticketTopicNames, ticketTopics } from '#server/api/contract/support.ts'

const states = {
  open: ['caution', 'Waiting for our reply'],
  answered: ['good', 'Answered'],
  closed: ['plain', 'Closed'],
} as const satisfies Record<TicketState, readonly [Tone, string]>

/** State of a ticket, as the customer sees it. */
export function TicketTag({ state }: { state: TicketState }) {
  const [tone, name] = states[state]
  return <Tag tone={tone}>{name}</Tag>
}

const topics = ticketTopicNames.map((value) => ({ value, label: ticketTopics[value] }))

/** Form for a new message to support. */
export function NewTicket() {
  const trpc = useTRPC()
  return (
    <MutationForm mutation={trpc.support.open.mutationOptions()} name="ticket" onDone={({ id }) => goTo(`/portal/help/${id}?done=sent`)}>
      <RadioGroup name="topic" legend="What is it about?" choices={topics} />
      <TextAreaField
        name="text"
        label="Message"
        rows={8}
        hint="Tell us what you expected and what happened. For a call or an error page, include the request ID (req_…) or reference; for a payment, its date and amount. Never send keys or passwords."
      />
      <SubmitButton>Send message</SubmitButton>
    </MutationForm>
  )
}

/** The account's tickets, newest first. */
export function OwnTickets() {
  const { data: tickets } = useSuspenseQuery(useTRPC().support.list.queryOptions())
  if (tickets.length === 0) return <p className="text-ink-2">No messages yet.</p>
  return (
    <DataTable
      caption="Your messages to support, newest first"
      rows={tickets}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'Topic',
          isHead: true,
          cell: ({ id, topic }) => (
            <a className="prose-link" href={`/portal/help/${id}`}>
              {ticketTopics[topic]}
            </a>
          ),
        },
        { name: 'State', isBeside: true, cell: ({ state }) => <TicketTag state={state} /> },
        { name: 'Last message', cell: ({ changedAt }) => <Time at={changedAt} /> },
      ]}
    />
  )
}

type Message = {
  readonly id: string
  readonly text: string
  readonly createdAt: Date
  readonly isOurs: boolean
  readonly writer: string | null
  readonly isYours: boolean
}

/** Messages of a ticket, oldest first. */
export function Messages({ messages }: { messages: readonly Message[] }) {
  return (
    <ol className="flex flex-col gap-3">
      {messages.map(({ id, text, createdAt, isOurs, writer, isYours }) => (
        <li key={id} className={`rounded-panel border border-line px-4 py-3 ${isOurs ? 'bg-accent-wash' : 'bg-surface'}`}>
          <p className="mb-1 flex flex-wrap justify-between gap-x-4 text-note text-ink-2">
            <span className="font-medium wrap-anywhere">{isYours ? 'You' : (writer ?? 'Support')}</span>
            <Time at={createdAt} />
          </p>
          <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
        </li>
      ))}
    </ol>
  )
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="mb-3 text-h2 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** A ticket of the account with its messages and the reply form. `isSent` is true right after it was sent. */
export function OwnTicket({ id, isSent }: { id: string; isSent: boolean }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const { data: ticket } = useSuspenseQuery(trpc.support.read.queryOptions({ id }, { refetchInterval: 30_000 }))
  return (
    <>
      {isSent && ticket.state === 'open' ? (
        <div role="status" className="mb-6">
          <Notice tone="good">We've received your message. We usually reply within one working day.</Notice>
        </div>
      ) : null}
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h1 className="text-h1 font-semibold tracking-tight">{ticketTopics[ticket.topic]}</h1>
        <TicketTag state={ticket.state} />
      </div>
      <Messages messages={ticket.messages} />
      <Section id="reply" title="Reply">
        <MutationForm
          mutation={trpc.support.reply.mutationOptions()}
          name="reply"
          isCleared
          onDone={async () => {
            await client.invalidateQueries(trpc.support.pathFilter())
            return 'Sent.'
          }}
        >
          <HiddenField name="id" value={id} />
          <TextAreaField name="text" label="Message" rows={5} />
          <SubmitButton kind="second">Send reply</SubmitButton>
        </MutationForm>
      </Section>
    </>
  )
}
