'use client'

import { type ReactNode, useActionState, useEffect, useRef } from 'react'
import { TextAreaField } from '#components/forms/field.tsx'
import { FormFrame } from '#components/forms/form.tsx'
import { type FormAction, untouched } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import type { ButtonKind } from '#components/ui/button.tsx'
import { Chevron } from '#components/ui/chevron.tsx'
import { EmailPreview } from './email-preview.tsx'
import type { Preview, PreviewAction, PreviewState } from './preview-state.ts'

type Base = {
  /** Tells the deeds of a page apart. */
  name: string
  /** What it is called where it is folded up; null: it stands open. */
  title: string | null
  account: string
  kind?: ButtonKind
  /** Words of the button: what happens. */
  button: string
  /** What it will do, or what it needs to know. */
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

function Why() {
  return <TextAreaField name="reason" label="Why" hint="For the desk alone: it stands in the audit log, and the account does not see it." rows={2} />
}

/** Something that is done to an account in one step: what it will do stands above its button. */
export function ActionForm({ name, title, account, kind = 'second', button, action, children }: Base & { action: FormAction }) {
  const [state, send] = useActionState(action, untouched)
  return (
    <Folded title={title} isOpen={state.attempt > 0}>
      <FormFrame state={state} send={send} name={name}>
        <input type="hidden" name="account" value={account} />
        {children}
        <Why />
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
      <h3 className="font-semibold">This is what will happen</h3>
      {preview.lines.map((line) => (
        <p key={line} className="wrap-anywhere">
          {line}
        </p>
      ))}
      {preview.letter === null ? null : <EmailPreview letter={preview.letter} />}
    </div>
  )
}

const unseen: PreviewState = { ...untouched, preview: null }

/** Something whose outcome depends on what is filled in: it is shown first, then done. What was changed after it was shown is shown again. */
export function PreviewedForm({ name, title, account, kind = 'second', button, action, children }: Base & { action: PreviewAction }) {
  const [state, send] = useActionState(action, unseen)
  const { preview } = state
  return (
    <Folded title={title} isOpen={state.attempt > 0}>
      <FormFrame state={state} send={send} name={name}>
        <input type="hidden" name="account" value={account} />
        <input type="hidden" name="previewed" value={preview?.sealed ?? ''} />
        {children}
        <Why />
        {preview === null ? null : <Previewed preview={preview} />}
        <div>
          <SubmitButton kind={preview === null ? 'second' : kind}>{preview === null ? 'Preview' : button}</SubmitButton>
        </div>
      </FormFrame>
    </Folded>
  )
}
