'use client'

import { useActionState } from 'react'
import { FormFrame, SubmitButton } from '#components/forms/form.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { KeyReveal } from '../key-reveal.tsx'
import { noSecretYet, type SecretFormAction } from '../secret-form-states.ts'
import { type Choices, WebhookFields } from './webhook-fields.tsx'

type Props = {
  action: SecretFormAction
  choices: Choices
  /** Price of an event as text. */
  price: string
}

/** Form for a new endpoint, which shows its signing secret once. */
export function NewWebhookForm({ action, choices, price }: Props) {
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
