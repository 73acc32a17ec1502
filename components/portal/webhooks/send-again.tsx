import { useTimeZone } from '#components/data/time.tsx'
import { TextField } from '#components/forms/field.tsx'
import { Form, FormDone, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { useFormState } from '#components/ui/form-context.tsx'

export type RedeliverActions = { readonly failed: FormAction; readonly range: FormAction }

/** Hidden field with the cursor from which to continue a range that is too long for one request. */
export function ContinueAfter() {
  const [after = ''] = useFormState().typed['after'] ?? []
  return <input type="hidden" name="after" value={after} />
}

/** Forms that redeliver all failed deliveries, or all deliveries of a time range. */
export function SendAgain({ id, hasFailed, actions }: { id: string; hasFailed: boolean; actions: RedeliverActions }) {
  const zone = useTimeZone().replaceAll('_', ' ')
  return (
    <section aria-labelledby="again" className="mt-10">
      <h2 id="again" className="text-h2 font-semibold">
        Redeliver
      </h2>
      <p className="mt-1 mb-4 text-pretty text-ink-2">Events are redelivered in order with their original ids. You're never charged twice for an event.</p>
      <Form action={actions.range} name="range">
        <input type="hidden" name="id" value={id} />
        <div className="flex flex-wrap gap-5">
          <TextField name="from" label={`From (${zone})`} type="datetime-local" />
          <TextField name="to" label={`To (${zone})`} type="datetime-local" />
        </div>
        <ContinueAfter />
        <SubmitButton kind="second">Redeliver this range</SubmitButton>
      </Form>
      <div className="mt-4">
        <Form action={actions.failed} name="failed">
          <input type="hidden" name="id" value={id} />
          {hasFailed ? <SubmitButton kind="second">Redeliver all failed</SubmitButton> : <FormDone />}
        </Form>
      </div>
    </section>
  )
}
