/** Preview of an email. */
export function EmailPreview({ subject, text }: { subject: string; text: string }) {
  return (
    <div className="rounded-panel border border-line bg-surface">
      <p className="border-b border-line px-4 py-2 font-medium wrap-anywhere">{subject}</p>
      <p className="max-w-[68ch] p-4 wrap-anywhere whitespace-pre-line">{text}</p>
    </div>
  )
}
