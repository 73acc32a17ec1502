'use client'

import { useActionState } from 'react'
import { Form, FormDone, FormFrame, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { ButtonLink } from '#components/ui/button.tsx'
import { KeyReveal } from '../key-reveal.tsx'
import { noSecretYet, type SecretFormAction } from '../secret-form-states.ts'
import { type RedeliverActions, SendAgain } from './send-again.tsx'
import { type Choices, WebhookFields } from './webhook-fields.tsx'

type Actions = {
  readonly test: FormAction
  readonly pause: FormAction
  readonly resume: FormAction
  readonly again: RedeliverActions
  readonly rotate: SecretFormAction
  readonly remove: FormAction
}

function Rotate({ id, hours, action }: { id: string; hours: number; action: SecretFormAction }) {
  const [state, send] = useActionState(action, noSecretYet)
  return (
    <section aria-labelledby="rotate" className="mt-10">
      <h2 id="rotate" className="text-h2 font-semibold">
        Rotate the secret
      </h2>
      <p className="mt-1 mb-4 text-pretty text-ink-2">
        For {hours} hours both secrets sign deliveries, so that you can update your server. If you rotate again within that time, the original secret stays
        valid and the intermediate one stops working.
      </p>
      {state.made === null ? (
        <FormFrame state={state} send={send} name="rotate">
          <input type="hidden" name="id" value={id} />
          <SubmitButton kind="second">Rotate secret</SubmitButton>
        </FormFrame>
      ) : (
        <KeyReveal value={state.made.secret} mode="secret">
          <p className="font-medium text-good">Done.</p>
        </KeyReveal>
      )}
    </section>
  )
}

function OneButton({ id, name, action, kind = 'second', label }: { id: string; name: string; action: FormAction; kind?: 'second' | 'danger'; label: string }) {
  return (
    <Form action={action} name={name}>
      <input type="hidden" name="id" value={id} />
      <SubmitButton kind={kind}>{label}</SubmitButton>
    </Form>
  )
}

type Props = { id: string; isSentTo: boolean; hasFailed: boolean; oldSecretHours: number; actions: Actions }

/** Actions on an endpoint. The button labels and the text next to them explain the effects, so none asks for confirmation. */
export function WebhookForms({ id, isSentTo, hasFailed, oldSecretHours, actions }: Props) {
  return (
    <>
      <div className="mt-6 flex flex-wrap items-start gap-3">
        {isSentTo ? <OneButton id={id} name="test" action={actions.test} label="Send test event (free)" /> : null}
        {isSentTo ? (
          <OneButton id={id} name="pause" action={actions.pause} label="Pause" />
        ) : (
          <OneButton id={id} name="resume" action={actions.resume} label="Resume" />
        )}
      </div>
      <SendAgain id={id} hasFailed={hasFailed} actions={actions.again} />
      <Rotate id={id} hours={oldSecretHours} action={actions.rotate} />
      <section aria-labelledby="delete" className="mt-10">
        <h2 id="delete" className="text-h2 font-semibold">
          Delete
        </h2>
        <p className="mt-1 mb-4 text-pretty text-ink-2">Pending events won't be sent. You can't undo this.</p>
        <OneButton id={id} name="delete" action={actions.remove} kind="danger" label="Delete endpoint" />
      </section>
    </>
  )
}

type RedeliverProps = { endpoint: string; delivery: string; canGoAgain: boolean; action: FormAction }

/** Form that redelivers one event. */
export function RedeliverForm({ endpoint, delivery, canGoAgain, action }: RedeliverProps) {
  return (
    <div className="mt-6">
      <Form action={action} name="redeliver">
        <input type="hidden" name="id" value={endpoint} />
        <input type="hidden" name="delivery" value={delivery} />
        {canGoAgain ? <SubmitButton kind="second">Redeliver</SubmitButton> : <FormDone />}
      </Form>
    </div>
  )
}

type NewWebhookProps = {
  action: SecretFormAction
  choices: Choices
  /** Price of an event as text. */
  price: string
}

/** Form that creates an endpoint and shows its signing secret once. */
export function NewWebhookForm({ action, choices, price }: NewWebhookProps) {
  const [state, send] = useActionState(action, noSecretYet)
  if (state.made !== null) {
    const open = (
      <ButtonLink kind="second" href={`/portal/webhooks/${state.made.id}`}>
        View endpoint
      </ButtonLink>
    )
    return (
      <>
        <KeyReveal value={state.made.secret} mode="secret">
          <p className="font-medium text-good">Done.</p>
        </KeyReveal>
        <p className="mt-6">{open}</p>
      </>
    )
  }
  return (
    <FormFrame state={state} send={send}>
      <WebhookFields {...choices} />
      <p className="border-y border-line py-3 text-pretty">{price}</p>
      <SubmitButton>Add endpoint</SubmitButton>
    </FormFrame>
  )
}
