'use client'

import { type FormEvent, useActionState, useState } from 'react'
import { ChoiceField } from '#components/forms/choice-field.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { FormFrame } from '#components/forms/form.tsx'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { type KeyFormAction, noKeyYet } from './key-form-state.ts'
import { KeyReveal } from './key-reveal.tsx'
import { type KeyPlan, keySummary } from './key-summary.ts'
import { keySnippets } from './snippets.ts'

type ScopeLine = { readonly name: string; readonly opens: string }

type Props = {
  action: KeyFormAction
  scopes: readonly ScopeLine[]
  firstMode: 'test' | 'live'
  /** What to know about a live key before it is made. */
  liveNote: string | null
  /** Where calls go, for examples. */
  apiUrl: string
}

const firstScopes = ['rates:read', 'providers:read']

function planOf(form: HTMLFormElement): KeyPlan {
  const data = new FormData(form)
  const text = (name: string) => String(data.get(name) ?? '')
  return { mode: text('mode') === 'live' ? 'live' : 'test', scopes: data.getAll('scopes').map(String), cap: text('cap'), expires: text('expires') }
}

/** Says what a new key may do, makes it, and shows it once in its own place. */
export function NewKeyForm({ action, scopes, firstMode, liveNote, apiUrl }: Props) {
  const [state, send] = useActionState(action, noKeyYet)
  const [plan, setPlan] = useState<KeyPlan>({ mode: firstMode, scopes: firstScopes, cap: '', expires: '' })
  const { made } = state
  if (made !== null)
    return (
      <KeyReveal value={made.key} mode={made.mode} snippets={keySnippets(apiUrl, made)}>
        <p className="flex flex-wrap items-center gap-4">
          <span className="font-medium text-good">Key saved.</span>
          <ButtonLink kind="second" href="/portal/keys">
            Back to keys
          </ButtonLink>
        </p>
      </KeyReveal>
    )
  const onInput = (event: FormEvent<HTMLDivElement>) => {
    const form = (event.target as HTMLElement).closest('form')
    if (form) setPlan(planOf(form))
  }
  return (
    <div onInput={onInput} className="group/key">
      <FormFrame state={state} send={send}>
        <ChoiceField
          kind="radio"
          name="mode"
          legend="What is it for?"
          chosen={[firstMode]}
          choices={[
            { value: 'test', label: 'Test', hint: 'Sample data of fictional banks. Free, 10 calls a minute.' },
            {
              value: 'live',
              label: 'Live',
              hint: `Real data. Each call spends credits.${liveNote === null ? '' : ` ${liveNote}`}`,
            },
          ]}
        />
        <TextField name="name" label="Name" hint="For you, to tell keys apart: where it runs, for example." />
        <ChoiceField
          kind="checkbox"
          name="scopes"
          legend="What may it read?"
          chosen={firstScopes}
          choices={scopes.map(({ name, opens }) => ({ value: name, label: <code className="font-mono text-table">{name}</code>, hint: opens }))}
        />
        <div className="hidden flex-col gap-5 group-has-[[value=live]:checked]/key:flex">
          <TextAreaField
            name="addresses"
            label="Addresses that may use it"
            isOptional
            hint="One IP address or range a line, such as 203.0.113.0/24. Empty: every address."
          />
          <TextField
            name="cap"
            label="Monthly cap in credits"
            isOptional
            inputMode="numeric"
            size="short"
            hint="Calls beyond it are refused until the month ends, in UTC. Empty: no cap but your balance."
          />
        </div>
        <TextField name="expires" label="Stops on" type="date" isOptional size="short" hint="At the beginning of that day, in UTC. Empty: never." />
        <p aria-live="polite" className="border-y border-line py-3 text-pretty">
          {keySummary(plan)}
        </p>
        <SubmitButton>{plan.mode === 'live' ? 'Create live key' : 'Create test key'}</SubmitButton>
      </FormFrame>
    </div>
  )
}
