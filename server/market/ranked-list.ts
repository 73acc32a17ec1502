import type { Product } from './product.ts'

/** What the order of rates is made of, and what a cursor remembers of the last row it gave. */
export type RankKey = { readonly rateBp: number; readonly sourceKey: string }

/** Best rate first; equal rates by source key in code-unit order, which is the same on every machine. */
export function compareRank(a: RankKey, b: RankKey): number {
  if (a.rateBp !== b.rateBp) return b.rateBp - a.rateBp
  if (a.sourceKey === b.sourceKey) return 0
  return a.sourceKey < b.sourceKey ? -1 : 1
}

/** Index of the first row past the boundary; the rows past it must all stand behind those that are not. */
export function firstPast<Row>(rows: readonly Row[], isPast: (row: Row) => boolean): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const row = rows[middle]
    if (row === undefined || isPast(row)) high = middle
    else low = middle + 1
  }
  return low
}

/** Index of the first row that stands strictly behind the key, whether or not the key itself is still there. */
export function positionAfter(rows: readonly RankKey[], key: RankKey): number {
  return firstPast(rows, (row) => compareRank(row, key) > 0)
}

/** Where a rate stands among rows in order: its place from 1 (equal rates share a place), how many share it, how many there are. */
export type Standing = { readonly place: number; readonly sharing: number; readonly of: number }

/** The standing of a rate that is in the rows; two binary searches, whatever the length. */
export function standingOf(rows: readonly RankKey[], rateBp: number): Standing {
  const first = firstPast(rows, (row) => row.rateBp <= rateBp)
  const behind = firstPast(rows, (row) => row.rateBp < rateBp)
  return { place: first + 1, sharing: behind - first, of: rows.length }
}

function accepts(product: Product, amountPence: number): boolean {
  return amountPence >= product.minBalancePence && (product.maxBalancePence === null || amountPence <= product.maxBalancePence)
}

/**
 * Lists cut to the products that accept a balance, in the same order. Between two neighbouring limits of a list every amount
 * is accepted by the same products, and a market knows few different limits, so each cut is made once and kept. The room is bounded:
 * past `maximumRows` kept rows, a cut itself counting as one, that unused for longest goes.
 */
export class AcceptingLists {
  readonly #maximumRows: number
  readonly #limits = new Map<string, readonly number[]>()
  readonly #cuts = new Map<string, readonly Product[]>()
  #keptRows = 0

  constructor(maximumRows: number) {
    this.#maximumRows = maximumRows
  }

  /** The rows that accept the amount; `name` tells one list from another. */
  of(name: string, rows: readonly Product[], amountPence: number): readonly Product[] {
    const limits = this.#limitsOf(name, rows)
    const key = `${name} ${firstPast(limits, (limit) => limit > amountPence)}`
    const kept = this.#cuts.get(key)
    const cut = kept ?? rows.filter((product) => accepts(product, amountPence))
    if (kept) this.#cuts.delete(key)
    else this.#keptRows += cut.length + 1
    this.#cuts.set(key, cut)
    this.#dropUnused()
    return cut
  }

  /** The amounts at which the accepting products change, in rising order. */
  #limitsOf(name: string, rows: readonly Product[]): readonly number[] {
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
