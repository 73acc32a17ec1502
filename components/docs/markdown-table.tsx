import type { Tokens } from 'marked'
import { Inline } from './markdown-inline.tsx'

type Cell = Tokens.TableCell

type Side = (at: number) => string

function Head({ cells, side, isStacked }: { cells: readonly Cell[]; side: Side; isStacked: boolean }) {
  if (cells.every(({ text }) => text === '')) return null
  const look = 'py-2 pr-4 align-bottom text-note font-medium text-ink-2 last:pr-0'
  return (
    <thead className={isStacked ? 'max-sm:sr-only' : ''}>
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

type BodyCellProps = {
  cell: Cell
  isHead: boolean
  side: string
  isStacked: boolean
  /** Heading of the column, shown in front of the cell where rows are stacked. */
  label: string
}

function BodyCell({ cell, isHead, side, isStacked, label }: BodyCellProps) {
  const look = `py-2 pr-4 align-top text-pretty last:pr-0 ${side} ${isStacked ? 'max-sm:block max-sm:py-0.5 max-sm:pr-0 max-sm:text-left' : ''}`
  const content = <Inline tokens={cell.tokens} />
  if (isHead)
    return (
      <th scope="row" className={`font-normal text-ink-2 ${look}`}>
        {content}
      </th>
    )
  return (
    <td className={look}>
      {isStacked && label !== '' ? (
        <span aria-hidden="true" className="text-note text-ink-2 sm:hidden">
          {label}:{' '}
        </span>
      ) : null}
      {content}
    </td>
  )
}

/** Maximum number of characters in a row that fits on a phone. */
const phoneCharacters = 40

/** Returns true if a table has a row that is too long for a phone. The cells of each row are then stacked on phones. */
const isTooWide = ({ header, rows }: Tokens.Table): boolean =>
  header.length > 2 && rows.some((row) => row.reduce((length, { text }) => length + text.length, 0) > phoneCharacters)

/**
 * Markdown table. If the first column has no heading, its cells are row headers. Long rows are stacked on phones; other wide tables scroll horizontally,
 * including by keyboard.
 */
export function MarkdownTable({ token }: { token: Tokens.Table }) {
  const { header, rows, align } = token
  const side = (at: number) => (align[at] === 'right' ? 'text-right tabular-nums' : 'text-left')
  const isByRow = header[0]?.text === ''
  const isStacked = isTooWide(token)
  const name = header.map(({ text }) => text).filter((text) => text !== '')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className="mt-5 overflow-x-auto" aria-label={name.length === 0 ? 'Table' : `Table: ${name.join(', ')}`} tabIndex={0}>
      <table className={`w-full border-t border-line-strong text-body ${isStacked ? 'max-sm:block' : ''}`}>
        <Head cells={header} side={side} isStacked={isStacked} />
        <tbody className={isStacked ? 'max-sm:block' : ''}>
          {rows.map((row) => (
            <tr key={row.map(({ text }) => text).join()} className={`border-b border-line ${isStacked ? 'max-sm:block max-sm:py-2' : ''}`}>
              {row.map((cell, at) => (
                <BodyCell
                  // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row keep their order
                  key={at}
                  cell={cell}
                  isHead={isByRow && at === 0}
                  side={side(at)}
                  isStacked={isStacked}
                  label={at === 0 ? '' : (header[at]?.text ?? '')}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
