'use client'

import { useActionState } from 'react'
import { ButtonLink } from '../../ui/button.tsx'
import { ChoiceField } from '../../ui/choice-field.tsx'
import { TextAreaField, TextField } from '../../ui/field.tsx'
import { FormFrame } from '../../ui/form.tsx'
import { SubmitButton } from '../../ui/submit-button.tsx'
import { KeyReveal } from '../key-reveal.tsx'
import { noSecretYet, type SecretFormAction } from './webhook-form-state.ts'

type Props = {
  action: SecretFormAction
  types: readonly { readonly name: string; readonly when: string }[]
  accountTypes: readonly string[]
  /** What an event costs, in words. */
  price: string
}

/** Says where events go and which, makes the endpoint, and shows its secret once in its own place. */
export function NewWebhookForm({ action, types, accountTypes, price }: Props) {
  const [state, send] = useActionState(action, noSecretYet)
  if (state.made !== null) {
    const open = (
      <ButtonLink kind="second" href={`/portal/webhooks/${state.made.id}`}>
        Open the endpoint
      </ButtonLink>
    )
    return (
      <>
        <KeyReveal value={state.made.secret} mode="secret">
          <p className="font-medium text-good">Secret saved.</p>
        </KeyReveal>
        <p className="mt-6">{open}</p>
      </>
    )
  }
  return (
    <FormFrame state={state} send={send}>
      <TextField name="url" label="Address" hint="Where we post events to, beginning with https://. It has to be reachable from the internet." />
      <TextField name="description" label="Name" isOptional hint="For you, to tell endpoints apart." />
      <ChoiceField
        kind="checkbox"
        name="types"
        legend="Which events?"
        chosen={['rate.changed']}
        choices={types.map(({ name, when }) => ({ value: name, label: <code className="font-mono text-table">{name}</code>, hint: when }))}
      />
      <TextAreaField name="providers" label="Only these providers" isOptional hint="One slug a line, as in /reference/providers. Empty: every provider." />
      <ChoiceField
        kind="checkbox"
        name="accountTypes"
        legend="Only these account types"
        hint="None chosen: all of them."
        choices={accountTypes.map((name) => ({ value: name, label: name }))}
      />
      <TextField
        name="minChange"
        label="Least rate change in percentage points"
        isOptional
        size="short"
        hint="Such as 0.25. It looks at rate.changed only, up and down. Empty: every change."
      />
      <p className="border-y border-line py-3 text-pretty">{price}</p>
      <SubmitButton>Add endpoint</SubmitButton>
    </FormFrame>
  )
}
