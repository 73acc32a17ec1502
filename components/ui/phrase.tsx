import { Fragment } from 'react'

/** Sentence in which text between backticks is formatted as code. */
export function Words({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order
      <code key={index} className={`inline-code ${part.includes(' ') ? 'wrap-anywhere' : 'whitespace-nowrap'}`}>
        {part}
      </code>
    ),
  )
}

/** Price as the catalogue states it, such as `free` or `1 credit per row`. Capitalised. No line breaks between a number and its unit. */
export function Cost({ text }: { text: string }) {
  return (text.charAt(0).toUpperCase() + text.slice(1)).split(/(?<=credits?) /).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order
    <Fragment key={index}>
      {index === 0 ? '' : ' '}
      <span className="whitespace-nowrap">{part}</span>
    </Fragment>
  ))
}

/** Path or call. Breaks after a slash or before a parameter, not in the middle of a word. */
export function Path({ text, size = 'text-table' }: { text: string; size?: 'text-table' | 'text-note' }) {
  return (
    <code className={`font-mono wrap-anywhere ${size}`}>
      {text.split(/(?<=[/ ])|(?=[?&])/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order
        <span key={index}>
          {part}
          <wbr />
        </span>
      ))}
    </code>
  )
}
