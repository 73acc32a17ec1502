'use client'

import type { ReactNode } from 'react'
import { useFormStatus } from 'react-dom'
import { Button, type ButtonKind } from '#components/ui/button.tsx'
import { useFormState } from '#components/ui/form-context.ts'

type Props = { kind?: ButtonKind; name?: string; value?: string; children: ReactNode }

/** Success message in place of a button that is no longer needed. */
export function FormDone() {
  const { done } = useFormState()
  return (
    <p aria-live="polite" className="font-medium text-good">
      {done}
    </p>
  )
}

/** Resubmits a form together with the proof of identity. */
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

/** Submits the surrounding form and shows the result next to the button. Clicks are ignored while a submission is pending. */
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
