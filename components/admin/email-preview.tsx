import type { EmailContent } from './preview-state.ts'

/** Preview of an email with its recipient. */
export function EmailPreview({ letter }: { letter: EmailContent }) {
  if (letter.recipient === null) return <p>No email is sent: this account’s address isn’t confirmed.</p>
  return (
    <figure className="rounded-panel border border-line bg-sunken">
      <figcaption className="border-b border-line px-3 py-2 text-note text-ink-2 wrap-anywhere">
        To {letter.recipient}: <span className="font-medium text-ink">{letter.subject}</span>
      </figcaption>
      <pre className="p-3 font-sans text-note wrap-anywhere whitespace-pre-wrap">{letter.text}</pre>
    </figure>
  )
}
