import type { z } from 'zod'
import type { FeedKind } from './feed-kind.ts'
import type { feedSchemas } from './feed-schema.ts'

type FieldName<Kind extends FeedKind> = Exclude<keyof z.output<(typeof feedSchemas)[Kind]>, 'kind'>

/** Column filled by a feed: its PostgreSQL type and its feed field. */
export type Column = { readonly type: 'text' | 'int' | 'bigint' | 'boolean' | 'timestamptz(3)' | 'date' | 'jsonb'; readonly field: string }

/** Columns filled by a feed, by name. Interpolated into SQL unescaped; never contains feed data. */
export type Columns = Readonly<Record<string, Column>>

/** Mapping of a feed kind to its table. */
export type FeedTable = {
  readonly table: string
  readonly key: string
  readonly columns: Columns
  /**
   * Column with the time of a check; null if there is none. A new check time alone is not a change, so `updated_at` stays as it is. If the feed omits the time
   * and the SQL condition `keptWhile` (on feed row `f` and current row `t`) is true, the current time is kept; otherwise it becomes the time of the import.
   */
  readonly checked: { readonly column: string; readonly keptWhile: string } | null
  /** Column that references a provider of the same dataset, which must exist. */
  readonly reference: 'provider_slug' | null
  /** SQL condition that is true if a current row `t` is listed. Unlisted rows aren't withdrawn again. */
  readonly listed: string
  /** Assignments that withdraw a listed row omitted by a complete feed; null to delete it. */
  readonly withdraw: string | null
  /** Assignments that restore a withdrawn row listed again by a feed; null if the feed's own columns restore it. */
  readonly restore: string | null
  /** True if rows store their creation time. */
  readonly hasCreatedAt: boolean
}

export const column = (type: Column['type'], field: string): Column => ({ type, field })

/** Maps every field of the kind's schema exactly once, so that a new schema field doesn't compile without its column. */
type ColumnMap<Kind extends FeedKind> = { readonly [Field in FieldName<Kind>]: readonly [name: string, type: Column['type']] }

export function getColumns<Kind extends FeedKind>(columns: ColumnMap<Kind>): Record<string, Column> {
  const entries = Object.entries<readonly [string, Column['type']]>(columns)
  return Object.fromEntries(entries.map(([field, [name, type]]) => [name, column(type, field)]))
}
