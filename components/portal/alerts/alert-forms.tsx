'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { HiddenField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { toast } from '#components/ui/toast.tsx'
import { type AlertChoices, AlertFields } from './alert-fields.tsx'
import type { TypedAlert } from './alert-labels.tsx'

/** Fields that are not part of the form for every kind. */
const noFilters = { type: '', minRate: '', provider: '', q: '', filter: '', providers: '' }

const toInput = (values: object) => ({ ...noFilters, ...values })

/** Form that creates an alert. */
export function NewAlertForm({ choices, chosen }: { choices: AlertChoices; chosen: TypedAlert }) {
  const trpc = useTRPC()
  return (
    <MutationForm mutation={trpc.alerts.create.mutationOptions()} toInput={toInput} onDone={({ id }) => goTo(`/portal/alerts/${id}`)}>
      <AlertFields {...choices} chosen={chosen} />
      <SubmitButton>Create alert</SubmitButton>
    </MutationForm>
  )
}

/** Form that changes an alert. */
export function EditAlertForm({ id, choices, chosen }: { id: string; choices: AlertChoices; chosen: TypedAlert }) {
  const trpc = useTRPC()
  return (
    <MutationForm mutation={trpc.alerts.update.mutationOptions()} toInput={toInput} onDone={() => goTo(`/portal/alerts/${id}`)}>
      <HiddenField name="id" value={id} />
      <AlertFields {...choices} chosen={chosen} />
      <SubmitButton>Save alert</SubmitButton>
    </MutationForm>
  )
}

/** Pauses or resumes an alert. */
export function AlertActions({ id }: { id: string }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const { isPaused } = useSuspenseQuery(trpc.alerts.read.queryOptions({ id })).data
  const done = (message: string) => async () => {
    await client.invalidateQueries(trpc.alerts.pathFilter())
    toast(message)
  }
  return isPaused ? (
    <MutationForm key="resume" mutation={trpc.alerts.resume.mutationOptions()} name="resume" onDone={done('Alert resumed')}>
      <HiddenField name="id" value={id} />
      <SubmitButton>Resume</SubmitButton>
    </MutationForm>
  ) : (
    <MutationForm key="pause" mutation={trpc.alerts.pause.mutationOptions()} name="pause" onDone={done('Alert paused')}>
      <HiddenField name="id" value={id} />
      <SubmitButton kind="second">Pause</SubmitButton>
    </MutationForm>
  )
}

/** Deletes an alert. */
export function DeleteAlert({ id }: { id: string }) {
  const trpc = useTRPC()
  return (
    <section aria-labelledby="delete" className="mt-10">
      <h2 id="delete" className="text-h2 font-semibold">
        Delete
      </h2>
      <p className="mt-1 mb-4 text-pretty text-ink-2">Its history is deleted too. You can't undo this.</p>
      <MutationForm mutation={trpc.alerts.delete.mutationOptions()} name="delete" onDone={() => goTo('/portal/alerts')}>
        <HiddenField name="id" value={id} />
        <SubmitButton kind="danger">Delete alert</SubmitButton>
      </MutationForm>
    </section>
  )
}
