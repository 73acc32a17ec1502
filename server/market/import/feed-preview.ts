import type { ChangeCounts, RowChange } from './row-change.ts'

/** A product whose rate a feed moves, in hundredths of a percent. */
export type RateMove = { readonly sourceKey: string; readonly accountName: string; readonly fromBp: number; readonly toBp: number }

/** What a feed would change: how many rows of each kind, the first of them, the biggest moves of rates, and why somebody is to look at it first. */
export type FeedPreview = {
  readonly rows: number
  readonly counts: ChangeCounts
  readonly changes: readonly RowChange[]
  readonly rateMoves: readonly RateMove[]
  readonly reasons: readonly string[]
}
