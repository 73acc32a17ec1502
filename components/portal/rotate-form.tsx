'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RadioGroup } from '#components/forms/choice-field.tsx'
import { HiddenField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { KeyReveal } from './key-reveal.tsx'
import { defaultOverlapHours, lastUseText } from './key-use.ts'
import { keySnippets } from './snippets.ts'

const choices = [
  { value: '0', label: 'Immediately', hint: 'Calls with the old key fail immediately. If a program still uses it, choose a later time.' },
  { value: '1', label: 'In 1 hour', hint: 'Both keys work until then.' },
  { value: '6', label: 'In 6 hours', hint: 'Both keys work until then.' },
  { value: '24', label: 'In 24 hours', hint: 'Both keys work until then.' },
]

type Props = {
  id: string
  /** Base URL of the API, for examples. */
  apiUrl: string
}

/** Replaces a key with a new one that has the same permissions. */
export function RotateForm({ id, apiUrl }: Props) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const { data: key } = useSuspenseQuery(trpc.keys.read.queryOptions({ id }))
  const [made, setMade] = useState<{ readonly id: string; readonly key: string } | null>(null)
  const { mode, scopes } = key
  if (key.state !== 'active' && made === null) return null
  return (
    <section aria-labelledby="rotate" className="max-w-176">
      <h2 id="rotate" className="text-h2 font-semibold">
        Rotate
      </h2>
      {made === null ? (
        <>
          <p className="mt-1 mb-4 text-pretty text-ink-2" suppressHydrationWarning>
            Creates a new key with the same permissions and retires this one. {lastUseText(key, new Date())}
          </p>
          <MutationForm
            mutation={trpc.keys.rotate.mutationOptions()}
            name="rotate"
            onDone={(next) => {
              setMade(next)
              return client.invalidateQueries(trpc.keys.pathFilter())
            }}
          >
            <HiddenField name="id" value={id} />
            <RadioGroup name="overlapHours" legend="Expire the old key" chosen={[defaultOverlapHours(key, new Date())]} choices={choices} />
            <SubmitButton kind="second">Rotate key</SubmitButton>
          </MutationForm>
        </>
      ) : (
        <div className="mt-4">
          <KeyReveal value={made.key} mode={mode} snippets={keySnippets(apiUrl, { key: made.key, scopes })}>
            <p className="flex flex-wrap items-center gap-4">
              <span className="font-medium text-good">Done.</span>
              <ButtonLink kind="second" size="compact" href={`/portal/keys/${made.id}`}>
                View new key
              </ButtonLink>
            </p>
          </KeyReveal>
        </div>
      )}
    </section>
  )
}
