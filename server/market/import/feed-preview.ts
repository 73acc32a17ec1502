import type { ChangeCounts, RowChange } from './row-change.ts'

/** Rate change of a product in a feed, in hundredths of a percent. */
export type RateMove = { readonly sourceKey: string; readonly accountName: string; readonly fromBp: number; readonly toBp: number }

/** Changes that a feed would make: row counts, the first rows of each kind, the biggest rate moves, and the reasons for manual confirmation. */
export type FeedPreview = {
  readonly rows: number
  readonly counts: ChangeCounts
  readonly changes: readonly RowChange[]
  readonly rateMoves: readonly RateMove[]
  readonly reasons: readonly string[]
}
