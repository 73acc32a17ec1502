import type { ReactNode } from 'react'

export type Column<Row> = {
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand on the right. */
  readonly isNumber?: boolean
  /** What a row is called: the head of the row. */
  readonly isHead?: boolean
}

type Props<Row> = {
  /** Says what the table is, for those who do not see it. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}

/** Rows with hairlines between them. On a phone a row becomes a block: its head, and below it name and value. */
export function DataTable<Row>({ caption, columns, rows, keyOf }: Props<Row>) {
  return (
    <table className="w-full text-table max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line-strong">
          {columns.map(({ name, isNumber }) => (
            <th key={name} scope="col" className={`h-10 px-2 font-medium text-ink-2 first:pl-0 last:pr-0 ${isNumber ? 'text-right' : 'text-left'}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row) => (
          <tr key={keyOf(row)} className="border-b border-line max-sm:block max-sm:py-2">
            {columns.map((column) => (
              <Cell key={column.name} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { name, cell, isNumber, isHead } = column
  const look = `px-2 py-2 align-top first:pl-0 last:pr-0 max-sm:flex max-sm:min-h-7 max-sm:justify-between max-sm:gap-4 max-sm:px-0 max-sm:py-0.5 ${isNumber ? 'text-right tabular-nums' : 'text-left'}`
  if (isHead)
    return (
      <th scope="row" className={`${look} font-medium max-sm:text-body`}>
        {cell(row)}
      </th>
    )
  return (
    <td className={look}>
      <span aria-hidden="true" className="text-ink-2 sm:hidden">
        {name}
      </span>
      <span className="max-sm:text-right">{cell(row)}</span>
    </td>
  )
}
