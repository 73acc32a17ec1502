/** Compares by code unit, so that the order is identical on every machine. */
export function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/**
 * Returns the index of the first row for which `isPast` is true, or the number of rows if there is none. Uses binary search, so `isPast` must not change back
 * from true to false.
 */
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

/** Returns the page of rows after a boundary. `isPast` must be false for the rows up to the boundary and true for the rest. */
export function pageAfter<Row>(rows: readonly Row[], limit: number, isPast: (row: Row) => boolean): { rows: readonly Row[]; more: boolean } {
  const start = firstPast(rows, isPast)
  return { rows: rows.slice(start, start + limit), more: start + limit < rows.length }
}

/** Change of a row's sort value. `from` is the previous value; later moves have a higher `seq`. */
export type Move<Place> = { readonly seq: number; readonly key: string; readonly from: Place }

/** Pagination cursor: the last row's sort value and key, and the number of the newest move when the first page was read. */
export type PageCursor<Place> = { readonly place: Place; readonly key: string; readonly since?: number | undefined }

/** Row with a sort value: the current value, or the value when the pagination started. */
type Placed<Row, Place> = PageCursor<Place> & { readonly row: Row }

/** Page of rows, with the cursor after each row. */
export type CursorPage<Row, Place> = { readonly rows: readonly Row[]; readonly keys: readonly PageCursor<Place>[]; readonly more: boolean }

/** Sort order of a list: by sort value, then by key in code-unit order. A key never changes, a sort value may. */
export type ListOrder<Row, Place> = {
  readonly sortValue: (row: Row) => Place
  readonly getKey: (row: Row) => string
  readonly compare: (a: Place, b: Place) => number
}

/** Returns a sorted copy of the rows. */
export function inOrder<Row, Place>(rows: readonly Row[], { sortValue, getKey, compare }: ListOrder<Row, Place>): Row[] {
  return rows.toSorted((a, b) => compare(sortValue(a), sortValue(b)) || byText(getKey(a), getKey(b)))
}

/**
 * Keyset pagination with a stable order: each row keeps the sort value it had when the first page was read, even if its rate, bonus, fee or name changes.
 * Otherwise a row that moves to an earlier page would be missed, and a row that moves to a later page would be repeated.
 */
export class KeysetPager<Row, Place> {
  readonly #order: ListOrder<Row, Place>
  readonly #moves: readonly Move<Place>[]
  /** Number of the newest move. */
  readonly #newest: number

  constructor(order: ListOrder<Row, Place>, moves: readonly Move<Place>[]) {
    this.#order = order
    this.#moves = moves.toSorted((a, b) => b.seq - a.seq)
    this.#newest = this.#moves[0]?.seq ?? 0
  }

  /** Returns the rows that have moved since move number `since`, by key, with the sort values they had then. */
  #before(since: number): Map<string, Place> {
    const before = new Map<string, Place>()
    for (const { seq, key, from } of this.#moves) {
      if (seq <= since) break
      before.set(key, from)
    }
    return before
  }

  #compare(a: PageCursor<Place>, b: PageCursor<Place>): number {
    return this.#order.compare(a.place, b.place) || byText(a.key, b.key)
  }

  #placed(row: Row): Placed<Row, Place> {
    return { row, key: this.#order.getKey(row), place: this.#order.sortValue(row) }
  }

  /** Splits rows into those that have moved since the pagination started, with their former sort values, and the rest. Both results are sorted. */
  #split(rows: readonly Row[], since: number | undefined): { unmoved: readonly Row[]; moved: readonly Placed<Row, Place>[] } {
    const before = since === undefined ? new Map<string, Place>() : this.#before(since)
    if (before.size === 0) return { unmoved: rows, moved: [] }
    const moved = rows.flatMap((row) => {
      const key = this.#order.getKey(row)
      const place = before.get(key)
      return place === undefined ? [] : [{ row, key, place }]
    })
    return { unmoved: rows.filter((row) => !before.has(this.#order.getKey(row))), moved: moved.sort((a, b) => this.#compare(a, b)) }
  }

  /** Returns a page of sorted rows, in the order they had when the pagination started. The row that `after` points to may no longer exist. */
  page(rows: readonly Row[], after: PageCursor<Place> | null, limit: number): CursorPage<Row, Place> {
    const { unmoved, moved } = this.#split(rows, after?.since)
    const at = after === null ? 0 : firstPast(unmoved, (row) => this.#compare(this.#placed(row), after) > 0)
    const movedAt = after === null ? 0 : firstPast(moved, (one) => this.#compare(one, after) > 0)
    const placed = [...unmoved.slice(at, at + limit).map((row) => this.#placed(row)), ...moved.slice(movedAt, movedAt + limit)]
    if (moved.length > 0) placed.sort((a, b) => this.#compare(a, b))
    const given = placed.slice(0, limit)
    const since = after?.since ?? this.#newest
    const more = unmoved.length - at + moved.length - movedAt > limit
    return { rows: given.map(({ row }) => row), keys: given.map(({ place, key }) => ({ place, key, since })), more }
  }
}

/** Provider of a product, with its name at that time. */
export type Issuer = { readonly slug: string; readonly name: string }

/**
 * Recent changes of sort values, for each list whose order can change. `from` is the previous rate or fee in basis points, bonus or minimum balance in pence, or
 * name.
 */
export type Moves = {
  readonly products: readonly Move<number>[]
  /** Products whose minimum balance changed. */
  readonly minBalances?: readonly Move<number>[]
  /** Products that moved to another provider. `seq` is numbered in the same sequence as in `providers`. */
  readonly issuers?: readonly Move<Issuer>[]
  readonly providers: readonly Move<string>[]
  readonly cards: readonly Move<number>[]
  readonly switchOffers: readonly Move<number>[]
  /** Time in milliseconds of the oldest change in these lists. An older cursor continues in the current order. */
  readonly sinceMs?: number
}

export const noMoves: Moves = { products: [], providers: [], cards: [], switchOffers: [] }
