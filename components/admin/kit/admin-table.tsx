'use client'

import { createSortedRowModel, rowSelectionFeature, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useId, useMemo } from 'react'
import { type Column, DataTable } from '#components/data/data-table.tsx'
import { Button } from '#components/ui/button.tsx'
import { NextPage } from './layout.tsx'

const features = tableFeatures({ rowSortingFeature, rowSelectionFeature, sortedRowModel: createSortedRowModel(), sortFns: {} })

type SortValue = string | number

const compare = (a: SortValue, b: SortValue): number => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en-GB'))

/** Column of an admin table. With `sort`, its heading sorts the rows by that value. */
export type AdminColumn<Row> = Column<Row> & { readonly sort?: (row: Row) => SortValue }

type Bulk<Row> = {
  /** Returns the name of a row, for its checkbox. */
  readonly label: (row: Row) => string
  /** Disabled button shown while no rows are selected, with a hint on how to enable it. */
  readonly idle: { readonly button: string; readonly hint: string }
  /** Form that acts on the selected rows. `clear` clears the selection. */
  readonly form: (rows: readonly Row[], clear: () => void) => ReactNode
}

/** Disabled button of the bulk action, shown while no row is selected. */
function IdleBulk({ button, hint }: Bulk<never>['idle']) {
  const id = useId()
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button kind="second" type="button" disabled aria-describedby={id}>
        {button}
      </Button>
      <p id={id} className="text-ink-2">
        {hint}
      </p>
    </div>
  )
}

type Props<Row> = {
  caption: string
  columns: readonly AdminColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Sentence shown if there are no rows. */
  empty: string
  /** Link to the next page; null on the last page. */
  next?: { readonly href: string | null; readonly name: string }
  bulk?: Bulk<Row>
}

type Sorting = { readonly isSorted: false | 'asc' | 'desc'; readonly toggle: () => void }

const icons = { asc: ArrowUp, desc: ArrowDown, none: ChevronsUpDown } as const

function SortButton({ name, sorting: { isSorted, toggle } }: { name: string; sorting: Sorting }) {
  const Icon = icons[isSorted || 'none']
  return (
    <>
      <span className="sm:hidden">{name}</span>
      <button type="button" onClick={toggle} className="inline-flex cursor-pointer items-center gap-1 font-medium hover:text-ink max-sm:hidden">
        {name}
        <Icon aria-hidden="true" className="size-3.5" />
      </button>
    </>
  )
}

const directions = { asc: 'ascending', desc: 'descending' } as const

/** Adds the sort button to the heading of a column. */
function withSorting<Row>({ sort, ...column }: AdminColumn<Row>, sorting: Sorting | undefined): Column<Row> {
  if (sort === undefined || sorting === undefined) return column
  const { isSorted } = sorting
  return { ...column, heading: <SortButton name={column.name} sorting={sorting} />, sorted: isSorted === false ? 'none' : directions[isSorted] }
}

/** Table of an admin page. Columns can be sorted, and rows can be selected for a bulk action. Without rows, a sentence is shown instead. */
export function AdminTable<Row>({ caption, columns, rows, rowKey, empty, next, bulk }: Props<Row>) {
  const data = useMemo(() => rows.map((row) => ({ row })), [rows])
  const defs = useMemo(
    () =>
      columns.map(({ name, sort }) => ({
        id: name,
        accessorFn: ({ row }: { row: Row }) => sort?.(row) ?? '',
        enableSorting: sort !== undefined,
        sortFn: (a: { original: { row: Row } }, b: { original: { row: Row } }) => (sort ? compare(sort(a.original.row), sort(b.original.row)) : 0),
      })),
    [columns],
  )
  const table = useTable({ features, columns: defs, data, getRowId: ({ row }) => rowKey(row) })
  if (rows.length === 0) return <p>{empty}</p>
  const models = table.getRowModel().rows
  const selected = table.getSelectedRowModel().rows.map(({ original }) => original.row)
  const byId = new Map(models.map((model) => [model.id, model]))
  const checkbox: Column<Row> = {
    name: 'Select',
    isBeside: true,
    cell: (row) => (
      <input
        type="checkbox"
        aria-label={`Select ${bulk?.label(row) ?? ''}`}
        checked={byId.get(rowKey(row))?.getIsSelected() ?? false}
        onChange={(event) => byId.get(rowKey(row))?.toggleSelected(event.target.checked)}
        className="size-5"
      />
    ),
  }
  const shown = columns.map((column) => {
    const model = table.getColumn(column.name)
    return withSorting(column, model && { isSorted: model.getIsSorted(), toggle: () => model.toggleSorting() })
  })
  return (
    <>
      <DataTable caption={caption} columns={bulk ? [checkbox, ...shown] : shown} rows={models.map(({ original }) => original.row)} rowKey={rowKey} isDense />
      {bulk && selected.length === 0 ? <IdleBulk {...bulk.idle} /> : null}
      {bulk && selected.length > 0 ? (
        <div className="mt-4 max-w-prose rounded-panel border border-line p-4">{bulk.form(selected, () => table.resetRowSelection(true))}</div>
      ) : null}
      {next ? <NextPage href={next.href}>{next.name}</NextPage> : null}
    </>
  )
}
