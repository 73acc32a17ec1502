'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { HiddenField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { toast } from '#components/ui/toast.tsx'
import { DeletePanel } from '../delete-panel.tsx'
import { type AlertChoices, AlertFields } from './alert-fields.tsx'
import type { TypedAlert } from './alert-labels.tsx'
import { AlertPreview } from './alert-preview.tsx'

/** Empty values of the fields that some kinds of alert don't have. */
const noFilters = { type: '', minRate: '', provider: '', q: '', filter: '', providers: '' }

const toInput = (values: object) => ({ ...noFilters, ...values })

/** Fields with the current matches next to them on wide screens, and above the button elsewhere. */
function FormColumns({ choices, chosen, children }: { choices: AlertChoices; chosen: TypedAlert; children: ReactNode }) {
  return (
    <div className="grid gap-x-10 gap-y-5 xl:grid-cols-[minmax(0,38rem)_minmax(0,20rem)]">
      <div className="flex min-w-0 flex-col gap-5">
        <AlertFields {...choices} chosen={chosen} />
      </div>
      <div className="self-start xl:sticky xl:top-20">
        <AlertPreview chosen={chosen} />
      </div>
      <div>{children}</div>
    </div>
  )
}

/** Form that creates an alert. */
export function NewAlertForm({ choices, chosen }: { choices: AlertChoices; chosen: TypedAlert }) {
  const trpc = useTRPC()
  return (
    <MutationForm mutation={trpc.alerts.create.mutationOptions()} toInput={toInput} onDone={({ id }) => goTo(`/portal/alerts/${id}`)}>
      <FormColumns choices={choices} chosen={chosen}>
        <SubmitButton>Create alert</SubmitButton>
      </FormColumns>
    </MutationForm>
  )
}

/** Form that changes an alert. */
export function EditAlertForm({ id, choices, chosen }: { id: string; choices: AlertChoices; chosen: TypedAlert }) {
  const trpc = useTRPC()
  return (
    <MutationForm mutation={trpc.alerts.update.mutationOptions()} toInput={toInput} onDone={() => goTo(`/portal/alerts/${id}`)}>
      <HiddenField name="id" value={id} />
      <FormColumns choices={choices} chosen={chosen}>
        <SubmitButton>Save alert</SubmitButton>
      </FormColumns>
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
      <SubmitButton size="compact">Resume</SubmitButton>
    </MutationForm>
  ) : (
    <MutationForm key="pause" mutation={trpc.alerts.pause.mutationOptions()} name="pause" onDone={done('Alert paused')}>
      <HiddenField name="id" value={id} />
      <SubmitButton kind="second" size="compact">
        Pause
      </SubmitButton>
    </MutationForm>
  )
}

/** Deletes an alert. */
export function DeleteAlert({ id, name }: { id: string; name: string }) {
  const trpc = useTRPC()
  return (
    <DeletePanel warning="Its history is deleted too. You can't undo this." button="Delete this alert">
      <MutationForm mutation={trpc.alerts.delete.mutationOptions()} name="delete" onDone={() => goTo('/portal/alerts')}>
        <HiddenField name="id" value={id} />
        <p className="text-note text-pretty wrap-anywhere">Delete {name}?</p>
        <SubmitButton kind="danger">Delete alert</SubmitButton>
      </MutationForm>
    </DeletePanel>
  )
}
