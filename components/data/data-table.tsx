import type { ReactNode } from 'react'

export type Column<Row> = {
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  /** Right-aligns numbers. */
  readonly isNumber?: boolean
  /** Makes the cell the row header. */
  readonly isHead?: boolean
  /** Content of the heading, if it isn't just the name. */
  readonly heading?: ReactNode
  readonly sorted?: 'ascending' | 'descending' | 'none'
  /** On a phone, shown on the first line of a row, next to the row header. */
  readonly isBeside?: boolean
  readonly isHiddenOnPhone?: boolean
  /** Class of a fixed width on wider screens. */
  readonly width?: string
}

type Props<Row> = {
  /** Describes the table for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** On a phone, puts as many of the remaining columns on a line as fit, for long lists. */
  isDense?: boolean
}

/** Layout on a phone: the row header with the columns marked `isBeside`, then one line for each of the remaining columns, with its label on the left. */
const onPhone = 'max-sm:flex max-sm:flex-wrap max-sm:items-baseline max-sm:gap-x-3'

/** Starts the second line of a dense row. */
const secondLine = 'max-sm:py-2 max-sm:after:order-3 max-sm:after:basis-full max-sm:after:content-[""]'

/** Separates text from numbers on its left, which are aligned to their right edge. */
const gap = (columns: readonly { readonly isNumber?: boolean }[], index: number): string => (columns[index - 1]?.isNumber ? 'xl:pl-8' : '')

/** Table with horizontal rules only. */
export function DataTable<Row>({ caption, columns, rows, rowKey, isDense = false }: Props<Row>) {
  return (
    <table className="w-full text-table max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line-strong">
          {columns.map(({ name, heading, sorted, isNumber, width = '' }, index) => (
            <th
              key={name}
              scope="col"
              aria-sort={sorted}
              className={`h-10 px-2 font-medium text-ink-2 first:pl-0 last:pr-0 ${width} ${isNumber ? 'text-right' : `text-left ${gap(columns, index)}`}`}
            >
              {heading ?? name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row) => (
          <tr key={rowKey(row)} className={`border-b border-line ${onPhone} ${isDense ? secondLine : 'max-sm:py-4'}`}>
            {columns.map((column, index) => (
              <Cell key={column.name} column={column} row={row} isDense={isDense} gap={column.isNumber ? '' : gap(columns, index)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Returns true for an empty cell, which is hidden on a phone. */
const isNothing = (value: ReactNode): boolean => value === null || value === '' || value === '–'

const pairOnLine = 'max-sm:order-3 max-sm:grid max-sm:basis-full max-sm:grid-cols-[7.5rem_minmax(0,1fr)] max-sm:gap-x-3 max-sm:text-note/6'
const pairsOnLine = 'max-sm:order-4 max-sm:flex max-sm:min-w-0 max-sm:gap-x-1 max-sm:text-note'

function phoneClasses({ isHead, isBeside, isHiddenOnPhone }: Column<never>, isEmpty: boolean, isDense: boolean): string {
  if (isHead) return 'max-sm:order-1 max-sm:min-w-0 max-sm:flex-1 max-sm:pb-1.5'
  if (isEmpty || isHiddenOnPhone) return 'max-sm:hidden'
  if (isBeside) return 'max-sm:order-2'
  return isDense ? pairsOnLine : pairOnLine
}

function Cell<Row>({ column, row, isDense, gap: space }: { column: Column<Row>; row: Row; isDense: boolean; gap: string }) {
  const { name, cell, isNumber, isHead, isBeside } = column
  const value = cell(row)
  const place = phoneClasses(column, isNothing(value), isDense)
  const look = `px-2 py-2 align-top first:pl-0 last:pr-0 max-sm:p-0 ${place} ${isNumber ? `text-right tabular-nums max-sm:text-left ${isDense ? 'whitespace-nowrap' : ''}` : `text-left ${space}`}`
  if (isHead)
    return (
      <th scope="row" className={`${look} font-medium max-sm:text-body`}>
        {value}
      </th>
    )
  return (
    <td className={look}>
      {isBeside ? (
        value
      ) : (
        <>
          <span aria-hidden="true" className="text-ink-2 sm:hidden">
            {name}{' '}
          </span>
          <div className="min-w-0">{value}</div>
        </>
      )}
    </td>
  )
}

const look = 'py-2 text-note font-medium text-ink-2'

/** Table header of a statement with a running balance. `what` is the heading of the title column, which follows the dates if there are any. */
export function StatementHead({ what, hasDate = false }: { what: string; hasDate?: boolean }) {
  return (
    <thead>
      <tr className="border-b border-line-strong">
        {hasDate ? (
          <th scope="col" className={`${look} text-left`}>
            Date
          </th>
        ) : null}
        <th scope="col" className={`${look} text-left`}>
          {what}
        </th>
        <th scope="col" className={`${look} pl-3 text-right`}>
          Credits
        </th>
        <th scope="col" className={`${look} pl-3 text-right`}>
          Balance
        </th>
      </tr>
    </thead>
  )
}
