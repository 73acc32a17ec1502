import type { FormState } from '#components/forms/form-state.ts'

/** Preview of an email. `recipient` is null if it won't be sent. */
export type EmailContent = { readonly recipient: string | null; readonly subject: string; readonly text: string }

/** Preview of an admin action: its effects and the email that it sends. */
export type Preview = {
  readonly lines: readonly string[]
  readonly message: EmailContent | null
  /** Form values at the time of the preview. If they have changed since, the action is previewed again. */
  readonly signed: string
}

export type PreviewState = FormState & { readonly preview: Preview | null }

export type PreviewAction = (previous: PreviewState, form: FormData) => Promise<PreviewState>

/** Preview of an email with its recipient. */
export function EmailPreview({ message }: { message: EmailContent }) {
  if (message.recipient === null) return <p>No email is sent: this account’s address isn’t confirmed.</p>
  return (
    <figure className="rounded-panel border border-line bg-sunken">
      <figcaption className="border-b border-line px-3 py-2 text-note text-ink-2 wrap-anywhere">
        To {message.recipient}: <span className="font-medium text-ink">{message.subject}</span>
      </figcaption>
      <pre className="p-3 font-sans text-note wrap-anywhere whitespace-pre-wrap">{message.text}</pre>
    </figure>
  )
}
