import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterHundredths, afterText, hundredthsKey, textKey } from '#server/api/endpoints/list-cursor.ts'
import type { Move } from '#server/market/keyset-pager.ts'
import { noMoves } from '#server/market/keyset-pager.ts'
import { MarketView } from '#server/market/market-view.ts'
import type { Product } from '#server/market/product.ts'
import { makeProduct } from './make-product.ts'
import { makeProvider } from './make-provider.ts'

/** Products of a market by source key, and all rate changes so far. */
type Changing = { readonly products: Map<string, Product>; readonly moves: Move<number>[] }

type Change = { readonly key: number; readonly rateBp: number | null }

const getName = (key: number) => `key-${String(key).padStart(2, '0')}`

/** Applies rate changes and launches. A null rate withdraws the product. */
function apply({ products, moves }: Changing, changes: readonly Change[]): void {
  for (const { key, rateBp } of changes) {
    const sourceKey = getName(key)
    const before = products.get(sourceKey)
    if (before && before.rateBp !== rateBp) moves.push({ seq: moves.length + 1, key: sourceKey, from: before.rateBp })
    if (rateBp === null) products.delete(sourceKey)
    else products.set(sourceKey, makeProduct({ sourceKey, rateBp }))
  }
}

const getView = ({ products, moves }: Changing) =>
  new MarketView({ providers: [], cards: [], products: [...products.values()], moves: { ...noMoves, products: [...moves] } })

/** Reads all pages with the cursors that callers receive. Each page is read from the current market. */
function listAll(market: Changing, limit: number, between: () => void): Product[] {
  const rows: Product[] = []
  for (let cursor: string | null = null; ; between()) {
    const page = getView(market).products({ after: afterHundredths(cursor), limit })
    rows.push(...page.rows.map(({ product }) => product))
    const last = page.keys.at(-1)
    if (!page.more || !last) return rows
    cursor = hundredthsKey(last)
  }
}

// With only a few rates and keys, products often swap places.
const anyRate = fc.integer({ min: 1, max: 9 })
const anyStart = fc.array(anyRate, { minLength: 1, maxLength: 20 })
const anyChange = fc.record({ key: fc.nat({ max: 23 }), rateBp: fc.option(anyRate, { freq: 6 }) })
const anyBatches = fc.array(fc.array(anyChange, { maxLength: 6 }), { maxLength: 8 })

test('returns a product that is listed throughout exactly once, regardless of rate changes between pages', () => {
  fc.assert(
    fc.property(anyStart, anyBatches, anyBatches, fc.integer({ min: 1, max: 6 }), (start, earlier, later, limit) => {
      const market: Changing = { products: new Map(), moves: [] }
      apply(
        market,
        start.map((rateBp, key) => ({ key, rateBp })),
      )
      for (const batch of earlier) apply(market, batch)
      const throughout = new Set(market.products.keys())
      const batches = later.values()
      const rows = listAll(market, limit, () => {
        apply(market, batches.next().value ?? [])
        for (const key of throughout) if (!market.products.has(key)) throughout.delete(key)
      })
      const given = rows.map(({ sourceKey }) => sourceKey).filter((key) => throughout.has(key))
      expect(given.toSorted()).toEqual([...throughout].toSorted())
      // Without changes in between, the order is best rate first.
      const ranked = listAll(market, limit, () => undefined).map(({ rateBp }) => rateBp)
      expect(ranked).toEqual(ranked.toSorted((a, b) => b - a))
    }),
    { numRuns: 200 },
  )
})

test('returns the current rate of a product on every page', () => {
  const market: Changing = { products: new Map(), moves: [] }
  apply(
    market,
    [1, 2, 3].map((key) => ({ key, rateBp: 100 * key })),
  )
  const rows = listAll(market, 1, () => apply(market, [{ key: 1, rateBp: 900 }]))
  expect(rows.map(({ sourceKey, rateBp }) => [sourceKey, rateBp])).toEqual([
    ['key-03', 300],
    ['key-02', 200],
    ['key-01', 900],
  ])
})

test('accepts a cursor from an older release, and continues in the current order', () => {
  const market: Changing = { products: new Map(), moves: [] }
  apply(
    market,
    [1, 2, 3].map((key) => ({ key, rateBp: 100 * key })),
  )
  const { rows } = getView(market).products({ after: afterHundredths('3.00 key-03'), limit: 9 })
  expect(rows.map(({ product }) => product.sourceKey)).toEqual(['key-02', 'key-01'])
})

test('returns a renamed provider once, under its new name', () => {
  const named = new Map(['Ash Bank', 'Birch Bank', 'Cedar Bank', 'Dogwood Bank'].map((name) => [name.slice(0, 1).toLowerCase(), name]))
  const moves: Move<string>[] = []
  const page = (cursor: string | null) => {
    const providers = [...named].map(([slug, name]) => makeProvider({ slug, name }))
    return new MarketView({ providers, cards: [], products: [], moves: { ...noMoves, providers: [...moves] } }).directory(afterText(cursor), 1)
  }
  const rename = (slug: string, name: string) => {
    moves.push({ seq: moves.length + 1, key: slug, from: named.get(slug) ?? '' })
    named.set(slug, name)
  }
  const given: string[] = []
  for (let cursor: string | null = null, more = true; more; ) {
    const { rows, keys, more: isMore } = page(cursor)
    given.push(...rows.map(({ slug, name }) => `${slug} ${name}`))
    more = isMore
    cursor = textKey(keys[0] ?? { place: '', key: '' })
    // Moves a row that was already returned to the end, and a later one to the front. Without a stable order, the first would be returned twice and the second
    // skipped.
    if (given.length === 1) {
      rename('a', 'Zelkova Bank')
      rename('d', 'Acer Bank of the North')
    }
  }
  expect(given).toEqual(['a Ash Bank', 'b Birch Bank', 'c Cedar Bank', 'd Acer Bank of the North'])
})
