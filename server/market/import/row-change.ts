import { twoDecimals } from '../../contract/formats.ts'
import type { Columns } from './feed-table.ts'

/** What an import did to a row. `restored`: withdrawn before and named again; `checked`: only the time of its last check moved. */
export const changeKinds = ['added', 'changed', 'restored', 'withdrawn', 'checked'] as const

export type ChangeKind = (typeof changeKinds)[number]

export type ChangeCounts = Readonly<Record<ChangeKind, number>>

/** A field before and after, in the words of the feed; null: none. */
export type FieldChange = { readonly field: string; readonly from: unknown; readonly to: unknown }

/** What an import does to one row. A row that is added or withdrawn has no fields listed: all of them come or go. */
export type RowChange = { readonly change: ChangeKind; readonly key: string; readonly fields: readonly FieldChange[] }

/** A row as its table has it, by column. */
export type StoredRow = Readonly<Record<string, unknown>>

/** A value as a feed would say it. The last word of a column's name is the unit. */
export function inWords(column: string, value: unknown): unknown {
  if (typeof value !== 'number') return value ?? null
  if (/_(?:bp|pence|hundredths)$/.test(column)) return twoDecimals(value)
  return column.endsWith('_tenths') ? `${Math.floor(value / 10)}.${value % 10}` : value
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields in which two rows differ. A time that the feed leaves out stays as it is. */
export function fieldChanges(columns: Columns, before: StoredRow, after: StoredRow, checked: string | undefined): FieldChange[] {
  return Object.entries(columns).flatMap(([column, { field }]) => {
    const [from, to] = [before[column] ?? null, after[column] ?? null]
    if (isSame(from, to) || (column === checked && to === null)) return []
    return [{ field, from: inWords(column, from), to: inWords(column, to) }]
  })
}
