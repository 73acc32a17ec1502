import { CopyButton } from './copy-button.tsx'

/** Code with a copy button. Long lines wrap, so that phones don't need to scroll sideways. */
export function CodeBlock({ label, code, copyLabel }: { label: string; code: string; copyLabel?: string }) {
  return (
    <figure className="rounded-panel border border-line bg-surface">
      <figcaption className="flex min-h-11 items-center justify-between gap-3 border-b border-line px-3 text-note text-ink-2">
        {label}
        <CopyButton text={code} what={label} {...(copyLabel === undefined ? {} : { label: copyLabel })} />
      </figcaption>
      <pre className="p-3 font-mono text-note/5 wrap-anywhere whitespace-pre-wrap">
        <code>{code}</code>
      </pre>
    </figure>
  )
}
