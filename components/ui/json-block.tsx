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

/** JSON as it was answered. A line that is too long goes on under itself instead of scrolling sideways. */
export function JsonBlock({ value }: { value: unknown }) {
  const lines = JSON.stringify(value, null, 2).split('\n')
  return (
    <pre className="font-mono text-note/5 wrap-anywhere whitespace-pre-wrap">
      <code>
        {lines.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never move
          <JsonLine key={index} text={text} />
        ))}
      </code>
    </pre>
  )
}
