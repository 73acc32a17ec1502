'use client'

import { useActionState } from 'react'
import { Form, FormFrame } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { FormDone, SubmitButton } from '#components/forms/submit-button.tsx'
import { KeyReveal } from '../key-reveal.tsx'
import { type AgainActions, SendAgain } from './send-again.tsx'
import { noSecretYet, type SecretFormAction } from './webhook-form-state.ts'

type Actions = {
  readonly test: FormAction
  readonly pause: FormAction
  readonly resume: FormAction
  readonly again: AgainActions
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
        For {hours} hours deliveries carry a signature by each, so that your server can change in between. Rotate again within them, and the secret that was in
        use before goes on; the one in between ends.
      </p>
      {state.made === null ? (
        <FormFrame state={state} send={send} name="rotate">
          <input type="hidden" name="id" value={id} />
          <SubmitButton kind="second">Rotate secret</SubmitButton>
        </FormFrame>
      ) : (
        <KeyReveal value={state.made.secret} mode="secret">
          <p className="font-medium text-good">Secret saved.</p>
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

/** What can be done with an endpoint. Each button says what happens; none asks twice but by what stands beside it. */
export function WebhookForms({ id, isSentTo, hasFailed, oldSecretHours, actions }: Props) {
  return (
    <>
      <div className="mt-6 flex flex-wrap items-start gap-3">
        {isSentTo ? <OneButton id={id} name="test" action={actions.test} label="Send a test event, free" /> : null}
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
        <p className="mt-1 mb-4 text-pretty text-ink-2">Events that wait for this endpoint are not sent any more. You cannot undo this.</p>
        <OneButton id={id} name="delete" action={actions.remove} kind="danger" label="Delete endpoint" />
      </section>
    </>
  )
}

type RedeliverProps = { endpoint: string; delivery: string; canGoAgain: boolean; action: FormAction }

/** Sends one delivery again. */
export function RedeliverForm({ endpoint, delivery, canGoAgain, action }: RedeliverProps) {
  return (
    <div className="mt-6">
      <Form action={action} name="redeliver">
        <input type="hidden" name="id" value={endpoint} />
        <input type="hidden" name="delivery" value={delivery} />
        {canGoAgain ? <SubmitButton kind="second">Send again</SubmitButton> : <FormDone />}
      </Form>
    </div>
  )
}
