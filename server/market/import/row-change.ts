import { twoDecimals } from '#server/api/contract/formats.ts'
import type { Columns } from './feed-tables.ts'

/** Effect of an import on a row. `restored`: was withdrawn and is listed again; `checked`: only the time of the last URL check changed. */
export const changeKinds = ['added', 'changed', 'restored', 'withdrawn', 'checked'] as const

export type ChangeKind = (typeof changeKinds)[number]

export type ChangeCounts = Readonly<Record<ChangeKind, number>>

/** Field with its feed values before and after a change; null means none. */
export type FieldChange = { readonly field: string; readonly from: unknown; readonly to: unknown }

/** Change of one row. `fields` is empty for withdrawn rows and, except in a history feed, for added rows. */
export type RowChange = { readonly change: ChangeKind; readonly key: string; readonly fields: readonly FieldChange[] }

/** Row of a table, keyed by column name. */
export type StoredRow = Readonly<Record<string, unknown>>

/** Converts a column value to a feed value. The suffix of the column name states the unit. */
export function toFeedValue(column: string, value: unknown): unknown {
  if (typeof value !== 'number') return value ?? null
  if (/_(?:bp|pence|hundredths)$/.test(column)) return twoDecimals(value)
  return column.endsWith('_tenths') ? `${Math.floor(value / 10)}.${value % 10}` : value
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Returns the fields that differ between two rows. Ignores a check time that the feed omits. */
export function fieldChanges(columns: Columns, before: StoredRow, after: StoredRow, checked: string | undefined): FieldChange[] {
  return Object.entries(columns).flatMap(([column, field]) => {
    const [from, to] = [before[column] ?? null, after[column] ?? null]
    if (isSame(from, to) || (column === checked && to === null)) return []
    return [{ field, from: toFeedValue(column, from), to: toFeedValue(column, to) }]
  })
}

/** Rate change of a product in a feed, in basis points. */
export type RateMove = { readonly sourceKey: string; readonly accountName: string; readonly fromBp: number; readonly toBp: number }

/** Changes that a feed would make: row counts, the first rows of each kind, the biggest rate moves, and the reasons for manual confirmation. */
export type FeedPreview = {
  readonly rows: number
  readonly counts: ChangeCounts
  readonly changes: readonly RowChange[]
  readonly rateMoves: readonly RateMove[]
  readonly reasons: readonly string[]
}
