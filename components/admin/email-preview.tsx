import type { ShownLetter } from './preview-state.ts'

/** A letter in the words in which it goes out. */
export function EmailPreview({ letter }: { letter: ShownLetter }) {
  if (letter.recipient === null) return <p>No letter goes out: the email of this account is not confirmed.</p>
  return (
    <figure className="rounded-panel border border-line bg-sunken">
      <figcaption className="border-b border-line px-3 py-2 text-note text-ink-2 wrap-anywhere">
        Sent to {letter.recipient}: <span className="font-medium text-ink">{letter.subject}</span>
      </figcaption>
      <pre className="p-3 font-sans text-note wrap-anywhere whitespace-pre-wrap">{letter.text}</pre>
    </figure>
  )
}
