import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { TextAreaField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { credits, number } from '#components/portal/amounts.ts'
import { ButtonLink } from '#components/ui/button.tsx'
import { Tag, type Tone } from '#components/ui/tag.tsx'
import { Person } from './section.tsx'

/** Formats an amount with its sign: `+50`, `−50`. */
const signed = (count: number): string => `${count > 0 ? '+' : ''}${number(count)}`

/** Returns a button label: `Add 50 credits`, `Deduct 50 credits`. */
export const adjustmentLabel = (count: number): string => `${count > 0 ? 'Add' : 'Deduct'} ${credits(Math.abs(count))}`

/** Describes the effect: `Adds 50. New balance 63.` */
export const adjustmentEffect = (count: number, balance: number): string =>
  `${count > 0 ? 'Adds' : 'Deducts'} ${number(Math.abs(count))}. New balance ${number(balance + count)}.`

type AdjustmentState = 'waiting' | 'entered' | 'declined' | 'ended'

const tags: Readonly<Record<AdjustmentState, readonly [tone: Tone, label: string]>> = {
  waiting: ['caution', 'Pending'],
  entered: ['good', 'Applied'],
  declined: ['plain', 'Declined'],
  ended: ['plain', 'Expired'],
}

function AdjustmentTag({ state }: { state: AdjustmentState }) {
  const [tone, label] = tags[state]
  return <Tag tone={tone}>{label}</Tag>
}

type Line = {
  readonly id: string
  readonly credits: number
  readonly state: AdjustmentState
  readonly reason: string
  readonly note: string
  readonly proposedBy: string
  readonly proposedByEmail: string
  readonly proposedAt: Date
  readonly decidedBy: string | null
  readonly decidedByEmail: string | null
  readonly decisionReason: string | null
}

const columns = [
  { name: 'When', cell: ({ proposedAt }: Line) => <Time at={proposedAt} />, isHead: true },
  { name: 'Credits', isBeside: true, cell: ({ credits }: Line) => signed(credits), isNumber: true },
  { name: 'State', cell: ({ state }: Line) => <AdjustmentTag state={state} /> },
  {
    name: 'By',
    cell: ({ proposedBy, proposedByEmail, decidedBy, decidedByEmail }: Line) => (
      <>
        <Person id={proposedBy} email={proposedByEmail} />
        {decidedBy === null || decidedByEmail === null ? null : (
          <>
            , <Person id={decidedBy} email={decidedByEmail} />
          </>
        )}
      </>
    ),
  },
  { name: 'Why', cell: ({ reason, decisionReason }: Line) => (decisionReason === null ? reason : `${reason} · ${decisionReason}`) },
  { name: 'Note to the customer', cell: ({ note }: Line) => note },
]

/** Manual credit adjustments to an account, newest first. */
export function AdjustmentList({ adjustments }: { adjustments: readonly Line[] }) {
  return (
    <section aria-labelledby="adjustments" className="mt-10">
      <h2 id="adjustments" className="mb-2 text-h2 font-semibold">
        Adjustments
      </h2>
      {adjustments.length === 0 ? (
        <p>None yet.</p>
      ) : (
        <DataTable caption="Adjustments, newest first" columns={columns} rows={adjustments} rowKey={({ id }) => id} />
      )}
    </section>
  )
}

type Proposal = {
  readonly id: string
  readonly account: string
  readonly accountEmail: string
  readonly isClosed: boolean
  readonly balanceCredits: number
  readonly credits: number
  readonly note: string
  readonly reason: string
  readonly proposedBy: string
  readonly proposedByEmail: string
  readonly proposedAt: Date
  readonly endsAt: Date | null
}

function Decide({ id, isOpen, label, action }: { id: string; isOpen: boolean; label: string; action: FormAction }) {
  return (
    <div className="mt-4 max-w-120">
      <Form action={action} name={id}>
        <input type="hidden" name="id" value={id} />
        <TextAreaField name="reason" label="Why" hint="Recorded in the audit log. Not shown to the customer." rows={2} />
        <div className="flex flex-wrap gap-3">
          {isOpen ? (
            <SubmitButton name="decision" value="approve">
              Approve: {label}
            </SubmitButton>
          ) : null}
          <SubmitButton kind="second" name="decision" value="decline">
            Decline
          </SubmitButton>
        </div>
      </Form>
    </div>
  )
}

function One({ proposal, viewer, action }: { proposal: Proposal; viewer: string; action: FormAction }) {
  const { id, account, accountEmail, isClosed, balanceCredits, credits, note, reason, proposedBy, proposedByEmail, proposedAt, endsAt } = proposal
  const label = adjustmentLabel(credits)
  return (
    <li className="border-b border-line py-6">
      <h2 className="text-h2 font-semibold wrap-anywhere">
        {label} {credits > 0 ? 'to' : 'from'}{' '}
        <a className="prose-link" href={`/admin/accounts/${account}/credits`}>
          <Person id={account} email={accountEmail} />
        </a>
      </h2>
      <p className="mt-1">
        {isClosed
          ? 'This account is closed, so its credits can’t be adjusted.'
          : `Balance ${number(balanceCredits)}. ${adjustmentEffect(credits, balanceCredits)} Can be reversed but not edited.`}
      </p>
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
        <p className="mt-3 font-medium">{proposedBy === viewer ? 'You proposed this.' : 'This is your own account.'} Another administrator has to decide.</p>
      ) : (
        <Decide id={id} isOpen={!isClosed} label={label.toLowerCase()} action={action} />
      )}
    </li>
  )
}

type Props = { proposals: readonly Proposal[]; next: string | null; viewer: string; action: FormAction }

/** Credit adjustments awaiting a second administrator, oldest first. */
export function Proposals({ proposals, next, viewer, action }: Props) {
  if (proposals.length === 0) return <p>Nothing to approve.</p>
  return (
    <>
      <ul className="border-t border-line">
        {proposals.map((proposal) => (
          <One key={proposal.id} proposal={proposal} viewer={viewer} action={action} />
        ))}
      </ul>
      {next === null ? null : (
        <p className="mt-4">
          <ButtonLink kind="second" href={`/admin/credits?after=${next}`}>
            Later proposals
          </ButtonLink>
        </p>
      )}
    </>
  )
}

/** Sentence with an account's balance and a link to its admin page. */
export function Balance({ account, email, balanceCredits }: { account: string; email: string; balanceCredits: number }) {
  return (
    <p className="mb-6 wrap-anywhere">
      <a className="prose-link" href={`/admin/accounts/${account}`}>
        <Person id={account} email={email} />
      </a>{' '}
      has {credits(balanceCredits)}.
    </p>
  )
}
