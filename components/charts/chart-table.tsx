import { inRow, TableSummary } from '#components/ui/summary-button.tsx'

type Row = { readonly id: string; readonly name: string; readonly cells: readonly string[] }

type Props = {
  /** Describes the table for screen readers. */
  caption: string
  /** Heading of the first column, such as `Day`. */
  head: string
  columns: readonly { readonly id: string; readonly name: string }[]
  rows: readonly Row[]
  /** True for a button without text, in a narrow chart. */
  isIcon?: boolean
}

/**
 * Data of a chart as a table: one row per period, one column per series. Must be inside a `ChartHead`: the button is part of its row, and the table opens below
 * the row.
 */
export function ChartTable({ caption, head, columns, rows, isIcon = false }: Props) {
  return (
    <details className={inRow}>
      <TableSummary isShort isIcon={isIcon} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section className="max-h-96 overflow-auto" aria-label={caption} tabIndex={0}>
        <table className="w-full border-t border-line-strong text-table">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="border-b border-line-strong text-ink-2">
              <th scope="col" className="py-2 text-left font-medium">
                {head}
              </th>
              {columns.map(({ id, name }) => (
                <th key={id} scope="col" className="py-2 pl-3 text-right font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, cells }) => (
              <tr key={id} className="border-b border-line">
                <th scope="row" className="py-1.5 text-left font-normal whitespace-nowrap">
                  {name}
                </th>
                {columns.map((column, index) => (
                  <td key={column.id} className="py-1.5 pl-3 text-right tabular-nums">
                    {cells[index]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
