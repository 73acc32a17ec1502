'use client'

import { type BaseSyntheticEvent, type ReactNode, useState } from 'react'
import { type FieldErrors, type FieldValues, FormProvider, useForm } from 'react-hook-form'
import { Button } from '#components/ui/button.tsx'
import { ConfirmIdentity } from '#components/ui/confirm-identity.tsx'
import { PrefixContext, RegisterContext, StateContext, useReadOnly } from '#components/ui/form-context.tsx'
import type { FieldFaults, Proof } from '#server/api/contract/field-errors.ts'
import { FaultSummary } from './form.tsx'
import { toRefusal } from './refusal.ts'

/** Values of a form: text by field name, an array for checkboxes with the same name, `false` for a single checkbox that isn't ticked. */
export type Values = FieldValues

/** Submits values. Returns the message to show next to the button, if any. */
export type Submit = (values: Values) => Promise<string | undefined>

const toFaults = (errors: FieldErrors): FieldFaults =>
  Object.fromEntries(Object.entries(errors).map(([name, error]) => [name === 'root' ? 'form' : name, String(error?.message ?? '')]))

/** Button that submits a form again, together with the proof of identity. */
function ConfirmButton({ isPending }: { isPending: boolean }) {
  return (
    <div>
      <Button kind="primary" type="submit" aria-disabled={isPending}>
        Confirm and continue
      </Button>
    </div>
  )
}

type Props = {
  /** URL that the form is posted to if scripts haven't loaded yet, so that typed values never appear in the page's URL. */
  action: string
  submit: Submit
  /** Proves the user's identity with the values of `ConfirmIdentity`. If omitted, the form never asks for proof. */
  prove?: ((values: Values) => Promise<unknown>) | undefined
  /** Prefix of the field ids, if there are several forms on a page. */
  name?: string | undefined
  /** Proof of identity that the form requires even for the first submission. */
  proof?: Proof | null
  /** Clears the fields after a successful submission. */
  isCleared?: boolean
  children: ReactNode
}

type Handlers = Pick<Props, 'submit' | 'prove' | 'proof' | 'isCleared'>

/** State of a form and its submit handler. Errors of the server are shown above the form and next to the fields; typed values are kept. */
function useClientForm({ submit, prove, proof: first = null, isCleared }: Handlers) {
  const form = useForm()
  const [proof, setProof] = useState<Proof | null>(first)
  const [done, setDone] = useState<string | null>(null)
  const attempt = async (values: Values) => {
    if (proof !== null) await prove?.(values)
    setProof(null)
    setDone((await submit(values)) ?? null)
    if (isCleared) form.reset()
  }
  const refuse = (error: unknown) => {
    const refusal = toRefusal(error)
    if (refusal.proof !== null) setProof(refusal.proof)
    for (const [name, message] of Object.entries(refusal.faults)) form.setError(name === 'form' ? 'root' : name, { message })
  }
  const work = async (values: Values) => {
    setDone(null)
    await attempt(values).catch(refuse)
  }
  const { errors, submitCount, isSubmitting } = form.formState
  const send = (event: BaseSyntheticEvent) => {
    event.preventDefault()
    // The errors come from the server, so they must not prevent another submission.
    form.clearErrors()
    return isSubmitting ? undefined : form.handleSubmit(work)(event)
  }
  return { form, send, state: { attempt: submitCount, faults: toFaults(errors), typed: {}, done, proof, isPending: isSubmitting } }
}

/** Form that is submitted by script. Its fields are read by react-hook-form; the server checks them and names the fields that are wrong. */
export function ClientForm({ action, name, children, ...rest }: Props) {
  const { form, send, state } = useClientForm(rest)
  const prefix = name === undefined ? '' : `${name}-`
  const isReadOnly = useReadOnly()
  return (
    <PrefixContext value={prefix}>
      <StateContext value={state}>
        <FormProvider {...form}>
          <RegisterContext value={form.register}>
            <form action={action} method="post" onSubmit={send} noValidate aria-busy={state.isPending}>
              <FaultSummary faults={state.faults} attempt={state.attempt} prefix={prefix} />
              <fieldset disabled={isReadOnly} className="flex min-w-0 flex-col gap-5">
                {children}
                {state.proof === null ? null : (
                  <>
                    <ConfirmIdentity proof={state.proof} />
                    <ConfirmButton isPending={state.isPending} />
                  </>
                )}
              </fieldset>
            </form>
          </RegisterContext>
        </FormProvider>
      </StateContext>
    </PrefixContext>
  )
}
