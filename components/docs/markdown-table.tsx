import type { Tokens } from 'marked'
import { Inline } from './markdown-inline.tsx'

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

/** Markdown table. If the first column has no heading, its cells are row headers. A wide table scrolls horizontally on its own, also by keyboard. */
export function MarkdownTable({ token: { header, rows, align } }: { token: Tokens.Table }) {
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
