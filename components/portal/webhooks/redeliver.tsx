'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTimeZone } from '#components/data/time.tsx'
import { HiddenField, TextField } from '#components/forms/field.tsx'
import { FormDone, SubmitButton } from '#components/forms/form.tsx'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { SummaryButton } from '#components/ui/summary-button.tsx'
import { redeliveryMessage } from './webhook-labels.tsx'

/** Range that is too long for one request, and the cursor from which the next one continues. */
type Rest = { readonly from: string; readonly to: string; readonly after: string }

/** Redelivers all failed deliveries, or all deliveries of a time range. */
export function Redeliver({ id }: { id: string }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const zone = useTimeZone().replaceAll('_', ' ')
  const [rest, setRest] = useState<Rest | null>(null)
  const { data: failed } = useSuspenseQuery(trpc.webhooks.deliveries.queryOptions({ id, state: 'dead', type: null, cursor: null }))
  const done = async (again: { count: number; next: string | null }) => {
    await client.invalidateQueries(trpc.webhooks.pathFilter())
    return redeliveryMessage(again)
  }
  return (
    <section aria-labelledby="again">
      <details>
        <SummaryButton>
          <h2 id="again">Redeliver</h2>
        </SummaryButton>
        <p className="mt-3 mb-4 text-pretty text-ink-2">Events are redelivered in order with their original IDs. You're never charged twice for an event.</p>
        <MutationForm
          mutation={trpc.webhooks.redeliverRange.mutationOptions()}
          name="range"
          toInput={(values) => ({ ...values, after: rest?.from === values['from'] && rest?.to === values['to'] ? rest?.after : null })}
          onDone={(again, values) => {
            setRest(again.next === null ? null : { from: values['from'], to: values['to'], after: again.next })
            return done(again)
          }}
        >
          <HiddenField name="id" value={id} />
          <div className="flex flex-wrap gap-5">
            <TextField name="from" label={`From (${zone})`} type="datetime-local" />
            <TextField name="to" label={`To (${zone})`} type="datetime-local" />
          </div>
          <SubmitButton kind="second">Redeliver this range</SubmitButton>
        </MutationForm>
        <div className="mt-4">
          <MutationForm mutation={trpc.webhooks.redeliverFailed.mutationOptions()} name="failed" onDone={done}>
            <HiddenField name="id" value={id} />
            {failed.deliveries.length > 0 ? <SubmitButton kind="second">Redeliver all failed</SubmitButton> : <FormDone />}
          </MutationForm>
        </div>
      </details>
    </section>
  )
}
