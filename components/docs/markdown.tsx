import { lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { CodeFigure, type CodeSample, CodeTabs } from './code.tsx'
import { headingId } from './headings.ts'
import { Inline } from './markdown-inline.tsx'
import { MarkdownTable } from './markdown-table.tsx'

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
      <h3 id={id} className="mt-8 text-prose font-semibold text-balance">
        {content}
      </h3>
    )
  return (
    <h2 id={id} className="mt-12 text-[1.25rem]/7 font-semibold text-balance max-sm:mt-7 sm:text-[1.375rem]/7.5">
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
