'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { credits, number } from '#components/portal/amounts.ts'
import { browserName } from '#components/portal/browser-name.ts'
import { KeyStateTag, LastUse, ModeTag } from '#components/portal/key-table.tsx'
import { TicketTag } from '#components/portal/tickets.tsx'
import { successRateText, WebhookStateTag, waitingCount } from '#components/portal/webhooks/webhook-labels.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { ticketTopics } from '#server/api/contract/support.ts'
import { ActionForm } from './kit/action-form.tsx'
import { type AdminColumn, AdminTable } from './kit/admin-table.tsx'
import { CopyId } from './kit/copy-id.tsx'
import { CellLink, type Outputs } from './kit/layout.tsx'

type About = { account: string }
type Use = Outputs['accounts']['usage']['groups'][number]
type Key = Outputs['accounts']['keys'][number]
type Endpoint = Outputs['accounts']['webhooks']['endpoints'][number]

const useColumns: readonly AdminColumn<Use>[] = [
  { name: 'Endpoint', isHead: true, cell: ({ name }) => <span className="wrap-anywhere">{name}</span>, sort: ({ name }) => name },
  { name: 'Calls', isNumber: true, cell: ({ calls }) => number(calls), sort: ({ calls }) => calls },
  { name: 'Charged', isNumber: true, cell: (group) => credits(group.credits), sort: (group) => group.credits },
]

export function UseTable({ groups }: { groups: readonly Use[] }) {
  return (
    <AdminTable
      caption="Calls and credits by endpoint, last 7 days"
      rows={groups}
      rowKey={({ id }) => id}
      columns={useColumns}
      empty="No calls in the last 7 days."
    />
  )
}

const keyColumns: readonly AdminColumn<Key>[] = [
  {
    name: 'Key',
    isHead: true,
    cell: ({ name, hint, id }) => (
      <span>
        {name === '' ? 'Unnamed key' : name}
        <span className="mt-0.5 block font-mono text-note font-normal text-ink-2 wrap-anywhere">
          {hint} <CopyId id={id} />
        </span>
      </span>
    ),
    sort: ({ name }) => name,
  },
  { name: 'Mode', cell: ({ mode }) => <ModeTag mode={mode} /> },
  { name: 'State', isBeside: true, cell: (key) => <KeyStateTag {...key} /> },
  { name: 'Last used', cell: (key) => <LastUse {...key} />, sort: ({ usedAt }) => usedAt?.getTime() ?? 0 },
  { name: 'Spent this month', isNumber: true, cell: ({ spentCredits }) => credits(spentCredits), sort: ({ spentCredits }) => spentCredits },
]

export function KeyList({ account }: About) {
  const { data } = useSuspenseQuery(useTRPC().admin.accounts.keys.queryOptions({ account }))
  return <AdminTable caption="Keys" rows={data} rowKey={({ id }) => id} columns={keyColumns} empty="No keys." />
}

const endpointColumns: readonly AdminColumn<Endpoint>[] = [
  { name: 'Endpoint', isHead: true, cell: ({ url, description }) => <span className="wrap-anywhere">{description === '' ? url : description}</span> },
  { name: 'State', isBeside: true, cell: ({ state }) => <WebhookStateTag state={state} /> },
  { name: 'Delivered, 7 days', isNumber: true, cell: ({ successRate }) => successRateText(successRate) },
  { name: 'Waiting', isNumber: true, cell: ({ waiting }) => waitingCount(waiting) },
]

export function WebhookList({ account }: About) {
  const { data } = useSuspenseQuery(useTRPC().admin.accounts.webhooks.queryOptions({ account }))
  const { isOn, askedAt, endpoints } = data
  return (
    <>
      <p className="mb-3">
        {isOn ? 'On.' : 'Off.'}
        {askedAt === null || isOn ? null : (
          <>
            {' '}
            Requested <Time at={askedAt} />.
          </>
        )}
      </p>
      <AdminTable caption="Webhook endpoints" rows={endpoints} rowKey={({ id }) => id} columns={endpointColumns} empty="No endpoints." />
    </>
  )
}

const ticketColumns: readonly AdminColumn<Outputs['accounts']['tickets'][number]>[] = [
  { name: 'Topic', isHead: true, cell: ({ id, topic }) => <CellLink href={`/admin/support/${id}`}>{ticketTopics[topic]}</CellLink> },
  { name: 'State', isBeside: true, cell: ({ state }) => <TicketTag state={state} /> },
  { name: 'Last message', cell: ({ changedAt }) => <Time at={changedAt} /> },
]

/** The account's messages to support, newest first. */
export function TicketList({ account }: About) {
  const { data } = useSuspenseQuery(useTRPC().admin.accounts.tickets.queryOptions({ account }))
  return <AdminTable caption="Messages to support" rows={data} rowKey={({ id }) => id} columns={ticketColumns} empty="No messages." />
}

const list = 'divide-y divide-line border-y border-line'

export function SignIns({ account }: About) {
  const { data: sessions } = useSuspenseQuery(useTRPC().admin.accounts.sessions.queryOptions({ account }))
  if (sessions.length === 0) return <p>No active sessions.</p>
  return (
    <ul className={list}>
      {sessions.map(({ id, agent, seenAt, address }) => (
        <li key={id} className="py-2">
          {browserName(agent)}
          <span className="block text-note text-ink-2">
            <Time at={seenAt}>{ago(seenAt, new Date())}</Time>
            {address === null ? '' : ` from ${address}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Notes of administrators, newest first, with a form that adds one. */
export function Notes({ account }: About) {
  const { accounts } = useTRPC().admin
  const { data: notes } = useSuspenseQuery(accounts.notes.queryOptions({ account }))
  return (
    <>
      {notes.length === 0 ? null : (
        <ul className={`mb-6 ${list}`}>
          {notes.map(({ id, at, text, admin }) => (
            <li key={id} className="py-2">
              <span className="wrap-anywhere whitespace-pre-wrap">{text}</span>
              <span className="block text-note text-ink-2">
                <Time at={at} /> by {admin}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="max-w-prose">
        <ActionForm
          mutation={accounts.addNote.mutationOptions()}
          name="note"
          input={{ account }}
          button="Add note"
          reason={{ label: 'Note', hint: 'Only visible to administrators. Can’t be edited or deleted.', rows: 3 }}
          done="Note added."
        />
      </div>
    </>
  )
}
