'use client'

import { useActionState } from 'react'
import { ChoiceField } from '#components/forms/choice-field.tsx'
import { FormFrame, SubmitButton } from '#components/forms/form.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { KeyReveal } from './key-reveal.tsx'
import { type KeyLastUse, lastUseText } from './key-use.ts'
import { type KeyFormAction, noKeyYet } from './secret-form-states.ts'
import { keySnippets } from './snippets.ts'

const choices = [
  { value: '0', label: 'Immediately', hint: 'Calls with the old key fail immediately.' },
  { value: '1', label: 'In 1 hour', hint: 'Both keys work until then.' },
  { value: '6', label: 'In 6 hours', hint: 'Both keys work until then.' },
  { value: '24', label: 'In 24 hours', hint: 'Both keys work until then.' },
]

type Props = {
  id: string
  isActive: boolean
  lastUse: KeyLastUse
  /** Base URL of the API, for examples. */
  apiUrl: string
  action: KeyFormAction
}

/** Replaces a key with a new one that has the same permissions. */
export function RotateForm({ id, isActive, lastUse, apiUrl, action }: Props) {
  const [state, send] = useActionState(action, noKeyYet)
  const { made } = state
  // Without JavaScript, submitting the form reloads the page. The old key may no longer be active by then, but the new key must still be shown.
  if (!isActive && made === null) return null
  return (
    <section aria-labelledby="rotate" className="mt-10">
      <h2 id="rotate" className="text-h2 font-semibold">
        Rotate
      </h2>
      {made === null ? (
        <>
          <p className="mt-1 mb-4 text-pretty text-ink-2" suppressHydrationWarning>
            Creates a new key with the same permissions and retires this one. {lastUseText(lastUse, new Date())}
          </p>
          <FormFrame state={state} send={send} name="rotate">
            <input type="hidden" name="id" value={id} />
            <ChoiceField kind="radio" name="overlap" legend="Expire the old key" chosen={['0']} choices={choices} />
            <SubmitButton kind="second">Rotate key</SubmitButton>
          </FormFrame>
        </>
      ) : (
        <div className="mt-4">
          <KeyReveal value={made.key} mode={made.mode} snippets={keySnippets(apiUrl, made)}>
            <p className="flex flex-wrap items-center gap-4">
              <span className="font-medium text-good">Done.</span>
              <ButtonLink kind="second" href={`/portal/keys/${made.id}`}>
                View new key
              </ButtonLink>
            </p>
          </KeyReveal>
        </div>
      )}
    </section>
  )
}
