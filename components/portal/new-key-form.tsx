'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { RadioGroup } from '#components/forms/choice-field.tsx'
import { TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { LifetimeField, LiveKeyFields, type ScopeLine, ScopePresets, ScopesField } from './key-fields.tsx'
import { KeyReveal } from './key-reveal.tsx'
import { type KeyPlan, keySummary } from './key-summary.ts'
import { keySnippets } from './snippets.ts'

type Props = {
  scopes: readonly ScopeLine[]
  firstMode: 'test' | 'live'
  /** Note about live keys, such as a pending review. */
  liveNote: string | null
  /** Base URL of the API, for examples. */
  apiUrl: string
}

type MadeKey = { readonly key: string; readonly mode: 'test' | 'live'; readonly scopes: readonly string[] }

const firstScopes = ['rates:read', 'providers:read']

function readPlan(form: HTMLFormElement): KeyPlan {
  const data = new FormData(form)
  const text = (name: string) => String(data.get(name) ?? '')
  return { mode: text('mode') === 'live' ? 'live' : 'test', scopes: data.getAll('scopes').map(String), cap: text('cap'), expires: text('expires') }
}

/** Form for a new key: summarises what the key may do, creates it, and shows it once. */
export function NewKeyForm({ scopes, firstMode, liveNote, apiUrl }: Props) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const [made, setMade] = useState<MadeKey | null>(null)
  const [plan, setPlan] = useState<KeyPlan>({ mode: firstMode, scopes: firstScopes, cap: '', expires: '' })
  if (made !== null)
    return (
      <div className="max-w-152">
        <KeyReveal value={made.key} mode={made.mode} snippets={keySnippets(apiUrl, made)} note={made.mode === 'live' ? liveNote : null}>
          <p className="flex flex-wrap items-center gap-4">
            <span className="font-medium text-good">Done.</span>
            <ButtonLink kind="second" href="/portal/keys">
              Back to keys
            </ButtonLink>
          </p>
        </KeyReveal>
      </div>
    )
  const onInput = (event: FormEvent<HTMLDivElement>) => {
    const form = (event.target as HTMLElement).closest('form')
    if (form) setPlan(readPlan(form))
  }
  return (
    <div onInput={onInput} className="group/key">
      <MutationForm
        mutation={trpc.keys.create.mutationOptions()}
        onDone={({ key }) => {
          setMade({ key, mode: plan.mode, scopes: plan.scopes })
          return client.invalidateQueries(trpc.keys.pathFilter())
        }}
      >
        <div className="grid gap-x-10 gap-y-5 xl:grid-cols-[minmax(0,38rem)_minmax(0,20rem)]">
          <div className="flex min-w-0 flex-col gap-5">
            <RadioGroup
              name="mode"
              legend="Mode"
              chosen={[firstMode]}
              choices={[
                { value: 'test', label: 'Test', hint: 'Sample data with fictional banks. Free, 10 calls per minute.' },
                {
                  value: 'live',
                  label: 'Live',
                  hint: `Real data. Calls use credits.${liveNote === null ? '' : ` ${liveNote}`}`,
                },
              ]}
            />
            <TextField name="name" label="Name" hint="For example, “Production server”." />
            <div className="flex flex-col gap-3">
              <ScopePresets scopes={scopes} onChoose={(chosen) => setPlan({ ...plan, scopes: chosen })} />
              <ScopesField scopes={scopes} chosen={firstScopes} />
            </div>
            <div className="hidden flex-col gap-5 group-has-[[value=live]:checked]/key:flex">
              <LiveKeyFields />
            </div>
            <LifetimeField onChoose={(expires) => setPlan({ ...plan, expires })} />
          </div>
          <p aria-live="polite" className="self-start rounded-panel border border-line bg-sunken px-4 py-3 text-pretty xl:sticky xl:top-20">
            {keySummary(plan)}
          </p>
          <div>
            <SubmitButton>{plan.mode === 'live' ? 'Create live key' : 'Create test key'}</SubmitButton>
          </div>
        </div>
      </MutationForm>
    </div>
  )
}
