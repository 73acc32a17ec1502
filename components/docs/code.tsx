import { CopyButton } from '#components/ui/copy-button.tsx'
import { CodeLines, CodeTabList } from './code-lines.tsx'
import { highlight } from './highlight.ts'

/** Code with syntax highlighting, rendered on the server. */
export function CodeText({ code, language }: { code: string; language: string }) {
  return <CodeLines lines={highlight(code, language)} />
}

export type CodeSample = { readonly label: string; readonly language: string; readonly code: string }

/** Code sample with a copy button. */
export function CodeFigure({ label, language, code }: CodeSample) {
  return (
    <figure className="rounded-panel border border-line bg-code">
      <figcaption className="flex min-h-11 items-center justify-between gap-3 border-b border-line pr-1.5 pl-3 text-note text-ink-2">
        {label}
        <CopyButton text={code} what={label} />
      </figcaption>
      <CodeText code={code} language={language} />
    </figure>
  )
}

/** Code sample in several languages, one shown at a time. `name` must be unique on the page. */
export function CodeTabs({ name, samples }: { name: string; samples: readonly CodeSample[] }) {
  return <CodeTabList name={name} tabs={samples.map((sample) => ({ ...sample, lines: highlight(sample.code, sample.language) }))} />
}
