'use client'

import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { isTRPCClientError, type TRPCClientErrorLike } from '@trpc/client'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ClientForm, type Values } from '#components/forms/client-form.tsx'
import { HiddenField, TextAreaField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import type { ButtonKind } from '#components/ui/button.tsx'
import { Chevron } from '#components/ui/chevron.tsx'
import { toast } from '#components/ui/toast.tsx'
import type { AppRouter } from '#server/trpc/root.ts'
import { type Email, EmailPreview } from './layout.tsx'

/**
 * Effects of an action and the email that it sends. `message` is null if no email is sent, and undefined if the lines already say so. `button` is the label of
 * the button, if it depends on the values.
 */
export type Preview = { readonly lines: readonly string[]; readonly message?: Email | null; readonly button?: string | undefined }

/** Loads the effects of an action with the form's values. */
type LoadPreview = (values: Values) => Promise<Preview>

type Props<Input, Output> = {
  mutation: UseMutationOptions<Output, TRPCClientErrorLike<AppRouter>, Input>
  /** Prefix of the field ids; unique on the page. */
  name: string
  /** Values that are sent but not shown. */
  input?: Readonly<Record<string, string | number>>
  /** Title of the collapsed form. If omitted, the form is always open. */
  title?: string | undefined
  button: string
  kind?: ButtonKind
  /** Loads the effects for the administrator to confirm. If omitted, the first submission runs the action. */
  preview?: LoadPreview
  /** Fields that the preview depends on. By default, all but the reason. */
  previewOf?: readonly string[]
  /** Overrides for the text of the reason field, and a default reason. */
  reason?: { readonly label?: string; readonly hint?: string; readonly rows?: number; readonly usual?: string }
  /** Converts the form's values to the procedure's input. */
  toInput?: (values: Values) => unknown
  /** Success message, or a function that returns it or goes to another page. */
  done: string | ((output: Output, values: Values) => string | Promise<never>)
  /** Keeps the values after success, for forms that are submitted several times. */
  isKept?: boolean
  /** Fields of the form, and text that describes the effect. */
  children?: ReactNode
}

function Folded({ title, children }: { title: string | undefined; children: ReactNode }) {
  if (title === undefined) return children
  return (
    <details className="group border-b border-line">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 font-medium [&::-webkit-details-marker]:hidden">
        <Chevron />
        {title}
      </summary>
      <div className="max-w-prose pt-2 pb-6">{children}</div>
    </details>
  )
}

function Previewed({ preview, isChanged }: { preview: Preview; isChanged: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every preview moves the focus here
  useEffect(() => box.current?.focus(), [preview])
  return (
    <div ref={box} tabIndex={-1} role="status" className="flex flex-col gap-3 rounded-panel border border-caution bg-caution-wash px-4 py-3">
      <p className="font-semibold">{isChanged ? 'You changed the form. Check the new preview, then confirm again.' : 'Preview'}</p>
      {preview.lines.map((line) => (
        <p key={line} className="wrap-anywhere">
          {line}
        </p>
      ))}
      {preview.message === null ? <p>No email is sent.</p> : preview.message === undefined ? null : <EmailPreview message={preview.message} />}
    </div>
  )
}

/** Returns the URL of a procedure. The browser posts the form to it if scripts haven't loaded yet. */
const getUrl = (key: readonly unknown[] | undefined): string => `/api/trpc/${[key?.[0]].flat().join('.')}`

/** Returns a signature of the values that a preview depends on. */
const sign = ({ reason: _reason, ...values }: Values, names: readonly string[] = Object.keys(values)): string =>
  JSON.stringify(names.map((name) => values[name]))

/**
 * Returns functions that run an admin mutation and confirm the user's identity for it. Without a session, admin procedures return NOT_FOUND. A portal query
 * then reports the lost session in the form and at the top of the page.
 */
function useAdminMutation<Input, Output>(mutation: Props<Input, Output>['mutation']) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const { mutateAsync } = useMutation(mutation)
  const { mutateAsync: reauthenticate } = useMutation(trpc.security.reauthenticate.mutationOptions())
  const run = async (input: Input): Promise<Output> => {
    try {
      return await mutateAsync(input)
    } catch (error) {
      if (isTRPCClientError<AppRouter>(error) && error.data?.code === 'NOT_FOUND')
        await client.fetchQuery({ ...trpc.account.overview.queryOptions(), staleTime: 0, retry: false })
      throw error
    }
  }
  const prove = (values: Values) => reauthenticate({ password: String(values['identityPassword'] ?? ''), code: String(values['identityCode'] ?? '') })
  return { run, prove, refetch: () => client.invalidateQueries(trpc.admin.pathFilter()) }
}

/** Submits an admin action: first loads its preview, then runs the mutation, reloads the admin queries and reports success. */
function useSubmit<Input, Output>({ mutation, preview: load, previewOf, toInput, done, isKept }: Props<Input, Output>) {
  const { run, prove, refetch } = useAdminMutation(mutation)
  const [shown, setShown] = useState<(Preview & { readonly signed: string; readonly isChanged: boolean }) | null>(null)
  const [round, setRound] = useState(0)
  const submit = async (values: Values) => {
    const { identityPassword: _password, identityCode: _code, ...own } = values
    const signed = sign(own, previewOf)
    if (load && shown?.signed !== signed) {
      setShown(null)
      setShown({ ...(await load(own)), signed, isChanged: shown !== null })
      return undefined
    }
    const output = await run((toInput ? toInput(own) : own) as Input)
    const message = typeof done === 'string' ? done : await done(output, own)
    await refetch()
    setShown(null)
    if (!isKept) setRound(round + 1)
    toast(message)
    return isKept ? message : undefined
  }
  return { submit, prove, shown, round }
}

/** Form of an admin action: fields, reason, preview and confirmation. After success, it is cleared and the page shows the new state. */
export function ActionForm<Input, Output>(props: Props<Input, Output>) {
  const { mutation, name, input = {}, title, button, kind = 'second', preview, reason, children } = props
  const { submit, prove, shown, round } = useSubmit(props)
  const isFirst = preview !== undefined && shown === null
  return (
    <Folded key={round} title={title}>
      <ClientForm action={getUrl(mutation.mutationKey)} name={name} submit={submit} prove={prove}>
        {Object.entries(input).map(([field, value]) => (
          <HiddenField key={field} name={field} value={String(value)} />
        ))}
        {children}
        <TextAreaField
          name="reason"
          label={reason?.label ?? 'Why'}
          hint={reason?.hint ?? 'Recorded in the audit log. Not shown to the customer.'}
          rows={reason?.rows ?? 2}
          {...(reason?.usual === undefined ? {} : { defaultValue: reason.usual })}
        />
        {shown === null ? null : <Previewed preview={shown} isChanged={shown.isChanged} />}
        <div>
          <SubmitButton kind={isFirst ? 'second' : kind}>{isFirst ? 'Preview' : (shown?.button ?? button)}</SubmitButton>
        </div>
      </ClientForm>
    </Folded>
  )
}
