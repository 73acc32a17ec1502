'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { RadioGroup } from '#components/forms/choice-field.tsx'
import type { Values } from '#components/forms/client-form.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { type IncidentImpact, type IncidentState, incidentImpacts, incidentStates } from '#server/api/contract/incidents.ts'
import { ActionForm } from './kit/action-form.tsx'

const impacts = Object.entries(incidentImpacts).map(([value, { label, headline }]) => ({ value, label, hint: `Headline: “${headline}”` }))
const states = Object.entries(incidentStates).map(([value, label]) => ({ value, label }))

function UpdateFields({ impact, state }: { impact: IncidentImpact; state: IncidentState }) {
  const isResolved = (useWatch({ name: 'state' }) ?? state) === 'resolved'
  return (
    <>
      <RadioGroup name="impact" legend="Impact" chosen={[impact]} choices={impacts} />
      <RadioGroup name="state" legend="State" chosen={[state]} choices={states} />
      {isResolved ? <TextField name="endedAt" label="End (UTC)" isOptional hint="For example, 2026-11-26 14:35. Leave empty to use the current time." /> : null}
      <TextAreaField name="body" label="Text" rows={4} hint="Say what is affected, what you're doing about it, and when you'll post the next update." />
    </>
  )
}

/** Returns a function that loads the preview of an incident, or of an update on one. */
function useIncidentPreview() {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return ({ id = null, title = null, impact, state, body, startedAt, endedAt }: Partial<Values>) =>
    client.fetchQuery({
      ...trpc.admin.incidents.preview.queryOptions({ id, title, impact, state, body, startedAt, endedAt } as never),
      staleTime: 0,
      retry: false,
    })
}

const reason = { hint: 'Recorded in the audit log. Not shown to customers.' }

/** Publishes an incident on the status page. */
export function ReportIncident() {
  return (
    <ActionForm
      mutation={useTRPC().admin.incidents.open.mutationOptions()}
      name="incident"
      kind="primary"
      button="Publish incident"
      preview={useIncidentPreview()}
      reason={reason}
      done={({ id }) => goTo(`/admin/incidents/${id}`)}
    >
      <TextField name="title" label="Title" hint="One line, for example “Rates are delayed”." />
      <TextField name="startedAt" label="Start (UTC)" isOptional hint="For example, 2026-11-26 14:05. Leave empty to use the current time." />
      <UpdateFields impact="degraded" state="investigating" />
    </ActionForm>
  )
}

type Props = { id: string; impact: IncidentImpact; state: IncidentState; isResolved: boolean }

/** Publishes an update on an incident. An update on a resolved incident reopens it, so its form is collapsed. */
export function UpdateIncident({ id, impact, state, isResolved }: Props) {
  return (
    <ActionForm
      mutation={useTRPC().admin.incidents.update.mutationOptions()}
      name="update"
      title={isResolved ? 'Reopen incident' : undefined}
      input={{ id }}
      kind="primary"
      button={isResolved ? 'Reopen incident' : 'Publish update'}
      preview={useIncidentPreview()}
      reason={reason}
      done={() => goTo(`/admin/incidents/${id}`)}
    >
      <UpdateFields impact={impact} state={isResolved ? 'investigating' : state} />
    </ActionForm>
  )
}
