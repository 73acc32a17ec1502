'use client'

import { RadioGroup } from '#components/forms/choice-field.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { type IncidentImpact, type IncidentState, incidentImpacts, incidentStates } from '#server/api/contract/incidents.ts'

const impacts = Object.entries(incidentImpacts).map(([value, { label, headline }]) => ({ value, label, hint: `Headline: “${headline}”` }))
const states = Object.entries(incidentStates).map(([value, label]) => ({ value, label }))

function UpdateFields({ impact, state }: { impact: IncidentImpact; state: IncidentState }) {
  return (
    <>
      <RadioGroup name="impact" legend="Impact" chosen={[impact]} choices={impacts} />
      <RadioGroup name="state" legend="State" chosen={[state]} choices={states} />
      <TextAreaField name="body" label="Text" rows={4} hint="Say what is affected, what you're doing about it, and when you'll post the next update." />
      <TextField name="reason" label="Why" hint="Recorded in the audit log. Not shown to customers." />
    </>
  )
}

/** Publishes an incident on the status page. */
export function OpenIncident() {
  const trpc = useTRPC()
  return (
    <MutationForm mutation={trpc.admin.incidents.open.mutationOptions()} onDone={({ id }) => goTo(`/admin/incidents/${id}`)}>
      <TextField name="title" label="Title" hint="One line, such as: Rates are delayed." />
      <TextField name="startedAt" label="Start" isOptional hint="UTC, such as 2026-11-26 14:05. Leave empty if it starts now." />
      <UpdateFields impact="degraded" state="investigating" />
      <SubmitButton>Publish incident</SubmitButton>
    </MutationForm>
  )
}

type Props = { id: string; impact: IncidentImpact; state: IncidentState }

/** Publishes an update on an incident. */
export function UpdateIncident({ id, impact, state }: Props) {
  const trpc = useTRPC()
  return (
    <MutationForm
      mutation={trpc.admin.incidents.update.mutationOptions()}
      toInput={(values) => ({ ...values, id })}
      onDone={() => goTo(`/admin/incidents/${id}`)}
    >
      <UpdateFields impact={impact} state={state} />
      <SubmitButton>Publish update</SubmitButton>
    </MutationForm>
  )
}
