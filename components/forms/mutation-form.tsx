'use client'

import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import type { TRPCClientErrorLike } from '@trpc/client'
import type { ReactNode } from 'react'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import type { Proof } from '#server/api/contract/field-errors.ts'
import type { AppRouter } from '#server/trpc/root.ts'
import { ClientForm, type Values } from './client-form.tsx'

/** Result of `useTRPC().….mutationOptions()`. */
type Mutation<Input, Output> = UseMutationOptions<Output, TRPCClientErrorLike<AppRouter>, Input>

type Props<Input, Output> = {
  mutation: Mutation<Input, Output>
  /** Converts the form's values to the procedure's input. By default, the values are the input. The server checks it in any case. */
  toInput?: (values: Values) => unknown
  /** Runs after success, for example to go to another page. Returns the message to show next to the button, if any. */
  onDone?: (output: Output, values: Values) => unknown
  name?: string
  proof?: Proof | null
  isCleared?: boolean
  children: ReactNode
}

/** Returns the URL of a procedure. */
const getUrl = (key: readonly unknown[] | undefined): string => `/api/trpc/${[key?.[0]].flat().join('.')}`

/** Form that calls a procedure with its values. If the procedure needs a recent sign-in, the form asks for the password or a code and continues. */
export function MutationForm<Input, Output>({ mutation, toInput, onDone, ...rest }: Props<Input, Output>) {
  const trpc = useTRPC()
  const { mutateAsync } = useMutation(mutation)
  const { mutateAsync: reauthenticate } = useMutation(trpc.security.reauthenticate.mutationOptions())
  const submit = async (values: Values) => {
    const { identityPassword: _password, identityCode: _code, ...own } = values
    const output = await mutateAsync((toInput ? toInput(own) : own) as Input)
    const message = await onDone?.(output, own)
    return typeof message === 'string' ? message : undefined
  }
  const prove = (values: Values) => reauthenticate({ password: String(values['identityPassword'] ?? ''), code: String(values['identityCode'] ?? '') })
  return <ClientForm action={getUrl(mutation.mutationKey)} submit={submit} prove={prove} {...rest} />
}
