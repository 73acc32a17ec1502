import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { type AdminEndpoint, type Availability, availabilityWords } from './endpoint-table.tsx'
import { Part } from './part.tsx'
import { Why } from './why.tsx'
import { accountsWords } from './words.ts'

const steps = {
  open: 'Open to live keys',
  'test-only': 'Hold back for test keys',
  'coming-soon': 'Withdraw from every key',
} as const satisfies Record<Availability, string>

const all = Object.keys(steps) as Availability[]

/** The ways on from what is in force. Each leads to a page that says what it would do; nothing is changed yet. */
export function AvailabilityChoice({ endpoint: { id, now, catalogue, isPlanned } }: { endpoint: AdminEndpoint }) {
  if (isPlanned) return <p className="mt-6">This endpoint is still to be built: there is nothing to open.</p>
  return (
    <p className="mt-6 flex flex-wrap gap-3">
      {all
        .filter((to) => to !== now)
        .map((to) => (
          <ButtonLink key={to} kind="second" href={`/admin/endpoints/${id}?to=${to}`}>
            {steps[to]}
            {to === catalogue ? ', as in the catalogue' : ''}
          </ButtonLink>
        ))}
    </p>
  )
}

type Props = {
  endpoint: AdminEndpoint
  to: Availability
  draft: { readonly title: string; readonly body: string; readonly told: number }
  action: FormAction
}

/** What a change would do, what will be said of it, and the button that does both. */
export function AvailabilityForm({ endpoint: { id, now }, to, draft, action }: Props) {
  return (
    <Part id="change" title={steps[to]} lead="It holds on the next request, on every process. The documents, the tools and the price list follow.">
      <p className="mb-5">
        Before: <strong className="font-semibold">{availabilityWords[now]}</strong>. After: <strong className="font-semibold">{availabilityWords[to]}</strong>.
      </p>
      <div className="max-w-152">
        <Form action={action}>
          <input type="hidden" name="endpoint" value={id} />
          <input type="hidden" name="from" value={now} />
          <input type="hidden" name="to" value={to} />
          <TextField name="title" label="Title in the changelog" defaultValue={draft.title} hint="One line. Names of the API stand between backticks." />
          <TextAreaField
            name="body"
            label="Text in the changelog"
            rows={6}
            defaultValue={draft.body}
            hint="Markdown. It is on the page and in the feed at once."
          />
          <Why />
          <p className="flex flex-wrap items-center gap-3">
            <SubmitButton>
              {steps[to]} and email {accountsWords(draft.told)}
            </SubmitButton>
            <a className="prose-link" href={`/admin/endpoints/${id}`}>
              Leave it as it is
            </a>
          </p>
        </Form>
      </div>
    </Part>
  )
}
