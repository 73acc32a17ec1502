import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { AdminSection } from '../admin-title.tsx'
import { type Line, type ShownCorrection, toFeedValue } from './product-facts.tsx'

const why = { name: 'reason', label: 'Why', hint: 'It stands in the audit log and with the correction. Callers do not see it.', rows: 2 } as const

function Until() {
  return (
    <TextField
      name="until"
      label="Last day"
      type="date"
      isOptional
      size="short"
      hint="It ends by itself after this day in London. Left empty: when somebody ends it."
    />
  )
}

export type Terms = Readonly<Record<'accountName' | 'rate' | 'boostRate' | 'boostDuration' | 'minBalance' | 'maxBalance', string>>

/** The terms that can be put right, as they stand; what is different is shown before it is done. */
export function TermsForm({ sourceKey, terms, action }: { sourceKey: string; terms: Terms; action: FormAction }) {
  return (
    <AdminSection id="correct" title="Correct">
      <p className="mb-4 max-w-prose text-pretty text-ink-2">
        What you put right here is laid over what the feed says until you end it. Every later import keeps it.
      </p>
      <Form action={action} name="terms">
        <input type="hidden" name="sourceKey" value={sourceKey} />
        <TextField name="accountName" label="Account name" defaultValue={terms.accountName} autoComplete="off" />
        <TextField name="rate" label="Rate" hint="AER in percent with the bonus, such as 4.50." defaultValue={terms.rate} size="short" autoComplete="off" />
        <TextField
          name="boostRate"
          label="Bonus"
          hint="The part of the rate that ends, in percent; 0.00 for none."
          defaultValue={terms.boostRate}
          size="short"
          autoComplete="off"
        />
        <TextField
          name="boostDuration"
          label="Bonus duration"
          isOptional
          hint="Such as 12 months."
          defaultValue={terms.boostDuration}
          size="short"
          autoComplete="off"
        />
        <TextField name="minBalance" label="Minimum balance" hint="In pounds." defaultValue={terms.minBalance} size="short" autoComplete="off" />
        <TextField
          name="maxBalance"
          label="Maximum balance"
          isOptional
          hint="In pounds. Left empty: no maximum."
          defaultValue={terms.maxBalance}
          size="short"
          autoComplete="off"
        />
        <SubmitButton kind="second">See what changes</SubmitButton>
      </Form>
    </AdminSection>
  )
}

type ConfirmProps = { sourceKey: string; seen: string; terms: Terms; lines: readonly Line[]; action: FormAction }

/** What a correction changes, before and after, and the button that does it. */
export function ConfirmForm({ sourceKey, seen, terms, lines, action }: ConfirmProps) {
  return (
    <AdminSection id="confirm" title="Correct this product">
      <dl className="mb-4 border-t border-line">
        {lines.map(({ label, from, to }) => (
          <div key={label} className="grid gap-x-4 border-b border-line py-2.5 sm:grid-cols-[12rem_1fr]">
            <dt className="text-ink-2">{label}</dt>
            <dd>
              {from} → <strong className="font-semibold">{to}</strong>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mb-4 max-w-prose text-pretty text-ink-2">
        Callers see it with their next call. A rate that changes is written into the history and told to webhooks.
      </p>
      <Form action={action} name="confirm">
        <input type="hidden" name="sourceKey" value={sourceKey} />
        <input type="hidden" name="seen" value={seen} />
        {Object.entries(terms).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Until />
        <TextAreaField {...why} />
        <SubmitButton>
          {lines.length === 1 && lines[0] ? `Change ${lines[0].label.toLowerCase()} to ${lines[0].to}` : `Change ${lines.length} terms`}
        </SubmitButton>
      </Form>
      <p className="mt-4">
        <a className="prose-link" href={`/admin/products/${sourceKey}`}>
          Leave it as it is
        </a>
      </p>
    </AdminSection>
  )
}

/** Takes a product off the market. */
export function WithdrawForm({ sourceKey, seen, action }: { sourceKey: string; seen: string; action: FormAction }) {
  return (
    <AdminSection id="withdraw" title="Withdraw">
      <p className="mb-4 max-w-prose text-pretty text-ink-2">
        Before: listed. After: withdrawn, whatever the feed says of it. Callers no longer get it, and webhooks are told. You can end this again.
      </p>
      <Form action={action} name="withdraw">
        <input type="hidden" name="sourceKey" value={sourceKey} />
        <input type="hidden" name="seen" value={seen} />
        <Until />
        <TextAreaField {...why} />
        <SubmitButton kind="danger">Withdraw product</SubmitButton>
      </Form>
    </AdminSection>
  )
}

function afterwards({ isWithdrawal, feedSays }: ShownCorrection): string {
  if (feedSays === null) return 'The feed does not name this product any more: it stays off the market.'
  if (isWithdrawal) return 'Before: withdrawn. After: listed, as the feed has it.'
  return feedSays.length === 0 ? 'The feed says the same by now: nothing changes for callers.' : `Before and after: ${toFeedValue(feedSays)}.`
}

/** Ends a correction, and says what comes of it. */
export function EndForm({ sourceKey, correction, action }: { sourceKey: string; correction: ShownCorrection; action: FormAction }) {
  return (
    <AdminSection id="end" title="End the correction">
      <p className="mb-4 max-w-prose text-pretty text-ink-2">{afterwards(correction)}</p>
      <Form action={action} name="end">
        <input type="hidden" name="sourceKey" value={sourceKey} />
        <TextAreaField {...why} />
        <SubmitButton>End correction</SubmitButton>
      </Form>
    </AdminSection>
  )
}
