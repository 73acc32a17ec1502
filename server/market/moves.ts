import type { Move } from './walk.ts'

/** What moved of late in each list whose order can change: rates and charges in hundredths of a percent, bonuses in pence, names as they were. */
export type Moves = {
  readonly products: readonly Move<number>[]
  readonly providers: readonly Move<string>[]
  readonly cards: readonly Move<number>[]
  readonly switchOffers: readonly Move<number>[]
}

export const noMoves: Moves = { products: [], providers: [], cards: [], switchOffers: [] }
