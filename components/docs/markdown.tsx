import { lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { CodeFigure, type CodeSample, CodeTabs } from './code.tsx'
import { headingId } from './headings.ts'

type Cell = Tokens.TableCell

function Head({ cells, side }: { cells: readonly Cell[]; side: (at: number) => string }) {
  if (cells.every(({ text }) => text === '')) return null
  const look = 'py-2 pr-4 align-bottom text-note font-medium text-ink-2 last:pr-0'
  return (
    <thead>
      <tr className="border-b border-line-strong">
        {cells.map((cell, at) =>
          cell.text === '' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row keep their order
            <td key={at} className={look} />
          ) : (
            <th key={cell.text} scope="col" className={`${look} ${side(at)}`}>
              <Inline tokens={cell.tokens} />
            </th>
          ),
        )}
      </tr>
    </thead>
  )
}

function BodyCell({ cell, isHead, side }: { cell: Cell; isHead: boolean; side: string }) {
  const look = `py-2 pr-4 align-top text-pretty last:pr-0 ${side}`
  const content = <Inline tokens={cell.tokens} />
  if (!isHead) return <td className={look}>{content}</td>
  return (
    <th scope="row" className={`font-normal text-ink-2 ${look}`}>
      {content}
    </th>
  )
}

/** Markdown table. If the first column has no heading, its cells are row headers. Wide tables scroll horizontally, including by keyboard. */
function MarkdownTable({ token: { header, rows, align } }: { token: Tokens.Table }) {
  const side = (at: number) => (align[at] === 'right' ? 'text-right tabular-nums' : 'text-left')
  const isByRow = header[0]?.text === ''
  const name = header.map(({ text }) => text).filter((text) => text !== '')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className="mt-5 overflow-x-auto" aria-label={name.length === 0 ? 'Table' : `Table: ${name.join(', ')}`} tabIndex={0}>
      <table className="w-full border-t border-line-strong text-body">
        <Head cells={header} side={side} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.map(({ text }) => text).join()} className="border-b border-line">
              {row.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row keep their order
                <BodyCell key={at} cell={cell} isHead={isByRow && at === 0} side={side(at)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Keeps a line from breaking within a number of credits, or within "No card needed". */
const keepTogether = (text: string): string => text.replace(/(?<=\b\d[\d,]*) (?=credits?\b)/g, '\u00a0').replace('No card needed', 'No\u00a0card\u00a0needed')

/** Inline code. Long names wrap after a slash or a space if possible, otherwise inside a word. */
function InlineCode({ text }: { text: string }) {
  const canBreak = text.length > 20 || text.includes(' ')
  return (
    <code className={`font-mono text-[0.92em] ${canBreak ? 'wrap-anywhere' : 'whitespace-nowrap'}`}>
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

function Inline({ tokens }: { tokens: readonly Token[] }) {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens keep their order
    <Fragment key={index}>{inline(token)}</Fragment>
  ))
}

/** Consecutive code blocks are the same sample in several languages. */
type Block = { readonly kind: 'code'; readonly samples: readonly CodeSample[] } | { readonly kind: 'other'; readonly token: Token }

const names: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  js: 'Node',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
  ruby: 'Ruby',
  json: 'JSON',
  http: 'HTTP',
}

/** Parses the info string of a code block: ```` ```sh status=401 Without a key ```` is the language, attributes for the tests, and the label. */
function toSample({ lang = '', text }: Tokens.Code): CodeSample {
  const [language = '', ...rest] = lang.split(' ')
  const label = rest.filter((part) => !part.includes('=')).join(' ')
  return { language, label: label === '' ? (names[language] ?? language) : label, code: text }
}

function toBlocks(source: string): Block[] {
  const blocks: Block[] = []
  for (const token of lexer(source)) {
    if (token.type === 'space') continue
    const last = blocks.at(-1)
    if (token.type !== 'code') blocks.push({ kind: 'other', token })
    else if (last?.kind === 'code') blocks[blocks.length - 1] = { kind: 'code', samples: [...last.samples, toSample(token as Tokens.Code)] }
    else blocks.push({ kind: 'code', samples: [toSample(token as Tokens.Code)] })
  }
  return blocks
}

function Heading({ token }: { token: Tokens.Heading }) {
  const id = headingId(token.text)
  const content = <Inline tokens={token.tokens} />
  if (token.depth > 2)
    return (
      <h3 id={id} className="mt-8 text-h2 font-semibold text-balance">
        {content}
      </h3>
    )
  return (
    <h2 id={id} className="mt-12 text-h1 font-semibold text-balance">
      {content}
    </h2>
  )
}

function List({ token }: { token: Tokens.List }) {
  const Kind = token.ordered ? 'ol' : 'ul'
  return (
    <Kind className={`${token.ordered ? 'list-decimal' : 'list-disc'} mt-4 space-y-1.5 pl-5 marker:text-ink-3`}>
      {token.items.map((item) => (
        <li key={item.raw} className="text-pretty">
          <Blocks blocks={item.tokens.map((part) => ({ kind: 'other', token: part }))} name="" />
        </li>
      ))}
    </Kind>
  )
}

/** Renders a block other than code. Markdown that our docs don't use is shown as written. */
function other(token: Token): ReactNode {
  switch (token.type) {
    case 'heading':
      return <Heading token={token as Tokens.Heading} />
    case 'paragraph':
      return (
        <p className="mt-4 text-pretty">
          <Inline tokens={(token as Tokens.Paragraph).tokens} />
        </p>
      )
    case 'text':
      return <Inline tokens={[token]} />
    case 'list':
      return <List token={token as Tokens.List} />
    case 'table':
      return <MarkdownTable token={token as Tokens.Table} />
    case 'blockquote':
      return (
        <div className="mt-6 border-l-3 border-line-strong pl-4 text-ink-2 *:first:mt-0">
          <Blocks blocks={(token as Tokens.Blockquote).tokens.map((part) => ({ kind: 'other', token: part }))} name="" />
        </div>
      )
    default:
      return <p className="mt-4">{token.raw}</p>
  }
}

function CodeBlocks({ samples, name }: { samples: readonly CodeSample[]; name: string }) {
  const [only] = samples
  return <div className="mt-5">{samples.length === 1 && only ? <CodeFigure {...only} /> : <CodeTabs name={name} samples={samples} />}</div>
}

function Blocks({ blocks, name }: { blocks: readonly Block[]; name: string }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks keep their order
    <Fragment key={index}>{block.kind === 'code' ? <CodeBlocks samples={block.samples} name={`${name}-${index}`} /> : other(block.token)}</Fragment>
  ))
}

/** Renders the Markdown of a docs page. */
export function Markdown({ source }: { source: string }) {
  return (
    <div className="text-prose *:first:mt-0">
      <Blocks blocks={toBlocks(source)} name="code" />
    </div>
  )
}
