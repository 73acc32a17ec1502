'use client'

import { createContext, type ReactNode, useActionState, useContext, useEffect, useRef } from 'react'
import { type FormAction, type FormState, untouched } from './form-state.ts'
import { useReadOnly } from './read-only.tsx'

const StateContext = createContext<FormState>(untouched)

/** What the fields of a form know of it. */
export const useFormState = (): FormState => useContext(StateContext)

/** Keeps the title of the page true: a screen reader reads it first. */
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

/** What is wrong, above the form: it takes the focus, and each line leads to its field. */
function ErrorSummary({ state, idOf }: { state: FormState; idOf: (field: string) => string }) {
  const box = useRef<HTMLDivElement>(null)
  const faults = Object.entries(state.faults)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer takes the focus anew, also one that says the same again
  useEffect(() => box.current?.focus(), [state.attempt])
  if (faults.length === 0) return null
  return (
    <div ref={box} tabIndex={-1} role="alert" aria-labelledby={idOf('summary')} className="mb-6 rounded-panel border-2 border-danger px-4 py-3">
      <h2 id={idOf('summary')} className="font-semibold">
        There is a problem
      </h2>
      <ul className="mt-1">
        {faults.map(([field, fault]) => (
          <li key={field}>
            {field === 'form' ? (
              <span className="font-medium text-danger">{fault}</span>
            ) : (
              <a href={`#${idOf(field)}`} className="inline-block py-0.5 font-medium text-danger underline underline-offset-3 hover:decoration-2">
                {fault}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

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
  useErrorTitle(Object.keys(state.faults).length > 0)
  return (
    <PrefixContext value={prefix}>
      <StateContext value={state}>
        <form action={send} noValidate>
          <ErrorSummary state={state} idOf={(field) => `${prefix}${field}`} />
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
