import type { z } from 'zod'
import type { FeedKind } from './feed-kind.ts'
import type { feedSchemas } from './feed-schema.ts'

type FieldOf<Kind extends FeedKind> = Exclude<keyof z.output<(typeof feedSchemas)[Kind]>, 'kind'>

/** A column that a feed fills: its type in PostgreSQL and the field that it comes from. */
export type Column = { readonly type: 'text' | 'int' | 'bigint' | 'boolean' | 'timestamptz(3)' | 'date' | 'jsonb'; readonly field: string }

/** The columns that a feed fills, by name. Everything in these descriptions goes into SQL as it stands; nothing of it comes from a feed. */
export type Columns = Readonly<Record<string, Column>>

/** How a kind of feed meets its table. */
export type FeedTable = {
  readonly table: string
  readonly key: string
  readonly columns: Columns
  /**
   * The time of a check, kept up to date without counting as a change: it leaves `updated_at` alone. When the feed leaves it out,
   * `keptWhile` (over the feed's row `f` and the standing row `t`) says whether the standing time still holds; else it is the import's.
   */
  readonly checked: { readonly column: string; readonly keptWhile: string } | null
  /** Column that names a provider of the same dataset, which has to exist. */
  readonly reference: 'provider_slug' | null
  /** Whether a standing row `t` counts as listed. A row that is not listed is not withdrawn again. */
  readonly listed: string
  /** How a listed row that a complete feed no longer names is withdrawn: these assignments, or null to delete it. */
  readonly withdraw: string | null
  /** What brings a withdrawn row back when the feed names it again; null when the feed's own columns do. */
  readonly restore: string | null
  /** Whether rows remember when they were first seen. */
  readonly hasCreatedAt: boolean
}

export const column = (type: Column['type'], field: string): Column => ({ type, field })

/** Every field of the kind's schema exactly once, so that a field added to a schema does not compile until it has its column. */
type ColumnsOf<Kind extends FeedKind> = { readonly [Field in FieldOf<Kind>]: readonly [name: string, type: Column['type']] }

export function columnsOf<Kind extends FeedKind>(columns: ColumnsOf<Kind>): Record<string, Column> {
  const entries = Object.entries<readonly [string, Column['type']]>(columns)
  return Object.fromEntries(entries.map(([field, [name, type]]) => [name, column(type, field)]))
}
