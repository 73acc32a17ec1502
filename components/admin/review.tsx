'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { goTo } from '#components/forms/go-to.ts'
import { number } from '#components/portal/amounts.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { ActionForm } from './kit/action-form.tsx'
import { type AdminColumn, AdminTable } from './kit/admin-table.tsx'
import { AccountTags, accountHref, CellLink, DescriptionList, Heading, type Outputs, Person, Section } from './kit/layout.tsx'
import { ReviewForms } from './review-forms.tsx'

type Candidate = Outputs['review']['queue']['candidates'][number]
type Similar = NonNullable<Outputs['review']['read']>['similar'][number]

/** Maximum number of similar accounts that the server counts. Must match `maxOthers` on the server. */
const maxOthers = 100

const others = (count: number): string => {
  if (count === 0) return 'no other accounts'
  return `${count >= maxOthers ? `${maxOthers} or more` : number(count)} other ${count === 1 ? 'account' : 'accounts'}`
}

/** Number of other accounts, for a table column. */
const otherCount = (count: number): string => (count === 0 ? '–' : `${number(Math.min(count, maxOthers))}${count >= maxOthers ? '+' : ''}`)

const signIn = ({ hasPassword, issuers }: Candidate): string => [...(hasPassword ? ['Password'] : []), ...issuers].join(', ')

const queueColumns: readonly AdminColumn<Candidate>[] = [
  {
    name: 'Account',
    isHead: true,
    cell: ({ id, email, purpose }) => (
      <>
        <CellLink href={`/admin/review/${id}`}>{email}</CellLink>
        {purpose === '' ? null : <span className="line-clamp-2 max-w-80 text-note font-normal text-ink-2">{purpose}</span>}
      </>
    ),
    sort: ({ email }) => email,
  },
  {
    name: 'Waiting',
    cell: ({ confirmedAt }) => <Time at={confirmedAt}>{ago(confirmedAt, new Date())}</Time>,
    sort: ({ confirmedAt }) => -confirmedAt.getTime(),
  },
  { name: 'Sign-in method', cell: (candidate) => <span className="wrap-anywhere">{signIn(candidate)}</span> },
  { name: 'Same domain', isNumber: true, cell: ({ sameDomain }) => otherCount(sameDomain), sort: ({ sameDomain }) => sameDomain },
  { name: 'Same IP', isNumber: true, cell: ({ sameAddress }) => otherCount(sameAddress), sort: ({ sameAddress }) => sameAddress },
  { name: 'Test calls', isNumber: true, cell: ({ testCalls }) => number(testCalls), sort: ({ testCalls }) => testCalls },
]

/** Form that approves the selected accounts, with one reason for all. */
function ApproveSelected({ selected, clear }: { selected: readonly Candidate[]; clear: () => void }) {
  const trpc = useTRPC()
  const count = selected.length === 1 ? '1 account' : `${selected.length} accounts`
  return (
    <ActionForm
      mutation={trpc.admin.review.approveMany.mutationOptions()}
      name="approve-selected"
      kind="primary"
      button={`Approve ${count}`}
      toInput={({ reason }) => ({ accounts: selected.map(({ id }) => id), reason })}
      done={({ approved, skipped }) => {
        clear()
        return skipped === 0 ? `${number(approved)} approved.` : `${number(approved)} approved. ${number(skipped)} skipped: already approved or declined.`
      }}
    >
      <p className="wrap-anywhere">
        Approves {selected.map(({ email }) => email).join(', ')}. Their live keys will work immediately, and we’ll email each customer.
      </p>
    </ActionForm>
  )
}

/** Accounts awaiting live access, longest wait first. */
export function ReviewQueue({ after, done }: { after: string | null; done: string | null }) {
  const { data } = useSuspenseQuery(useTRPC().admin.review.queue.queryOptions({ after }))
  return (
    <>
      <Heading title="Review" />
      {done === null ? null : (
        <p role="status" className="mb-6 font-medium text-good">
          {done}
        </p>
      )}
      <AdminTable
        caption="Accounts in review, longest wait first"
        rows={data.candidates}
        rowKey={({ id }) => id}
        columns={queueColumns}
        empty="No accounts to review."
        next={{ href: data.next === null ? null : `/admin/review?after=${data.next}`, name: 'Next page' }}
        bulk={{
          label: ({ email }) => email,
          idle: { button: 'Approve selected', hint: 'Select accounts to approve them together.' },
          form: (selected, clear) => <ApproveSelected selected={selected} clear={clear} />,
        }}
      />
    </>
  )
}

const sharedTraits = ({ hasSameAddress, hasSameDomain }: Similar): string =>
  [...(hasSameDomain ? ['domain'] : []), ...(hasSameAddress ? ['sign-up IP'] : [])].join(', ')

const similarColumns: readonly AdminColumn<Similar>[] = [
  { name: 'Account', isHead: true, cell: ({ id, email }) => <CellLink href={accountHref(id)}>{email}</CellLink> },
  { name: 'In common', cell: sharedTraits },
  { name: 'State', isBeside: true, cell: (one) => <AccountTags {...one} /> },
  { name: 'Signed up', cell: ({ signedUpAt }) => <Time at={signedUpAt} look="day" />, sort: ({ signedUpAt }) => signedUpAt.getTime() },
]

/** Evidence for a review, similar accounts, and the decision. */
export function CandidatePage({ account }: { account: string }) {
  const { data: candidate } = useSuspenseQuery(useTRPC().admin.review.read.queryOptions({ account }))
  if (candidate === null) return <p>This account has already been approved or declined.</p>
  const { id, email, name, purpose, confirmedAt, signedUpAt, domain, sameDomain, address, sameAddress, testCalls, testedAt } = candidate
  return (
    <>
      <Heading title={email} back={{ href: '/admin/review', name: 'Review' }} />
      <DescriptionList
        items={[
          ['Account', <Person key="account" id={id} email="Open the account" />],
          [
            'Waiting since',
            <span key="waiting">
              <Time at={confirmedAt} />, {ago(confirmedAt, new Date())}
            </span>,
          ],
          [
            'Signed up',
            <span key="signed-up">
              <Time at={signedUpAt} />
              {name === '' ? '' : ` as ${name}`}
            </span>,
          ],
          ['Intended use', purpose === '' ? 'Not given' : purpose],
          ['Sign-in method', signIn(candidate)],
          ['Email domain', `${domain}: ${others(sameDomain)}`],
          ['Signed up from', address === null ? 'Unknown' : `${address}: ${others(sameAddress)}`],
          [
            'Test keys',
            <span key="tests">
              {testCalls === 0 && testedAt === null ? 'Not used yet' : `${number(testCalls)} ${testCalls === 1 ? 'call' : 'calls'}`}
              {testedAt === null ? null : (
                <>
                  , last <Time at={testedAt} />
                </>
              )}
            </span>,
          ],
        ]}
      />
      <Section id="similar" title="Similar accounts">
        <AdminTable
          caption="Similar accounts"
          rows={candidate.similar}
          rowKey={(one) => one.id}
          columns={similarColumns}
          empty="No other account has the same email domain or sign-up IP."
        />
      </Section>
      <div className="grid gap-x-12 lg:grid-cols-2">
        <ReviewForms account={id} standing="review" decided={(decision) => goTo(`/admin/review?done=${decision}`)} />
      </div>
    </>
  )
}
