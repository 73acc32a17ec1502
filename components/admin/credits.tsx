'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Time } from '#components/data/time.tsx'
import { TextField } from '#components/forms/field.tsx'
import { credits as formatCredits, number } from '#components/portal/amounts.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { Tag, type Tone } from '#components/ui/tag.tsx'
import { AccountHeading } from './account-records.tsx'
import { ActionForm } from './kit/action-form.tsx'
import { type AdminColumn, AdminTable } from './kit/admin-table.tsx'
import { accountHref, Heading, NextPage, type Outputs, Person, Section, WaitingSummary } from './kit/layout.tsx'

type Adjustment = Outputs['credits']['terms']['adjustments'][number]
type Proposal = Outputs['credits']['proposals']['proposals'][number]

const tags: Readonly<Record<Adjustment['state'], readonly [tone: Tone, label: string]>> = {
  waiting: ['caution', 'Pending'],
  entered: ['good', 'Applied'],
  declined: ['plain', 'Declined'],
  ended: ['plain', 'Expired'],
}

function AdjustmentTag({ state }: { state: Adjustment['state'] }) {
  const [tone, label] = tags[state]
  return <Tag tone={tone}>{label}</Tag>
}

const columns: readonly AdminColumn<Adjustment>[] = [
  { name: 'When', cell: ({ proposedAt }) => <Time at={proposedAt} />, isHead: true, sort: ({ proposedAt }) => proposedAt.getTime() },
  {
    name: 'Credits',
    isBeside: true,
    cell: ({ credits }) => `${credits > 0 ? '+' : ''}${number(credits)}`,
    isNumber: true,
    sort: ({ credits }) => credits,
  },
  { name: 'State', cell: ({ state }) => <AdjustmentTag state={state} /> },
  {
    name: 'By',
    cell: ({ proposedByEmail, decidedByEmail }) => <span className="wrap-anywhere">{[proposedByEmail, decidedByEmail ?? []].flat().join(', ')}</span>,
  },
  { name: 'Why', cell: ({ reason, decisionReason }) => (decisionReason === null ? reason : `${reason} · ${decisionReason}`) },
  { name: 'Note to the customer', cell: ({ note }) => note },
]

/** Success messages by the state of the adjustment. */
const adjusted = {
  entered: 'Credits adjusted. See the latest entry below.',
  waiting: 'Proposed. Another administrator must approve it under Credit adjustments.',
} as const

/** Form that adjusts an account's credits: amount, preview and reason. `formKey` is an idempotency key: submitting the form twice adjusts the balance once. */
export function AdjustCredits({ account, formKey }: { account: string; formKey: string }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const { credits } = trpc.admin
  const { data: terms } = useSuspenseQuery(credits.terms.queryOptions({ account }))
  const [sent, setSent] = useState(0)
  return (
    <>
      <AccountHeading account={account} title="Adjust credits" />
      <p className="mb-6 wrap-anywhere">
        <Person id={account} email={terms.email} /> has {formatCredits(terms.balanceCredits)}.
      </p>
      {terms.isClosed ? (
        <Notice tone="caution">This account is closed. Its credits can’t be adjusted.</Notice>
      ) : (
        <div className="max-w-120">
          <ActionForm
            mutation={credits.adjust.mutationOptions()}
            name="adjust"
            input={{ account, key: `${formKey}-${sent}` }}
            kind="primary"
            button="Adjust credits"
            previewOf={['credits']}
            preview={(values) =>
              client.fetchQuery({ ...credits.preview.queryOptions({ account, credits: String(values['credits']) }), staleTime: 0, retry: false })
            }
            done={({ state }) => {
              setSent(sent + 1)
              return adjusted[state]
            }}
          >
            <TextField
              name="credits"
              label="Credits"
              hint="Positive to add, such as 50; negative to deduct, such as −50. Returns no money: refund payments in Stripe, which also deducts their credits."
              size="short"
              autoComplete="off"
            />
            <TextField
              name="note"
              label="Note to the customer"
              hint="Shown next to the ledger entry, for example “Goodwill”. Defaults to “Correction”."
              isOptional
              suggestions={['Goodwill.', 'Correction.']}
            />
          </ActionForm>
        </div>
      )}
      <Section id="adjustments" title="Adjustments">
        <AdminTable caption="Adjustments, newest first" columns={columns} rows={terms.adjustments} rowKey={({ id }) => id} empty="None yet." />
      </Section>
    </>
  )
}

function Decide({ id, isClosed, label }: Proposal) {
  const mutation = useTRPC().admin.credits.decide.mutationOptions()
  return (
    <div className="mt-4 max-w-120">
      {isClosed ? null : (
        <ActionForm
          mutation={mutation}
          name={id}
          input={{ id, isApproved: 'yes' }}
          kind="primary"
          button={`Approve: ${label.toLowerCase()}`}
          done="Approved. Credits adjusted."
        />
      )}
      <ActionForm
        mutation={mutation}
        name={`${id}-no`}
        title="Decline"
        input={{ id, isApproved: 'no' }}
        kind="danger"
        button="Decline"
        done="Declined. The balance is unchanged."
      />
    </div>
  )
}

function One({ proposal, viewer }: { proposal: Proposal; viewer: string }) {
  const { account, accountEmail, isClosed, balanceCredits, credits, label, effect, note, reason, proposedBy, proposedByEmail, proposedAt, endsAt } = proposal
  return (
    <li className="border-b border-line py-6">
      <h2 className="text-h2 font-semibold wrap-anywhere">
        {label} {credits > 0 ? 'to' : 'from'} <Person id={account} email={accountEmail} href={accountHref(account, '/credits')} />
      </h2>
      <p className="mt-1">{isClosed ? 'This account is closed, so its credits can’t be adjusted.' : `Balance ${number(balanceCredits)}. ${effect}`}</p>
      <p className="mt-1 text-ink-2 wrap-anywhere">
        Proposed by <Person id={proposedBy} email={proposedByEmail} />, <Time at={proposedAt} isStop />: {reason}
        {endsAt === null ? null : (
          <>
            {' '}
            Expires <Time at={endsAt} isStop />.
          </>
        )}
      </p>
      <p className="mt-1 text-ink-2">Note to the customer: {note}</p>
      {proposedBy === viewer || account === viewer ? (
        <p className="mt-3 font-medium">
          {proposedBy === viewer ? 'You proposed this.' : 'This is your own account.'} Another administrator must approve or decline it.
        </p>
      ) : (
        <Decide {...proposal} />
      )}
    </li>
  )
}

/** Credit adjustments awaiting a second administrator, oldest first. `viewer` is the current administrator's account. */
export function Proposals({ after, viewer }: { after: string | null; viewer: string }) {
  const { credits } = useTRPC().admin
  const { data: waiting } = useSuspenseQuery(credits.waiting.queryOptions())
  const { data } = useSuspenseQuery(credits.proposals.queryOptions({ after }))
  return (
    <>
      <Heading title="Credit adjustments to approve" />
      <WaitingSummary {...waiting} one="pending proposal" many="pending proposals" />
      {data.proposals.length === 0 ? (
        <p>Nothing to approve.</p>
      ) : (
        <ul className="border-t border-line">
          {data.proposals.map((proposal) => (
            <One key={proposal.id} proposal={proposal} viewer={viewer} />
          ))}
        </ul>
      )}
      <NextPage href={data.next === null ? null : `/admin/credits?after=${data.next}`}>Later proposals</NextPage>
    </>
  )
}
