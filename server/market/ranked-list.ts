import type { ListOrder } from './keyset-pager.ts'
import { firstPast } from './page-after.ts'
import type { Product } from './product.ts'

/** Best rate first. */
export const rateOrder: ListOrder<Product, number> = {
  sortValue: ({ rateBp }) => rateBp,
  getKey: ({ sourceKey }) => sourceKey,
  compare: (a, b) => b - a,
}

/** Rank of a rate in a sorted list: its place from 1 (equal rates share a place), the number sharing it, and the length of the list. */
export type RateRank = { readonly place: number; readonly sharing: number; readonly of: number }

/** Ranks a rate that is in the rows, using two binary searches. */
export function rankRate(rows: readonly Pick<Product, 'rateBp'>[], rateBp: number): RateRank {
  const first = firstPast(rows, (row) => row.rateBp <= rateBp)
  const behind = firstPast(rows, (row) => row.rateBp < rateBp)
  return { place: first + 1, sharing: behind - first, of: rows.length }
}

function accepts(product: Product, amountPence: number): boolean {
  return amountPence >= product.minBalancePence && (product.maxBalancePence === null || amountPence <= product.maxBalancePence)
}

/**
 * Lists filtered to the products that accept a balance, in the same order. Between two adjacent limits of a list, every amount is accepted by the
 * same products, and a market has few distinct limits, so each filtered list is computed once and cached. Beyond `maximumRows` cached rows (each
 * list counts as one extra), the least recently used list is evicted.
 */
export class AcceptingLists {
  readonly #maximumRows: number
  readonly #limits = new Map<string, readonly number[]>()
  readonly #cuts = new Map<string, readonly Product[]>()
  #keptRows = 0

  constructor(maximumRows: number) {
    this.#maximumRows = maximumRows
  }

  /** Rows that accept the amount; `name` identifies the list. */
  of(name: string, rows: readonly Product[], amountPence: number): readonly Product[] {
    const limits = this.#getLimits(name, rows)
    const key = `${name} ${firstPast(limits, (limit) => limit > amountPence)}`
    const kept = this.#cuts.get(key)
    const cut = kept ?? rows.filter((product) => accepts(product, amountPence))
    if (kept) this.#cuts.delete(key)
    else this.#keptRows += cut.length + 1
    this.#cuts.set(key, cut)
    this.#dropUnused()
    return cut
  }

  /** Amounts at which the set of accepting products changes, ascending. */
  #getLimits(name: string, rows: readonly Product[]): readonly number[] {
    const known = this.#limits.get(name)
    if (known) return known
    const limits = new Set<number>()
    for (const { minBalancePence, maxBalancePence } of rows) {
      limits.add(minBalancePence)
      if (maxBalancePence !== null) limits.add(maxBalancePence + 1)
    }
    const sorted = [...limits].sort((a, b) => a - b)
    this.#limits.set(name, sorted)
    return sorted
  }

  #dropUnused(): void {
    for (const [key, cut] of this.#cuts) {
      if (this.#keptRows <= this.#maximumRows) return
      this.#cuts.delete(key)
      this.#keptRows -= cut.length + 1
    }
  }
}
