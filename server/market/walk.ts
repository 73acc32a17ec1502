import { byText, firstPast } from './page-after.ts'

/** A row went to another place of its list. A later move has a higher `seq`. */
export type Move<Place> = { readonly seq: number; readonly key: string; readonly from: Place }

/** Where a walk through a list has come to, and the last move that its first page knew of. */
export type WalkKey<Place> = { readonly place: Place; readonly key: string; readonly since?: number | undefined }

/** A row with its place in a walk: the one that it has, or that it had when the walk began. */
type Placed<Row, Place> = WalkKey<Place> & { readonly row: Row }

/** A page of a walk, and for each of its rows what a walk that goes on behind it has to remember. */
export type WalkPage<Row, Place> = { readonly rows: readonly Row[]; readonly keys: readonly WalkKey<Place>[]; readonly more: boolean }

/** What a list is ordered by: places, and where they are equal keys in code-unit order. A key never changes, a place may. */
export type ListOrder<Row, Place> = {
  readonly placeOf: (row: Row) => Place
  readonly keyOf: (row: Row) => string
  readonly compare: (a: Place, b: Place) => number
}

/** The rows in order. */
export function inOrder<Row, Place>(rows: readonly Row[], { placeOf, keyOf, compare }: ListOrder<Row, Place>): Row[] {
  return rows.toSorted((a, b) => compare(placeOf(a), placeOf(b)) || byText(keyOf(a), keyOf(b)))
}

/**
 * The moves that a walk may have to look back over. While a walk goes on, a row keeps the place that it had when the walk began, whatever its rate, bonus,
 * charge or name is by now: one that rose to a page that was read already would be missed, and one that fell behind it given twice.
 */
export class Walks<Row, Place> {
  readonly #order: ListOrder<Row, Place>
  readonly #moves: readonly Move<Place>[]
  /** The number of the newest move. */
  readonly #newest: number

  constructor(order: ListOrder<Row, Place>, moves: readonly Move<Place>[]) {
    this.#order = order
    this.#moves = moves.toSorted((a, b) => b.seq - a.seq)
    this.#newest = this.#moves[0]?.seq ?? 0
  }

  /** The place that each row had before the first of its moves that are newer. */
  #before(since: number): Map<string, Place> {
    const before = new Map<string, Place>()
    for (const { seq, key, from } of this.#moves) {
      if (seq <= since) break
      before.set(key, from)
    }
    return before
  }

  #compare(a: WalkKey<Place>, b: WalkKey<Place>): number {
    return this.#order.compare(a.place, b.place) || byText(a.key, b.key)
  }

  #placed(row: Row): Placed<Row, Place> {
    return { row, key: this.#order.keyOf(row), place: this.#order.placeOf(row) }
  }

  /** The rows that stand where they stood when the walk began, and those that have moved since, at the places that they had; both in order. */
  #split(rows: readonly Row[], since: number | undefined): { still: readonly Row[]; moved: readonly Placed<Row, Place>[] } {
    const before = since === undefined ? new Map<string, Place>() : this.#before(since)
    if (before.size === 0) return { still: rows, moved: [] }
    const moved = rows.flatMap((row) => {
      const key = this.#order.keyOf(row)
      const place = before.get(key)
      return place === undefined ? [] : [{ row, key, place }]
    })
    return { still: rows.filter((row) => !before.has(this.#order.keyOf(row))), moved: moved.sort((a, b) => this.#compare(a, b)) }
  }

  /** A page of rows that stand in the order of their places, in the order in which a walk began. The row that it goes on after may be gone. */
  page(rows: readonly Row[], after: WalkKey<Place> | null, limit: number): WalkPage<Row, Place> {
    const { still, moved } = this.#split(rows, after?.since)
    const at = after === null ? 0 : firstPast(still, (row) => this.#compare(this.#placed(row), after) > 0)
    const movedAt = after === null ? 0 : firstPast(moved, (one) => this.#compare(one, after) > 0)
    const placed = [...still.slice(at, at + limit).map((row) => this.#placed(row)), ...moved.slice(movedAt, movedAt + limit)]
    if (moved.length > 0) placed.sort((a, b) => this.#compare(a, b))
    const given = placed.slice(0, limit)
    const since = after?.since ?? this.#newest
    const more = still.length - at + moved.length - movedAt > limit
    return { rows: given.map(({ row }) => row), keys: given.map(({ place, key }) => ({ place, key, since })), more }
  }
}
