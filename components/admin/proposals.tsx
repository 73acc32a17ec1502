import { Time } from '#components/data/time.tsx'
import { TextAreaField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { number } from '#components/portal/amounts.ts'
import { ButtonLink } from '#components/ui/button.tsx'
import { adjustmentEffect, adjustmentLabel } from './adjustment-labels.tsx'
import { Person } from './person.tsx'

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
