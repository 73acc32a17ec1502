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
  /** Prefix of the field ids, if there are several forms on a page. */
  name?: string
  /** Proof to ask for from the start, in forms that only confirm the identity. */
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

type FrameProps = { state: FormState; send: (form: FormData) => void; name?: string | undefined; children: ReactNode }

/** Form for an action with more than the common form state. */
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
