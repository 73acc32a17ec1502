'use client'

import { useTimeZone } from '#components/data/time.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { FormDone, SubmitButton } from '#components/forms/submit-button.tsx'
import { GoOn } from '#components/portal/webhooks/send-again.tsx'

function Why() {
  return <TextAreaField name="reason" label="Why" hint="For the audit log. The account does not see it." rows={2} />
}

/** Sends one delivery again; once it waits to be sent, only what came of that is said. */
export function RedeliverForm({ endpoint, delivery, canGoAgain, action }: { endpoint: string; delivery: string; canGoAgain: boolean; action: FormAction }) {
  return (
    <div className="mt-6 max-w-120">
      <Form action={action} name="one">
        <input type="hidden" name="endpoint" value={endpoint} />
        <input type="hidden" name="delivery" value={delivery} />
        {canGoAgain ? (
          <>
            <p className="text-pretty text-ink-2">With its own id, to the account’s own server. An event is charged once, with its first 2xx.</p>
            <Why />
            <SubmitButton>Send again</SubmitButton>
          </>
        ) : (
          <FormDone />
        )}
      </Form>
    </div>
  )
}

/** Sends everything of a span of time again, or everything that died. */
export function RedeliverManyForm({ endpoint, actions }: { endpoint: string; actions: { range: FormAction; failed: FormAction } }) {
  const zone = useTimeZone().replaceAll('_', ' ')
  return (
    <section aria-labelledby="again" className="mt-10 max-w-120">
      <h2 id="again" className="text-h2 font-semibold">
        Send again
      </h2>
      <p className="mt-1 mb-4 text-pretty text-ink-2">
        In order, each event with the id that it had, to the account’s own server. What was charged is not charged again; what was not is charged to the account
        with the first 2xx.
      </p>
      <Form action={actions.failed} name="failed">
        <input type="hidden" name="endpoint" value={endpoint} />
        <Why />
        <SubmitButton kind="second">Send everything that died again</SubmitButton>
      </Form>
      <div className="mt-8">
        <Form action={actions.range} name="range">
          <input type="hidden" name="endpoint" value={endpoint} />
          <div className="flex flex-wrap gap-5">
            <TextField name="from" label={`From, in ${zone}`} type="datetime-local" />
            <TextField name="to" label={`Before, in ${zone}`} type="datetime-local" />
          </div>
          <GoOn />
          <Why />
          <SubmitButton kind="second">Send this span again</SubmitButton>
        </Form>
      </div>
    </section>
  )
}
