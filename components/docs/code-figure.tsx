import { CopyButton } from '#components/ui/copy-button.tsx'
import { Code } from './code.tsx'

export type CodeSample = { readonly label: string; readonly language: string; readonly code: string }

/** Code sample with a copy button. */
export function CodeFigure({ label, language, code }: CodeSample) {
  return (
    <figure className="rounded-panel border border-line bg-sunken">
      <figcaption className="flex min-h-11 items-center justify-between gap-3 border-b border-line px-3 text-note text-ink-2">
        {label}
        <CopyButton text={code} what={label} />
      </figcaption>
      <Code code={code} language={language} />
    </figure>
  )
}
