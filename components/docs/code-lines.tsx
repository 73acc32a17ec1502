import { Fragment, memo } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { getCodeLanguage } from './code-language.ts'
import { keyPlaceholder } from './test-key.ts'

/** Token of code with its kind, for syntax highlighting. */
export type CodePiece = { readonly text: string; readonly kind: 'plain' | 'word' | 'value' | 'name' | 'comment' }

export type CodeLine = readonly CodePiece[]

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

const Piece = memo(function Piece({ text, kind }: CodePiece) {
  const content = text.includes(keyPlaceholder) ? <Text text={text} /> : text
  return looks[kind] === '' ? content : <span className={looks[kind]}>{content}</span>
})

/** Highlighted code. Long lines scroll sideways, because a wrapped line reads like two statements. */
export function CodeLines({ lines }: { lines: readonly CodeLine[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <pre tabIndex={0} className="code-scroll p-3 font-mono text-note/5 [tab-size:4]">
      <code>
        {/* biome-ignore-start lint/suspicious/noArrayIndexKey: lines and the pieces of a line keep their order */}
        {lines.map((line, index) => (
          <span key={index}>
            {line.map((piece, at) => (
              <Piece key={at} {...piece} />
            ))}
            {index < lines.length - 1 ? '\n' : null}
          </span>
        ))}
        {/* biome-ignore-end lint/suspicious/noArrayIndexKey: as above */}
      </code>
    </pre>
  )
}

export type CodeTab = { readonly label: string; readonly language: string; readonly code: string; readonly lines: readonly CodeLine[] }

/**
 * Code in several languages, one shown at a time. Radio buttons and CSS only, so it works with the arrow keys and without JavaScript. The script at the top of
 * each page remembers the choice. `name` must be unique on the page.
 */
export function CodeTabList({ name, tabs }: { name: string; tabs: readonly CodeTab[] }) {
  // Several samples in the same language are different calls, not a choice of language.
  const isChoice = new Set(tabs.map(({ language }) => language)).size === tabs.length
  return (
    <fieldset className="code-tabs rounded-panel border border-line bg-code">
      <legend className="sr-only">Language</legend>
      {tabs.map(({ label, language, code, lines }, index) => (
        <Fragment key={label}>
          <input
            type="radio"
            name={name}
            id={`${name}-${index}`}
            defaultChecked={index === 0}
            className="sr-only"
            data-language={isChoice ? getCodeLanguage(language) : undefined}
          />
          <label htmlFor={`${name}-${index}`}>{label}</label>
          <div>
            <div className="code-tabs-copy">
              <CopyButton text={code} what={`${label} code`} />
            </div>
            <CodeLines lines={lines} />
          </div>
        </Fragment>
      ))}
    </fieldset>
  )
}
