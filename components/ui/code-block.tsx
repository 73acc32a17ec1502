import { CopyButton } from './copy-button.tsx'

/** Code with a copy button. Long lines scroll sideways. */
export function CodeBlock({ label, code, copyLabel }: { label: string; code: string; copyLabel?: string }) {
  return (
    <figure className="rounded-panel border border-line bg-code">
      <figcaption className="flex min-h-11 items-center justify-between gap-3 border-b border-line pr-1.5 pl-3 text-note text-ink-2">
        {label}
        <CopyButton text={code} what={label} {...(copyLabel === undefined ? {} : { label: copyLabel })} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <pre tabIndex={0} className="code-scroll p-3 font-mono text-note/5">
        <code>{code}</code>
      </pre>
    </figure>
  )
}
