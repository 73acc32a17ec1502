import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { FaultSummary, Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { number } from '#components/portal/amounts.ts'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { adjustmentEffect, adjustmentLabel } from './adjustments.tsx'

type Terms = {
  readonly balanceCredits: number
  readonly isClosed: boolean
  readonly isOwn: boolean
  readonly aloneCredits: number
  readonly movedTodayCredits: number
}

type Props = {
  account: string
  terms: Terms
  /** Amount as entered; null before the first submission. */
  typed: string | null
  /** Amount as a number; null if it is invalid. */
  credits: number | null
  /** Idempotency key: submitting the form more than once adjusts the balance only once. */
  formKey: string
  action: FormAction
}

const box = 'h-11 w-full max-w-48 rounded-control border bg-surface px-3 text-base sm:text-body'

/** Amount field, in a GET form so that the preview works without JavaScript. */
function Amount({ account, typed, fault }: { account: string; typed: string; fault: string | null }) {
  return (
    <form action={`/admin/accounts/${account}/credits`} className="flex flex-col items-start gap-1.5">
      <label htmlFor="amount" className="font-medium">
        Credits
      </label>
      <p id="amount-hint" className="text-note text-ink-2">
        Positive to add, such as 50; negative to deduct, such as −50.
      </p>
      {fault === null ? null : (
        <p id="amount-fault" className="font-medium text-danger">
          <span className="sr-only">Error: </span>
          {fault}
        </p>
      )}
      <div className="flex w-full flex-wrap gap-3">
        <input
          id="amount"
          name="credits"
          defaultValue={typed}
          autoComplete="off"
          maxLength={20}
          aria-describedby={fault === null ? 'amount-hint' : 'amount-hint amount-fault'}
          aria-invalid={fault === null ? undefined : true}
          className={`${box} ${fault === null ? 'border-line-strong' : 'border-2 border-danger'}`}
        />
        <Button kind="second" type="submit">
          Preview
        </Button>
      </div>
    </form>
  )
}

function SecondOne({ isOwn, aloneCredits, movedTodayCredits }: Terms) {
  const moved = movedTodayCredits === 0 ? '' : ` You have adjusted this account by ${number(movedTodayCredits)} in the last day.`
  return (
    <Notice tone="caution" title="Second administrator required">
      {isOwn ? 'This is your own account.' : `One administrator can adjust an account by up to ${number(aloneCredits)} credits a day.${moved}`} Nothing changes
      until another administrator approves the adjustment. The request expires after 7 days.
    </Notice>
  )
}

function Confirm({ account, terms, credits, formKey, action }: Omit<Props, 'typed' | 'credits'> & { credits: number }) {
  const isProposal = terms.isOwn || terms.movedTodayCredits + Math.abs(credits) > terms.aloneCredits
  const label = adjustmentLabel(credits)
  return (
    <section aria-labelledby="effect" className="mt-8">
      <h2 id="effect" className="mb-2 text-h2 font-semibold">
        Preview
      </h2>
      <p className="mb-5">{adjustmentEffect(credits, terms.balanceCredits)} Can be reversed but not edited.</p>
      {isProposal ? (
        <div className="mb-5">
          <SecondOne {...terms} />
        </div>
      ) : null}
      <Form action={action} name="adjust">
        <input type="hidden" name="account" value={account} />
        <input type="hidden" name="key" value={formKey} />
        <input type="hidden" name="credits" value={credits} />
        <TextField name="note" label="Note to the customer" hint="Shown next to the ledger entry." isOptional />
        <TextAreaField name="reason" label="Why" hint="Recorded in the audit log. Not shown to the customer." rows={2} />
        <SubmitButton>{isProposal ? `Propose: ${label.toLowerCase()}` : label}</SubmitButton>
      </Form>
    </section>
  )
}

/** Returns an error message for the amount, or null if it is valid or not entered yet. */
export function adjustFault(
  { balanceCredits, isClosed }: Pick<Terms, 'balanceCredits' | 'isClosed'>,
  typed: string | null,
  credits: number | null,
): string | null {
  if (typed === null || isClosed) return null
  if (credits === null) return 'Enter a whole number other than 0.'
  return credits < 0 && balanceCredits + credits < 0 ? 'The balance would fall below 0. Deduct fewer credits.' : null
}

/** Form for a manual credit adjustment: amount, preview, reason. */
export function AdjustCredits({ account, terms, typed, credits, formKey, action }: Props) {
  if (terms.isClosed) return <Notice tone="caution">This account is closed. Its credits can’t be adjusted.</Notice>
  const fault = adjustFault(terms, typed, credits)
  return (
    <>
      {fault === null ? null : <FaultSummary faults={{ amount: fault }} />}
      <Amount account={account} typed={typed ?? ''} fault={fault} />
      {credits === null || fault !== null ? null : (
        <Confirm key={credits} account={account} terms={terms} credits={credits} formKey={formKey} action={action} />
      )}
    </>
  )
}
