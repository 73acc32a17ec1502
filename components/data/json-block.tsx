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

/** Number of lines per chunk, which fills roughly one phone screen. */
const linesPerChunk = 40
const lineRem = 1.25

/**
 * JSON, pretty-printed. Long lines wrap with a hanging indent instead of scrolling sideways. Rendered in chunks, so that the browser lays out only the visible
 * ones: otherwise every click above a long response would trigger a full layout.
 */
export function JsonBlock({ value }: { value: unknown }) {
  const lines = JSON.stringify(value, null, 2).split('\n')
  const chunks = Array.from({ length: Math.ceil(lines.length / linesPerChunk) }, (_, chunk) => lines.slice(chunk * linesPerChunk, (chunk + 1) * linesPerChunk))
  return (
    <pre className="font-mono text-note/5 wrap-anywhere whitespace-pre-wrap">
      <code>
        {/* biome-ignore-start lint/suspicious/noArrayIndexKey: lines keep their order */}
        {chunks.map((chunk, index) => (
          <span key={index} className="block [content-visibility:auto]" style={{ containIntrinsicHeight: `auto ${chunk.length * lineRem}rem` }}>
            {chunk.map((text, at) => (
              <JsonLine key={at} text={text} />
            ))}
          </span>
        ))}
        {/* biome-ignore-end lint/suspicious/noArrayIndexKey: as above */}
      </code>
    </pre>
  )
}
