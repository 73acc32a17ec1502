'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Button, type ButtonKind } from '#components/ui/button.tsx'
import { StateContext, useFieldId, useFormState } from '#components/ui/form-context.tsx'
import type { FieldFaults } from '#server/api/contract/field-errors.ts'
import type { FormState } from './form-state.ts'

type SubmitButtonProps = {
  kind?: ButtonKind
  /** True if the button spans the fields. */
  isWide?: boolean
  /** `compact` in the heading of a page. */
  size?: 'regular' | 'compact'
  /** Reason why the form can't be submitted now, shown next to the disabled button; null if it can. */
  reason?: string | null
  children: ReactNode
}

/** Success message in place of a button that is no longer needed. */
export function FormDone() {
  const { done } = useFormState()
  return (
    <p aria-live="polite" className="font-medium text-good">
      {done}
    </p>
  )
}

/** Submits the surrounding form and shows the result next to the button. Clicks are ignored while a submission is pending. */
export function SubmitButton({ kind = 'primary', isWide = false, size = 'regular', reason = null, children }: SubmitButtonProps) {
  const reasonId = `${useFieldId()('submit')}-reason`
  const { done, proof, isPending = false } = useFormState()
  const isDisabled = isPending || reason !== null
  // The identity confirmation has its own button.
  if (proof !== null) return null
  return (
    <span className={`inline-flex flex-wrap items-center gap-x-3 ${isWide ? '' : 'gap-y-3'}`}>
      <Button
        kind={kind}
        size={isWide ? 'wide' : size}
        type="submit"
        aria-disabled={isDisabled}
        aria-describedby={reason === null ? undefined : reasonId}
        onClick={(event) => isDisabled && event.preventDefault()}
      >
        {children}
      </Button>
      {reason === null ? null : (
        <span id={reasonId} className={`font-medium text-danger ${isWide ? 'mt-3' : ''}`}>
          <span className="sr-only">Error: </span>
          {reason}
        </span>
      )}
      <span aria-live="polite" className={`text-note font-medium text-good ${isWide ? 'not-empty:mt-3' : ''}`}>
        {isPending ? '' : done}
      </span>
    </span>
  )
}

/** Prefixes the page title with "Error:", because screen readers announce the title first. */
function useErrorTitle(isFaulty: boolean): void {
  useEffect(() => {
    if (!isFaulty) return
    const title = document.title
    document.title = `Error: ${title.replace(/^Error: /, '')}`
    return () => {
      document.title = title
    }
  }, [isFaulty])
}

type FaultSummaryProps = {
  faults: FieldFaults
  /** Number of submissions. Every response moves the focus here again, even with the same errors. */
  attempt?: number
  /** Prefix of the field ids. */
  prefix?: string
}

/** Error summary above a form. Receives focus; each error links to its field. */
export function FaultSummary({ faults, attempt = 0, prefix = '' }: FaultSummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  const lines = Object.entries(faults)
  useErrorTitle(lines.length > 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every response moves the focus here, even with the same errors
  useEffect(() => box.current?.focus(), [attempt])
  if (lines.length === 0) return null
  return (
    <div ref={box} tabIndex={-1} role="alert" aria-labelledby={`${prefix}summary`} className="mb-6 rounded-panel border-2 border-danger px-4 py-3">
      <h2 id={`${prefix}summary`} className="font-semibold">
        There is a problem
      </h2>
      <ul className="mt-1">
        {lines.map(([field, fault]) => (
          <li key={field}>
            {field === 'form' ? (
              <span className="font-medium text-danger">{fault}</span>
            ) : (
              <a href={`#${prefix}${field}`} className="inline-block py-0.5 font-medium text-danger underline underline-offset-3 hover:decoration-2">
                {fault}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

type Props = {
  state: FormState
  /** Path that the form is submitted to. */
  action: string
  children: ReactNode
}

/** Form that the browser itself submits. Errors of the last submission are shown above the form and next to the fields. */
export function NativeForm({ state, action, children }: Props) {
  return (
    <StateContext value={state}>
      <form action={action} method="post" noValidate>
        <FaultSummary faults={state.faults} attempt={state.attempt} />
        <div className="flex flex-col gap-5">{children}</div>
      </form>
    </StateContext>
  )
}
