'use client'

import { type ReactNode, useActionState, useEffect, useRef } from 'react'
import { useFormStatus } from 'react-dom'
import { Button, type ButtonKind } from '#components/ui/button.tsx'
import { ConfirmIdentity } from '#components/ui/confirm-identity.tsx'
import { PrefixContext, StateContext, useFieldId, useFormState, useReadOnly } from '#components/ui/form-context.tsx'
import type { FieldFaults, Proof } from '#server/api/contract/field-errors.ts'
import { type FormAction, type FormState, untouched } from './form-state.ts'

type SubmitButtonProps = {
  kind?: ButtonKind
  name?: string
  value?: string
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

/** Resubmits a form together with the proof of identity. */
function ConfirmButton() {
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
export function SubmitButton({ kind = 'primary', name, value, reason = null, children }: SubmitButtonProps) {
  const reasonId = `${useFieldId()('submit')}-reason`
  const status = useFormStatus()
  const { done, proof, typed, isPending = false } = useFormState()
  const pending = status.pending || isPending
  const isDisabled = pending || reason !== null
  // The identity confirmation has its own button, so a hidden field sends the value of the button that was clicked first.
  if (proof !== null)
    return name !== undefined && value !== undefined && typed[name]?.includes(value) ? <input type="hidden" name={name} value={value} /> : null
  return (
    <span className="inline-flex flex-wrap items-center gap-3">
      <Button
        kind={kind}
        type="submit"
        name={name}
        value={value}
        aria-disabled={isDisabled}
        aria-describedby={reason === null ? undefined : reasonId}
        onClick={(event) => isDisabled && event.preventDefault()}
      >
        {children}
      </Button>
      {reason === null ? null : (
        <span id={reasonId} className="font-medium text-danger">
          <span className="sr-only">Error: </span>
          {reason}
        </span>
      )}
      <span aria-live="polite" className="text-note font-medium text-good">
        {pending ? '' : done}
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
  action: FormAction
  children: ReactNode
  /** Prefix of the field ids, if there are several forms on a page. */
  name?: string
  /** Proof of identity that the form requests from the start. For forms that only confirm the user's identity. */
  proof?: Proof
}

/** Form with a server action. Errors are shown above the form and next to the fields; typed values are kept. Works without JavaScript. */
export function Form({ action, children, name, proof }: Props) {
  const [state, send] = useActionState(action, { ...untouched, proof: proof ?? null })
  return (
    <FormFrame state={state} send={send} name={name}>
      {children}
    </FormFrame>
  )
}

type FrameProps = {
  state: FormState
  /** Server action, or the path that the form is submitted to. */
  send: string | ((form: FormData) => void)
  name?: string | undefined
  children: ReactNode
}

/** Form whose state is managed by the caller, for actions that return more than `FormState`. */
export function FormFrame({ state, send, name, children }: FrameProps) {
  const prefix = name === undefined ? '' : `${name}-`
  const isReadOnly = useReadOnly()
  // The key remounts the fields after each response, so that they show the typed values.
  const fields = (
    <div key={state.attempt} className="flex flex-col gap-5">
      {children}
      {state.proof === null ? null : (
        <>
          <ConfirmIdentity proof={state.proof} />
          <ConfirmButton />
        </>
      )}
    </div>
  )
  return (
    <PrefixContext value={prefix}>
      <StateContext value={state}>
        <form action={send} method={typeof send === 'string' ? 'post' : undefined} noValidate>
          <FaultSummary faults={state.faults} attempt={state.attempt} prefix={prefix} />
          {isReadOnly ? (
            <fieldset disabled className="min-w-0">
              {fields}
            </fieldset>
          ) : (
            fields
          )}
        </form>
      </StateContext>
    </PrefixContext>
  )
}
