import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { AdminSection } from '../section.tsx'
import { type Line, type ShownCorrection, toFeedValue } from './products.tsx'

const why = { name: 'reason', label: 'Why', hint: 'Recorded in the audit log and with the correction. Not shown to callers.', rows: 2 } as const

function Until() {
  return (
    <TextField
      name="until"
      label="Last day"
      type="date"
      isOptional
      size="short"
      hint="The correction expires after this day (London time). Leave empty for no expiry."
    />
  )
}

export type Terms = Readonly<Record<'accountName' | 'rate' | 'boostRate' | 'boostDuration' | 'minBalance' | 'maxBalance', string>>

/** Form that corrects the terms of a product. Changes are previewed before they are saved. */
export function TermsForm({ sourceKey, terms, action }: { sourceKey: string; terms: Terms; action: FormAction }) {
  return (
    <AdminSection id="correct" title="Correct">
      <p className="mb-4 max-w-prose text-pretty text-ink-2">A correction overrides the feed until you end it. Later imports keep it.</p>
      <Form action={action} name="terms">
        <input type="hidden" name="sourceKey" value={sourceKey} />
        <TextField name="accountName" label="Account name" defaultValue={terms.accountName} autoComplete="off" />
        <TextField
          name="rate"
          label="Rate"
          hint="AER in percent including the bonus, such as 4.50."
          defaultValue={terms.rate}
          size="short"
          autoComplete="off"
        />
        <TextField
          name="boostRate"
          label="Bonus"
          hint="Temporary part of the rate, in percent. Enter 0.00 if there is none."
          defaultValue={terms.boostRate}
          size="short"
          autoComplete="off"
        />
        <TextField
          name="boostDuration"
          label="Bonus duration"
          isOptional
          hint="For example, 12 months."
          defaultValue={terms.boostDuration}
          size="short"
          autoComplete="off"
        />
        <TextField name="minBalance" label="Minimum balance" hint="In pounds." defaultValue={terms.minBalance} size="short" autoComplete="off" />
        <TextField
          name="maxBalance"
          label="Maximum balance"
          isOptional
          hint="In pounds. Leave empty for no maximum."
          defaultValue={terms.maxBalance}
          size="short"
          autoComplete="off"
        />
        <SubmitButton kind="second">Preview changes</SubmitButton>
      </Form>
    </AdminSection>
  )
}

type ConfirmProps = { sourceKey: string; seen: string; terms: Terms; lines: readonly Line[]; action: FormAction }

/** Preview of a correction, with the form that saves it. */
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
        Callers get the new terms on their next call. Rate changes are added to the history and sent to webhooks.
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
          Cancel
        </a>
      </p>
    </AdminSection>
  )
}

export function WithdrawForm({ sourceKey, seen, action }: { sourceKey: string; seen: string; action: FormAction }) {
  return (
    <AdminSection id="withdraw" title="Withdraw">
      <p className="mb-4 max-w-prose text-pretty text-ink-2">
        Before: listed. After: withdrawn, overriding the feed. Callers no longer get it, and a webhook is sent. You can undo this by ending the correction.
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
  if (feedSays === null) return 'The feed no longer lists this product, so it stays withdrawn.'
  if (isWithdrawal) return 'Before: withdrawn. After: listed, as in the feed.'
  return feedSays.length === 0 ? 'The feed now has the same values. Nothing changes for callers.' : `Before and after: ${toFeedValue(feedSays)}.`
}

/** Form that ends a correction and describes the effect. */
export function EndForm({ sourceKey, correction, action }: { sourceKey: string; correction: ShownCorrection; action: FormAction }) {
  return (
    <AdminSection id="end" title="End correction">
      <p className="mb-4 max-w-prose text-pretty text-ink-2">{afterwards(correction)}</p>
      <Form action={action} name="end">
        <input type="hidden" name="sourceKey" value={sourceKey} />
        <TextAreaField {...why} />
        <SubmitButton>End correction</SubmitButton>
      </Form>
    </AdminSection>
  )
}
