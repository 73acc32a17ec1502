'use client'

import type { ReactNode } from 'react'
import { useFormStatus } from 'react-dom'
import { Button, type ButtonKind } from '#components/ui/button.tsx'
import { useFormState } from '#components/ui/form-context.ts'

type Props = { kind?: ButtonKind; name?: string; value?: string; children: ReactNode }

/** What a form did, where its button is not needed any more. */
export function FormDone() {
  const { done } = useFormState()
  return (
    <p aria-live="polite" className="font-medium text-good">
      {done}
    </p>
  )
}

/** Submits a form again together with what confirms the identity. */
export function ConfirmButton() {
  const { pending } = useFormStatus()
  return (
    <div>
      <Button kind="primary" type="submit" aria-disabled={pending} onClick={(event) => pending && event.preventDefault()}>
        Confirm and continue
      </Button>
    </div>
  )
}

/** Sends the form it stands in. While that is under way a second press does nothing; what came of it is said beside it. */
export function SubmitButton({ kind = 'primary', name, value, children }: Props) {
  const { pending } = useFormStatus()
  const { done, proof, typed } = useFormState()
  // The confirmation has its own button, which repeats the choice of the one that was clicked.
  if (proof !== null)
    return name !== undefined && value !== undefined && typed[name]?.includes(value) ? <input type="hidden" name={name} value={value} /> : null
  return (
    <span className="inline-flex flex-wrap items-center gap-3">
      <Button kind={kind} type="submit" name={name} value={value} aria-disabled={pending} onClick={(event) => pending && event.preventDefault()}>
        {children}
      </Button>
      <span aria-live="polite" className="text-note font-medium text-good">
        {pending ? '' : done}
      </span>
    </span>
  )
}
