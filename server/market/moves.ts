import type { Move } from './keyset-pager.ts'

/**
 * Recent sort-order changes of each reorderable list, with the previous values: rates and fees in hundredths of a percent, bonuses in pence,
 * names.
 */
export type Moves = {
  readonly products: readonly Move<number>[]
  readonly providers: readonly Move<string>[]
  readonly cards: readonly Move<number>[]
  readonly switchOffers: readonly Move<number>[]
}

export const noMoves: Moves = { products: [], providers: [], cards: [], switchOffers: [] }
