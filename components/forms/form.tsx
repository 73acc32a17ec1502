'use client'

import { type ReactNode, useActionState } from 'react'
import { ConfirmIdentity } from '#components/ui/confirm-identity.tsx'
import { PrefixContext, StateContext } from '#components/ui/form-context.ts'
import { useReadOnly } from '#components/ui/read-only.tsx'
import type { Proof } from '#server/api/contract/proof.ts'
import { FaultSummary } from './fault-summary.tsx'
import { type FormAction, type FormState, untouched } from './form-state.ts'
import { ConfirmButton } from './submit-button.tsx'

type Props = {
  action: FormAction
  children: ReactNode
  /** Tells the fields of several forms on a page apart. */
  name?: string
  /** What to ask for from the start, for a form that only confirms the identity. */
  proof?: Proof
}

/**
 * A form that its action answers: by a new page without a script, in place with one. What was wrong stands above it and beside the field, what was typed
 * stays.
 */
export function Form({ action, children, name, proof }: Props) {
  const [state, send] = useActionState(action, { ...untouched, proof: proof ?? null })
  return (
    <FormFrame state={state} send={send} name={name}>
      {children}
    </FormFrame>
  )
}

type FrameProps = { state: FormState; send: (form: FormData) => void; name?: string | undefined; children: ReactNode }

/** The same for a form whose action answers more than the state of the form. */
export function FormFrame({ state, send, name, children }: FrameProps) {
  const prefix = name === undefined ? '' : `${name}-`
  const isReadOnly = useReadOnly()
  // A new answer makes the fields anew, so that what was typed stands in them again.
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
        <form action={send} noValidate>
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
