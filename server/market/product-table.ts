import type { Product } from './product.ts'

/**
 * Distinct values of an attribute, and the index of each product's value. Few values are distinct, so a filter tests each value once and then only compares
 * numbers.
 */
class Column<Value> {
  readonly #values: Value[] = []
  readonly codes: Uint32Array

  constructor(products: readonly Product[], read: (product: Product) => Value) {
    const known = new Map<Value, number>()
    this.codes = new Uint32Array(products.length)
    for (const [place, product] of products.entries()) {
      const value = read(product)
      const code = known.get(value) ?? this.#values.length
      if (code === this.#values.length) {
        known.set(value, code)
        this.#values.push(value)
      }
      this.codes[place] = code
    }
  }

  /** Returns the condition that a product's value is accepted. */
  where(accepts: (value: Value) => boolean): Condition {
    const accepted = this.map((value) => Number(accepts(value)))
    return { codes: this.codes, accepted, key: Buffer.from(accepted).toString('latin1') }
  }

  /** Returns a small number for each distinct value. */
  map(toNumber: (value: Value) => number): Uint8Array {
    const numbers = new Uint8Array(this.#values.length)
    for (const [code, value] of this.#values.entries()) numbers[code] = toNumber(value)
    return numbers
  }
}

/**
 * Condition on products: `accepted` is 1 for each code that matches. Conditions of one filter that have the same `key` match the same products, such as two
 * amounts between the same balance limits.
 */
export type Condition = { readonly codes: Uint32Array; readonly accepted: Uint8Array; readonly key: string }

const readers = {
  accountType: ({ accountType }: Product) => accountType,
  providerSlug: ({ providerSlug }: Product) => providerSlug,
  provider: ({ provider }: Product) => provider,
  accountName: ({ accountName }: Product) => accountName,
  rateBp: ({ rateBp }: Product) => rateBp,
  termMonths: ({ termMonths }: Product) => termMonths,
  noticeDays: ({ noticeDays }: Product) => noticeDays,
  access: ({ access }: Product) => access,
  interestPaid: ({ interestPaid }: Product) => interestPaid,
  newCustomersOnly: ({ newCustomersOnly }: Product) => newCustomersOnly,
  minBalancePence: ({ minBalancePence }: Product) => minBalancePence,
  maxBalancePence: ({ maxBalancePence }: Product) => maxBalancePence,
  updatedAt: ({ updatedAt }: Product) => updatedAt,
  maxMonthlyDepositPence: ({ maxMonthlyDepositPence }: Product) => maxMonthlyDepositPence,
} as const satisfies { readonly [Name in keyof Product]?: (product: Product) => Product[Name] }

type ColumnName = keyof typeof readers
type Values = { readonly [Name in ColumnName]: Product[Name] }

/** Products of a market by column, for filters. `rows` are sorted by rate, best first. Columns are created on first use. */
export class ProductTable {
  readonly rows: readonly Product[]
  readonly #columns: { [Name in ColumnName]?: Column<Values[Name]> } = {}
  #places: ReadonlyMap<string, number> | undefined
  #ownCodes: Uint32Array | undefined

  constructor(rows: readonly Product[]) {
    this.rows = rows
  }

  column<Name extends ColumnName>(name: Name): Column<Values[Name]> {
    const known = this.#columns[name] as Column<Values[Name]> | undefined
    if (known) return known
    const column = new Column(this.rows, readers[name] as (product: Product) => Values[Name])
    Object.assign(this.#columns, { [name]: column })
    return column
  }

  /** Returns the condition that the product itself is accepted: `accepted` is 1 at the index of each matching row. */
  whereRow(accepted: Uint8Array, key: string): Condition {
    this.#ownCodes ??= this.select([])
    return { codes: this.#ownCodes, accepted, key }
  }

  /** Returns the condition that a product has one of the keys. */
  whereKey(sourceKeys: readonly string[]): Condition {
    this.#places ??= new Map(this.rows.map(({ sourceKey }, place) => [sourceKey, place]))
    const accepted = new Uint8Array(this.rows.length)
    for (const sourceKey of sourceKeys) {
      const place = this.#places.get(sourceKey)
      if (place !== undefined) accepted[place] = 1
    }
    return this.whereRow(accepted, sourceKeys.join())
  }

  /** Returns the indices of the rows that meet all conditions, in ascending order. */
  select(conditions: readonly Condition[]): Uint32Array {
    const places = new Uint32Array(this.rows.length)
    for (let place = 0; place < places.length; place++) places[place] = place
    let count = places.length
    for (const condition of conditions) count = keepMatching(places, count, condition)
    return places.slice(0, count)
  }

  /** Returns the rows with the given indices. */
  take(places: Uint32Array): Product[] {
    const taken: Product[] = []
    for (const place of places) {
      const product = this.rows[place]
      if (product !== undefined) taken.push(product)
    }
    return taken
  }
}

/** Moves the indices of matching rows to the front of the first `count` indices, and returns their number. */
function keepMatching(places: Uint32Array, count: number, { codes, accepted }: Condition): number {
  let kept = 0
  for (let at = 0; at < count; at++) {
    const place = places[at] ?? 0
    // Overwritten by the next match if this row doesn't match.
    places[kept] = place
    kept += accepted[codes[place] ?? 0] ?? 0
  }
  return kept
}
