'use client'

import { type ReactNode, useActionState, useEffect, useRef } from 'react'
import { TextAreaField } from '#components/forms/field.tsx'
import { FormFrame, SubmitButton } from '#components/forms/form.tsx'
import { type FormAction, untouched } from '#components/forms/form-state.ts'
import type { ButtonKind } from '#components/ui/button.tsx'
import { Chevron } from '#components/ui/chevron.tsx'
import type { Preview, PreviewAction, PreviewState } from './email-preview.tsx'
import { EmailPreview } from './email-preview.tsx'

type Base = {
  /** Unique name of the form on the page. */
  name: string
  /** Title of the collapsed form; null if it is always open. */
  title: string | null
  account: string
  kind?: ButtonKind
  /** Label of the submit button. */
  button: string
  /** Description of the action's effect, or its form fields. */
  children: ReactNode
}

function Folded({ title, isOpen, children }: { title: string | null; isOpen: boolean; children: ReactNode }) {
  if (title === null) return children
  return (
    <details open={isOpen} className="group border-b border-line">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 font-medium [&::-webkit-details-marker]:hidden">
        <Chevron />
        {title}
      </summary>
      <div className="max-w-prose pt-2 pb-6">{children}</div>
    </details>
  )
}

function ReasonField() {
  return <TextAreaField name="reason" label="Why" hint="Recorded in the audit log. Not shown to the customer." rows={2} />
}

/** Form of an admin action that runs on the first submission. Its effect is shown above the button. */
export function ActionForm({ name, title, account, kind = 'second', button, action, children }: Base & { action: FormAction }) {
  const [state, send] = useActionState(action, untouched)
  return (
    <Folded title={title} isOpen={state.attempt > 0}>
      <FormFrame state={state} send={send} name={name}>
        <input type="hidden" name="account" value={account} />
        {children}
        <ReasonField />
        <div>
          <SubmitButton kind={kind}>{button}</SubmitButton>
        </div>
      </FormFrame>
    </Folded>
  )
}

function Previewed({ preview }: { preview: Preview }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} role="status" className="flex flex-col gap-3 rounded-panel border-l-4 border-caution bg-caution-wash px-4 py-3">
      <h3 className="font-semibold">Preview</h3>
      {preview.lines.map((line) => (
        <p key={line} className="wrap-anywhere">
          {line}
        </p>
      ))}
      {preview.message === null ? null : <EmailPreview message={preview.message} />}
    </div>
  )
}

const initial: PreviewState = { ...untouched, preview: null }

/** Form of an admin action with a preview step. Changing a value after the preview shows a new preview. */
export function PreviewedForm({ name, title, account, kind = 'second', button, action, children }: Base & { action: PreviewAction }) {
  const [state, send] = useActionState(action, initial)
  const { preview } = state
  return (
    <Folded title={title} isOpen={state.attempt > 0}>
      <FormFrame state={state} send={send} name={name}>
        <input type="hidden" name="account" value={account} />
        <input type="hidden" name="previewed" value={preview?.signed ?? ''} />
        {children}
        <ReasonField />
        {preview === null ? null : <Previewed preview={preview} />}
        <div>
          <SubmitButton kind={preview === null ? 'second' : kind}>{preview === null ? 'Preview' : button}</SubmitButton>
        </div>
      </FormFrame>
    </Folded>
  )
}
