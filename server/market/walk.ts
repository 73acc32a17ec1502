import type { Product } from './product.ts'
import { compareRank, positionAfter, type RankKey } from './ranked-list.ts'

/** A product got another rate. `seq` is the number of the row of history that says so: a later change has a higher one. */
export type RateMove = { readonly seq: number; readonly sourceKey: string; readonly fromBp: number }

/** Where a walk through the rates has come to, and the last move that its first page knew of. */
export type WalkKey = RankKey & { readonly since?: number | undefined }

/** A product at its place in a walk: its rate, or the one that it had when the walk began. */
export type Placed = { readonly product: Product; readonly placeBp: number }

/**
 * The moves that a walk may have to look back over. While a walk goes on, a product keeps the place that it had when it began, whatever it pays by now:
 * one that rose to a page that was read already would be missed, and one that fell behind it given twice.
 */
export class Walks {
  /** The number of the newest move. */
  readonly newest: number
  readonly #moves: readonly RateMove[]

  constructor(moves: readonly RateMove[]) {
    this.#moves = moves.toSorted((a, b) => b.seq - a.seq)
    this.newest = this.#moves[0]?.seq ?? 0
  }

  /** The rate that each product had before the first of its moves that are newer. */
  #before(since: number): Map<string, number> {
    const before = new Map<string, number>()
    for (const { seq, sourceKey, fromBp } of this.#moves) {
      if (seq <= since) break
      before.set(sourceKey, fromBp)
    }
    return before
  }

  /** A page of rows that stand in order of their rates, in the order in which a walk began. */
  page(rows: readonly Product[], after: WalkKey | null, limit: number): { placed: Placed[]; more: boolean } {
    const before = after?.since === undefined ? new Map<string, number>() : this.#before(after.since)
    const still = before.size === 0 ? rows : rows.filter(({ sourceKey }) => !before.has(sourceKey))
    const moved = rows.flatMap((product) => {
      const rateBp = before.size === 0 ? undefined : before.get(product.sourceKey)
      return rateBp === undefined ? [] : [{ rateBp, sourceKey: product.sourceKey, product }]
    })
    moved.sort(compareRank)
    let [at, movedAt] = after ? [positionAfter(still, after), positionAfter(moved, after)] : [0, 0]
    const placed: Placed[] = []
    while (placed.length < limit) {
      const [next, back] = [still[at], moved[movedAt]]
      if (next && (!back || compareRank(next, back) < 0)) {
        placed.push({ product: next, placeBp: next.rateBp })
        at += 1
      } else if (back) {
        placed.push({ product: back.product, placeBp: back.rateBp })
        movedAt += 1
      } else break
    }
    return { placed, more: at < still.length || movedAt < moved.length }
  }
}
