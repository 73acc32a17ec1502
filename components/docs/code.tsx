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
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
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

/** Code with syntax highlighting, rendered on the server. Long lines wrap, so that nothing scrolls sideways on a phone. */
export function Code({ code, language }: { code: string; language: string }) {
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
