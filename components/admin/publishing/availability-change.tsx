import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { ButtonLink } from '#components/ui/button.tsx'
import { accountCount, DraftSection, ReasonField } from './draft-section.tsx'
import { type AdminEndpoint, type Availability, availabilityLabels } from './endpoint-table.tsx'

const steps = {
  open: 'Open to live keys',
  'test-only': 'Restrict to test keys',
  'coming-soon': 'Disable for all keys',
} as const satisfies Record<Availability, string>

const all = Object.keys(steps) as Availability[]

/** Links for changing an endpoint's availability. Each opens a preview; nothing changes until it is confirmed. */
export function AvailabilityChoice({ endpoint: { id, now, catalogue, isPlanned } }: { endpoint: AdminEndpoint }) {
  if (isPlanned) return <p className="mt-6">This endpoint isn’t built yet, so it can’t be enabled.</p>
  return (
    <p className="mt-6 flex flex-wrap gap-3">
      {all
        .filter((to) => to !== now)
        .map((to) => (
          <ButtonLink key={to} kind="second" href={`/admin/endpoints/${id}?to=${to}`}>
            {steps[to]}
            {to === catalogue ? ' (default)' : ''}
          </ButtonLink>
        ))}
    </p>
  )
}

type Props = {
  endpoint: AdminEndpoint
  to: Availability
  draft: { readonly title: string; readonly body: string; readonly recipientCount: number }
  action: FormAction
}

/** Preview of an availability change, with the form that publishes it. */
export function AvailabilityForm({ endpoint: { id, now }, to, draft, action }: Props) {
  return (
    <DraftSection id="change" title={steps[to]} lead="Effective on the next request, in every process. Docs, tools and prices are updated too.">
      <p className="mb-5">
        Before: <strong className="font-semibold">{availabilityLabels[now]}</strong>. After: <strong className="font-semibold">{availabilityLabels[to]}</strong>
        .
      </p>
      <div className="max-w-152">
        <Form action={action}>
          <input type="hidden" name="endpoint" value={id} />
          <input type="hidden" name="from" value={now} />
          <input type="hidden" name="to" value={to} />
          <TextField name="title" label="Changelog title" defaultValue={draft.title} hint="One line. Put API names in backticks." />
          <TextAreaField
            name="body"
            label="Changelog text"
            rows={6}
            defaultValue={draft.body}
            hint="Markdown. Published to the page and the feed immediately."
          />
          <ReasonField />
          <p className="flex flex-wrap items-center gap-3">
            <SubmitButton>
              {steps[to]} and email {accountCount(draft.recipientCount)}
            </SubmitButton>
            <a className="prose-link" href={`/admin/endpoints/${id}`}>
              Cancel
            </a>
          </p>
        </Form>
      </div>
    </DraftSection>
  )
}
