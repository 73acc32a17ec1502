'use client'

import { useTimeZone } from '#components/data/time.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { Form, FormDone, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { ContinueAfter } from '#components/portal/webhooks/send-again.tsx'

function ReasonField() {
  return <TextAreaField name="reason" label="Why" hint="Recorded in the audit log. Not shown to the customer." rows={2} />
}

/** Form that redelivers one event. Once the delivery is queued, the form shows only the result. */
export function RedeliverForm({ endpoint, delivery, canGoAgain, action }: { endpoint: string; delivery: string; canGoAgain: boolean; action: FormAction }) {
  return (
    <div className="mt-6 max-w-120">
      <Form action={action} name="one">
        <input type="hidden" name="endpoint" value={endpoint} />
        <input type="hidden" name="delivery" value={delivery} />
        {canGoAgain ? (
          <>
            <p className="text-pretty text-ink-2">Redelivers the event with the same id to the customer’s server. It is charged once, on the first 2xx.</p>
            <ReasonField />
            <SubmitButton>Redeliver</SubmitButton>
          </>
        ) : (
          <FormDone />
        )}
      </Form>
    </div>
  )
}

/** Forms that redeliver all dead deliveries, or all deliveries of a time range. */
export function RedeliverManyForm({ endpoint, actions }: { endpoint: string; actions: { range: FormAction; failed: FormAction } }) {
  const zone = useTimeZone().replaceAll('_', ' ')
  return (
    <section aria-labelledby="again" className="mt-10 max-w-120">
      <h2 id="again" className="text-h2 font-semibold">
        Redeliver
      </h2>
      <p className="mt-1 mb-4 text-pretty text-ink-2">
        Redelivers events in order, with the same ids, to the customer’s server. Events that were already charged aren’t charged again. Others are charged on
        the first 2xx.
      </p>
      <Form action={actions.failed} name="failed">
        <input type="hidden" name="endpoint" value={endpoint} />
        <ReasonField />
        <SubmitButton kind="second">Redeliver all dead deliveries</SubmitButton>
      </Form>
      <div className="mt-8">
        <Form action={actions.range} name="range">
          <input type="hidden" name="endpoint" value={endpoint} />
          <div className="flex flex-wrap gap-5">
            <TextField name="from" label={`From, in ${zone}`} type="datetime-local" />
            <TextField name="to" label={`Before, in ${zone}`} type="datetime-local" />
          </div>
          <ContinueAfter />
          <ReasonField />
          <SubmitButton kind="second">Redeliver this range</SubmitButton>
        </Form>
      </div>
    </section>
  )
}
