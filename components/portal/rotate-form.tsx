'use client'

import { useActionState } from 'react'
import { ChoiceField } from '#components/forms/choice-field.tsx'
import { FormFrame } from '#components/forms/form.tsx'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { type KeyFormAction, noKeyYet } from './key-form-state.ts'
import { KeyReveal } from './key-reveal.tsx'
import { type LastUseFacts, lastUseWords } from './last-use-words.ts'
import { keySnippets } from './snippets.ts'

const choices = [
  { value: '0', label: 'At once', hint: 'Calls with the old key fail at once.' },
  { value: '1', label: 'In 1 hour', hint: 'Until then both keys work.' },
  { value: '6', label: 'In 6 hours', hint: 'Until then both keys work.' },
  { value: '24', label: 'In 24 hours', hint: 'Until then both keys work.' },
]

type Props = {
  id: string
  isActive: boolean
  lastUse: LastUseFacts
  /** Where calls go, for examples. */
  apiUrl: string
  action: KeyFormAction
}

/** Puts a new key in the place of one, with the same rights, and says beforehand what that does. */
export function RotateForm({ id, isActive, lastUse, apiUrl, action }: Props) {
  const [state, send] = useActionState(action, noKeyYet)
  const { made } = state
  // Without a script the answer is a new page, on which the old key has ended already: the new one is shown all the same.
  if (!isActive && made === null) return null
  return (
    <section aria-labelledby="rotate" className="mt-10">
      <h2 id="rotate" className="text-h2 font-semibold">
        Rotate
      </h2>
      {made === null ? (
        <>
          <p className="mt-1 mb-4 text-pretty text-ink-2" suppressHydrationWarning>
            A new key takes the place of this one, with the same rights. {lastUseWords(lastUse, new Date())}
          </p>
          <FormFrame state={state} send={send} name="rotate">
            <input type="hidden" name="id" value={id} />
            <ChoiceField kind="radio" name="overlap" legend="When does the old key stop?" chosen={['0']} choices={choices} />
            <SubmitButton kind="second">Rotate key</SubmitButton>
          </FormFrame>
        </>
      ) : (
        <div className="mt-4">
          <KeyReveal value={made.key} mode={made.mode} snippets={keySnippets(apiUrl, made)}>
            <p className="flex flex-wrap items-center gap-4">
              <span className="font-medium text-good">Key saved.</span>
              <ButtonLink kind="second" href={`/portal/keys/${made.id}`}>
                Open the new key
              </ButtonLink>
            </p>
          </KeyReveal>
        </div>
      )}
    </section>
  )
}
