import type { EmailContent } from './preview-state.ts'

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
