import { useTimeZone } from '#components/data/time.tsx'
import { TextField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { FormDone, SubmitButton } from '#components/forms/submit-button.tsx'
import { useFormState } from '#components/ui/form-context.ts'

export type AgainActions = { readonly failed: FormAction; readonly range: FormAction }

/** Where a span that was too long for one go goes on. */
export function GoOn() {
  const [after = ''] = useFormState().typed['after'] ?? []
  return <input type="hidden" name="after" value={after} />
}

/** Sends deliveries again: everything that died, or everything of a span of time. */
export function SendAgain({ id, hasFailed, actions }: { id: string; hasFailed: boolean; actions: AgainActions }) {
  const zone = useTimeZone().replaceAll('_', ' ')
  return (
    <section aria-labelledby="again" className="mt-10">
      <h2 id="again" className="text-h2 font-semibold">
        Send again
      </h2>
      <p className="mt-1 mb-4 text-pretty text-ink-2">In order, each event with the id that it had. What was charged is not charged again.</p>
      <Form action={actions.range} name="range">
        <input type="hidden" name="id" value={id} />
        <div className="flex flex-wrap gap-5">
          <TextField name="from" label={`From, in ${zone}`} type="datetime-local" />
          <TextField name="to" label={`Before, in ${zone}`} type="datetime-local" />
        </div>
        <GoOn />
        <SubmitButton kind="second">Send this span again</SubmitButton>
      </Form>
      <div className="mt-4">
        <Form action={actions.failed} name="failed">
          <input type="hidden" name="id" value={id} />
          {hasFailed ? <SubmitButton kind="second">Send everything that died again</SubmitButton> : <FormDone />}
        </Form>
      </div>
    </section>
  )
}
