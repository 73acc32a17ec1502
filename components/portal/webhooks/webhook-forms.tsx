'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { HiddenField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { AsidePanel } from '#components/ui/columns.tsx'
import { toast } from '#components/ui/toast.tsx'
import { DeletePanel } from '../delete-panel.tsx'
import { KeyReveal } from '../key-reveal.tsx'
import { TestResult } from './test-result.tsx'
import { EditLink } from './webhook-detail.tsx'
import { type Choices, WebhookFields } from './webhook-fields.tsx'

/** Sends a test event, and pauses or resumes the endpoint. */
export function WebhookActions({ id }: { id: string }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const { state } = useSuspenseQuery(trpc.webhooks.read.queryOptions({ id })).data
  const [delivery, setDelivery] = useState<string | null>(null)
  const isSentTo = state === 'active' || state === 'held'
  const done = (message: string) => async () => {
    await client.invalidateQueries(trpc.webhooks.pathFilter())
    toast(message)
  }
  return (
    <>
      <div className="flex flex-wrap items-start gap-3 sm:ml-auto">
        {isSentTo ? (
          <MutationForm key="test" mutation={trpc.webhooks.test.mutationOptions()} name="test" onDone={(sent) => setDelivery(sent.delivery)}>
            <HiddenField name="id" value={id} />
            <SubmitButton size="compact">Send test event (free)</SubmitButton>
          </MutationForm>
        ) : null}
        {isSentTo ? (
          <MutationForm key="pause" mutation={trpc.webhooks.pause.mutationOptions()} name="pause" onDone={done('Endpoint paused')}>
            <HiddenField name="id" value={id} />
            <SubmitButton kind="second" size="compact">
              Pause
            </SubmitButton>
          </MutationForm>
        ) : (
          <MutationForm key="resume" mutation={trpc.webhooks.resume.mutationOptions()} name="resume" onDone={done('Endpoint resumed')}>
            <HiddenField name="id" value={id} />
            <SubmitButton size="compact">Resume</SubmitButton>
          </MutationForm>
        )}
        <EditLink id={id} />
      </div>
      <div aria-live="polite" className="basis-full empty:hidden">
        {delivery === null ? null : <TestResult key={delivery} endpoint={id} delivery={delivery} />}
      </div>
    </>
  )
}

/** Replaces the signing secret and shows the new one once. */
export function RotateSecret({ id, hours }: { id: string; hours: number }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <AsidePanel id="rotate" title="Signing secret">
      <p className="mb-4 text-note text-pretty text-ink-2">
        For {hours} hours after you rotate, we sign each delivery with both the new and the old secret, so you have time to update your server. If you rotate
        again within that time, we sign with the original and the newest secret. The one in between stops working.
      </p>
      {secret === null ? (
        <MutationForm
          mutation={trpc.webhooks.rotate.mutationOptions()}
          name="rotate"
          onDone={(rotated) => {
            setSecret(rotated.secret)
            return client.invalidateQueries(trpc.webhooks.read.pathFilter())
          }}
        >
          <HiddenField name="id" value={id} />
          <SubmitButton kind="second">Rotate secret</SubmitButton>
        </MutationForm>
      ) : (
        <KeyReveal value={secret} mode="secret">
          <p className="font-medium text-good">Done.</p>
        </KeyReveal>
      )}
    </AsidePanel>
  )
}

/** Deletes an endpoint after a confirmation. */
export function DeleteWebhook({ id }: { id: string }) {
  const trpc = useTRPC()
  const { description, url } = useSuspenseQuery(trpc.webhooks.read.queryOptions({ id })).data
  return (
    <DeletePanel warning="Pending events won't be sent. You can't undo this." button="Delete this endpoint">
      <MutationForm mutation={trpc.webhooks.delete.mutationOptions()} name="delete" onDone={() => goTo('/portal/webhooks')}>
        <HiddenField name="id" value={id} />
        <p className="text-note text-pretty wrap-anywhere">Delete {description === '' ? url : description}?</p>
        <SubmitButton kind="danger">Delete endpoint</SubmitButton>
      </MutationForm>
    </DeletePanel>
  )
}

type NewWebhookProps = {
  choices: Choices
  /** Price of an event as text. */
  price: string
}

/** Form that creates an endpoint and shows its signing secret once. */
export function NewWebhookForm({ choices, price }: NewWebhookProps) {
  const trpc = useTRPC()
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null)
  if (made !== null)
    return (
      <>
        <KeyReveal value={made.secret} mode="secret">
          <p className="font-medium text-good">Done.</p>
        </KeyReveal>
        <p className="mt-6">
          <ButtonLink kind="second" size="compact" href={`/portal/webhooks/${made.id}`}>
            View endpoint
          </ButtonLink>
        </p>
      </>
    )
  return (
    <MutationForm mutation={trpc.webhooks.create.mutationOptions()} onDone={setMade}>
      <WebhookFields {...choices} />
      <p className="border-y border-line py-3 text-pretty">{price}</p>
      <SubmitButton>Add endpoint</SubmitButton>
    </MutationForm>
  )
}

/** Form that changes an endpoint. */
export function EditWebhookForm({ id, choices }: { id: string; choices: Choices }) {
  const trpc = useTRPC()
  const { data: webhook } = useSuspenseQuery(trpc.webhooks.read.queryOptions({ id }))
  return (
    <MutationForm mutation={trpc.webhooks.update.mutationOptions()} onDone={() => goTo(`/portal/webhooks/${id}`)}>
      <HiddenField name="id" value={id} />
      <WebhookFields {...choices} chosen={webhook} />
      <SubmitButton>Save endpoint</SubmitButton>
    </MutationForm>
  )
}
