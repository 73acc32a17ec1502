const line = /^(\s*)("[^"]*": )?(.*)$/

function JsonLine({ text }: { text: string }) {
  const [, indent = '', name = '', value = ''] = line.exec(text) ?? []
  const hang = `${indent.length + 2}ch`
  return (
    <span className="block" style={{ paddingLeft: hang, textIndent: `-${hang}` }}>
      {indent}
      <span className="text-ink-3">{name}</span>
      {value}
      {'\n'}
    </span>
  )
}

/** About what a phone shows at once. */
const linesOfPart = 40
const lineRem = 1.25

/**
 * JSON as it was answered. A line that is too long goes on under itself instead of scrolling sideways. It stands in parts, of which the browser lays out and
 * draws those that are seen: a long answer is moved with every press above it.
 */
export function JsonBlock({ value }: { value: unknown }) {
  const lines = JSON.stringify(value, null, 2).split('\n')
  const parts = Array.from({ length: Math.ceil(lines.length / linesOfPart) }, (_, part) => lines.slice(part * linesOfPart, (part + 1) * linesOfPart))
  return (
    <pre className="font-mono text-note/5 wrap-anywhere whitespace-pre-wrap">
      <code>
        {/* biome-ignore-start lint/suspicious/noArrayIndexKey: the lines of one text never move */}
        {parts.map((part, index) => (
          <span key={index} className="block [content-visibility:auto]" style={{ containIntrinsicHeight: `auto ${part.length * lineRem}rem` }}>
            {part.map((text, at) => (
              <JsonLine key={at} text={text} />
            ))}
          </span>
        ))}
        {/* biome-ignore-end lint/suspicious/noArrayIndexKey: as above */}
      </code>
    </pre>
  )
}
