import type { Token, Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'

/** Keeps a line from breaking within a number of credits, or within "No card needed". */
const keepTogether = (text: string): string => text.replace(/(?<=\b\d[\d,]*) (?=credits?\b)/g, '\u00a0').replace('No card needed', 'No\u00a0card\u00a0needed')

/** Inline code. Long names wrap after a slash or a space if possible, otherwise inside a word. */
function InlineCode({ text }: { text: string }) {
  const canBreak = text.length > 20 || text.includes(' ')
  return (
    <code className={`inline-code ${canBreak ? 'wrap-anywhere' : 'whitespace-nowrap'}`}>
      {text.split(/(?<=\/)/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order
        <Fragment key={index}>
          {index === 0 ? null : <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  )
}

function TextLink({ href, tokens }: Tokens.Link) {
  if (!isAddress(href)) return <Inline tokens={tokens} />
  return (
    <a className="prose-link" href={href}>
      <Inline tokens={tokens} />
    </a>
  )
}

/** Allowed link targets: a page, an anchor or a web address. */
const isAddress = (href: string) => /^(https?:\/\/|\/|#|mailto:)/.test(href)

/** Renders an inline token. Markdown that our docs don't use is shown as written. */
function inline(token: Token): ReactNode {
  switch (token.type) {
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens ? <Inline tokens={token.tokens} /> : keepTogether((token as Tokens.Text).text)
    case 'strong':
      return (
        <strong className="font-semibold">
          <Inline tokens={(token as Tokens.Strong).tokens} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inline tokens={(token as Tokens.Em).tokens} />
        </em>
      )
    case 'codespan':
      return <InlineCode text={(token as Tokens.Codespan).text} />
    case 'link':
      return <TextLink {...(token as Tokens.Link)} />
    default:
      return token.raw
  }
}

/** Renders the text of a paragraph, a cell or a heading. */
export function Inline({ tokens }: { tokens: readonly Token[] }) {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens keep their order
    <Fragment key={index}>{inline(token)}</Fragment>
  ))
}
