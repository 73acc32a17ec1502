'use client'

import { type FormEvent, type ReactNode, useState } from 'react'
import { FaultSummary } from '#components/forms/form.tsx'
import { type FormState, unreachable, untouched } from '#components/forms/form-state.ts'
import { StateContext } from '#components/ui/form-context.tsx'
import type { FormValues, ProcedureCall } from './call-procedure.ts'

const load = () => import('./call-procedure.ts')

/** Loads the submission code while the user types. If that fails, submitting the form loads it again and reports any error. */
const preload = () => void load().catch(() => undefined)

function readValues(form: HTMLFormElement): FormValues {
  const inputs = [...form.elements].filter((one): one is HTMLInputElement => one instanceof HTMLInputElement && one.name !== '')
  return Object.fromEntries(inputs.map((input) => [input.name, input.type === 'checkbox' && !input.checked ? false : input.value]))
}

type Props<Output> = {
  /** Path of the procedure. The browser posts to it if scripts haven't loaded yet, so that typed values never appear in the URL. */
  procedure: string
  call: ProcedureCall<Output>
  /** Runs after success, for example to go to another page. Returns the message to show next to the button, if any. */
  onDone: (output: Output) => unknown
  children: ReactNode
}

/**
 * Form of a public page that calls a procedure. Loads the procedure client when a field first receives focus, so that a first visit loads little JavaScript.
 * Portal forms use `MutationForm`, which also asks for proof of identity.
 */
export function ProcedureForm<Output>({ procedure, call, onDone, children }: Props<Output>) {
  const [state, setState] = useState<FormState>(untouched)
  const submit = async (values: FormValues) => {
    const result = await load().then(
      ({ callProcedure }) => callProcedure(call, values),
      () => ({ faults: { form: unreachable } }),
    )
    if ('faults' in result) return { faults: result.faults, done: null }
    const message = await onDone(result.output)
    return { faults: {}, done: typeof message === 'string' ? message : null }
  }
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (state.isPending) return
    const values = readValues(event.currentTarget)
    setState({ ...state, faults: {}, done: null, isPending: true })
    const { faults, done } = await submit(values)
    setState({ ...untouched, attempt: state.attempt + 1, faults, done, isPending: false })
  }
  return (
    <StateContext value={state}>
      <form action={`/api/trpc/${procedure}`} method="post" onSubmit={send} onFocus={preload} noValidate aria-busy={state.isPending ?? false}>
        <FaultSummary faults={state.faults} attempt={state.attempt} />
        <div className="flex min-w-0 flex-col gap-5">{children}</div>
      </form>
    </StateContext>
  )
}
