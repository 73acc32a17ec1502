import { Fragment } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { type CodePiece, highlight } from './highlight.ts'
import { keyPlaceholder } from './test-key.ts'

const looks = {
  plain: '',
  word: 'font-medium',
  value: 'text-code-value',
  name: 'text-ink-2',
  comment: 'text-ink-3',
} as const satisfies Record<CodePiece['kind'], string>

/** Wraps each key placeholder in an element, so that the reader's test key can replace it. */
function Text({ text }: { text: string }) {
  return text.split(keyPlaceholder).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order
    <span key={index}>
      {index === 0 ? null : <span data-key-slot="">{keyPlaceholder}</span>}
      {part}
    </span>
  ))
}

function Piece({ text, kind }: CodePiece) {
  const content = text.includes(keyPlaceholder) ? <Text text={text} /> : text
  return looks[kind] === '' ? content : <span className={looks[kind]}>{content}</span>
}

/** Code with syntax highlighting, rendered on the server. Long lines wrap, so that phones don't need to scroll sideways. */
export function CodeText({ code, language }: { code: string; language: string }) {
  const lines = highlight(code, language)
  return (
    <pre className="p-3 font-mono text-note/5 wrap-anywhere whitespace-pre-wrap">
      <code>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their order
          <span key={index}>
            {line.map((piece, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line keep their order
              <Piece key={at} {...piece} />
            ))}
            {index < lines.length - 1 ? '\n' : null}
          </span>
        ))}
      </code>
    </pre>
  )
}

export type CodeSample = { readonly label: string; readonly language: string; readonly code: string }

/** Code sample with a copy button. */
export function CodeFigure({ label, language, code }: CodeSample) {
  return (
    <figure className="rounded-panel border border-line bg-sunken">
      <figcaption className="flex min-h-11 items-center justify-between gap-3 border-b border-line px-3 text-note text-ink-2">
        {label}
        <CopyButton text={code} what={label} />
      </figcaption>
      <CodeText code={code} language={language} />
    </figure>
  )
}

/**
 * Code sample in several languages, one shown at a time. Radio buttons and CSS only, so it works with the arrow keys and without JavaScript. `name` must be
 * unique on the page.
 */
export function CodeTabs({ name, samples }: { name: string; samples: readonly CodeSample[] }) {
  return (
    <fieldset className="code-tabs rounded-panel border border-line bg-sunken">
      <legend className="sr-only">Language</legend>
      {samples.map(({ label, language, code }, index) => (
        <Fragment key={label}>
          <input type="radio" name={name} id={`${name}-${index}`} defaultChecked={index === 0} className="sr-only" />
          <label htmlFor={`${name}-${index}`}>{label}</label>
          <div>
            <div className="code-tabs-copy">
              <CopyButton text={code} what={`${label} code`} />
            </div>
            <CodeText code={code} language={language} />
          </div>
        </Fragment>
      ))}
    </fieldset>
  )
}
