'use client'

import { createContext, type ReactNode, useActionState, useContext } from 'react'
import { FaultSummary } from './fault-summary.tsx'
import { type FormAction, type FormState, untouched } from './form-state.ts'
import { useReadOnly } from './read-only.tsx'

const StateContext = createContext<FormState>(untouched)

/** What the fields of a form know of it. */
export const useFormState = (): FormState => useContext(StateContext)

const PrefixContext = createContext('')

/** The id of a field, which its label, its fault and the summary point to. */
export function useFieldId(): (field: string) => string {
  const prefix = useContext(PrefixContext)
  return (field) => `${prefix}${field}`
}

type Props = {
  action: FormAction
  children: ReactNode
  /** Tells the fields of several forms on a page apart. */
  name?: string
}

/**
 * A form that its action answers: by a new page without a script, in place with one. What was wrong stands above it and beside the field, what was typed
 * stays.
 */
export function Form({ action, children, name }: Props) {
  const [state, send] = useActionState(action, untouched)
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
