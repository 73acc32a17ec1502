type Email = { readonly id: string; readonly at: Date; readonly recipient: string; readonly subject: string; readonly text: string }

const link = /(https?:\/\/\S+)/

/** Line of an email, with URLs rendered as links. */
function Line({ text }: { text: string }) {
  return text.split(link).map((part, index) =>
    link.test(part) ? (
      <a key={part} className="prose-link wrap-anywhere" href={part}>
        {part}
      </a>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line keep their order
      <span key={index}>{part}</span>
    ),
  )
}

/** Emails as plain text, newest first. */
export function EmailList({ emails }: { emails: readonly Email[] }) {
  if (emails.length === 0) return <p className="mt-6">No emails yet.</p>
  return (
    <ol className="mt-6 flex flex-col gap-6">
      {emails.map(({ id, at, recipient, subject, text }) => (
        <li key={id} className="rounded-panel border border-line bg-surface">
          <header className="border-b border-line px-4 py-3">
            <h2 className="font-semibold">{subject}</h2>
            <p className="text-note text-ink-2">
              To {recipient}, <time dateTime={at.toISOString()}>{at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>
            </p>
          </header>
          <p className="px-4 py-3 whitespace-pre-wrap">
            <Line text={text} />
          </p>
        </li>
      ))}
    </ol>
  )
}
