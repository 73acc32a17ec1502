import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AccountType, ProductType } from '#server/api/contract/account-types.ts'
import type { PageCursor } from '#server/market/keyset-pager.ts'
import { MarketView } from '#server/market/market-view.ts'
import type { Product } from '#server/market/product.ts'
import { AcceptingLists } from '#server/market/ranked-list.ts'
import { makeProduct } from './make-product.ts'

const types: readonly ProductType[] = ['easy-access', 'notice', 'cash-isa']
const slugs = ['harrow-vale', 'kestrel-bay', 'thornwick']

const anyProducts = fc
  .uniqueArray(
    fc.record({
      sourceKey: fc.stringMatching(/^[a-zA-Z0-9][a-z0-9._-]{0,6}$/),
      rateBp: fc.integer({ min: 0, max: 12 }),
      accountType: fc.constantFrom(...types),
      providerSlug: fc.constantFrom(...slugs),
      minBalancePence: fc.integer({ min: 0, max: 20 }),
      balanceRange: fc.option(fc.integer({ min: 0, max: 20 })),
    }),
    { selector: ({ sourceKey }) => sourceKey, maxLength: 60 },
  )
  .map((rows) =>
    rows.map(({ balanceRange, ...facts }) => makeProduct({ ...facts, maxBalancePence: balanceRange === null ? null : facts.minBalancePence + balanceRange })),
  )

const anyFilter = fc.record({
  type: fc.constantFrom<AccountType | undefined>(undefined, 'all', ...types),
  provider: fc.constantFrom<string | undefined>(undefined, ...slugs, 'nobody'),
  amountPence: fc.option(fc.integer({ min: 0, max: 45 }), { nil: undefined }),
})

type Filter = { type?: AccountType | undefined; provider?: string | undefined; amountPence?: number | undefined }

/** Computes the expected products in the simplest way: filter, then sort. */
function expected(products: readonly Product[], { type, provider, amountPence }: Filter): Product[] {
  return products
    .filter((p) => type === undefined || type === 'all' || p.accountType === type)
    .filter((p) => provider === undefined || p.providerSlug === provider)
    .filter((p) => amountPence === undefined || (p.minBalancePence <= amountPence && amountPence <= (p.maxBalancePence ?? amountPence)))
    .sort((a, b) => b.rateBp - a.rateBp || (a.sourceKey < b.sourceKey ? -1 : 1))
}

function readAll(view: MarketView, filter: Filter, limit: number) {
  const rows: { product: Product; reasons: string[] }[] = []
  for (let after: PageCursor<number> | null = null; ; ) {
    const page = view.products({ ...filter, after, limit })
    rows.push(...page.rows)
    if (!page.more) return rows
    after = page.keys.at(-1) ?? null
  }
}

test('returns each row of any filter exactly once across pages, best rate first', () => {
  fc.assert(
    fc.property(anyProducts, anyFilter, fc.integer({ min: 1, max: 7 }), (products, filter, limit) => {
      const view = new MarketView({ products, providers: [], cards: [] })
      const rows = readAll(view, filter, limit)
      expect(rows.map(({ product }) => product.sourceKey)).toEqual(expected(products, filter).map(({ sourceKey }) => sourceKey))
    }),
  )
})

test('ranks by the number of better rates plus one, with ties', () => {
  fc.assert(
    fc.property(anyProducts, anyFilter, (products, filter) => {
      const view = new MarketView({ products, providers: [], cards: [] })
      const all = expected(products, filter)
      for (const { product, reasons } of readAll(view, filter, 50)) {
        const better = all.filter(({ rateBp }) => rateBp > product.rateBp).length
        const isTied = all.filter(({ rateBp }) => rateBp === product.rateBp).length > 1
        const [first = ''] = reasons
        if (all.length === 1) expect(first).toMatch(/^The only /)
        else expect(first).toMatch(new RegExp(`^Ranks ${isTied ? 'joint ' : ''}${better + 1}(?:st|nd|rd|th) by rate of ${all.length} `))
      }
    }),
  )
})

test('continues after a product that no longer exists', () => {
  const products = ['a', 'c', 'd'].map((sourceKey) => makeProduct({ sourceKey }))
  const view = new MarketView({ products, providers: [], cards: [] })
  const page = view.products({ after: { place: 400, key: 'b' }, limit: 1 })
  expect(page.rows.map(({ product }) => product.sourceKey)).toEqual(['c'])
  expect(page.more).toBe(true)
})

test('sorts equal rates by code unit: capitals before lower case', () => {
  const products = ['b', 'a', 'Z', '1'].map((sourceKey) => makeProduct({ sourceKey }))
  const view = new MarketView({ products, providers: [], cards: [] })
  expect(view.products({ limit: 10 }).rows.map(({ product }) => product.sourceKey)).toEqual(['1', 'Z', 'a', 'b'])
})

test('accepts the minimum and maximum balance, but not a penny less or more', () => {
  const view = new MarketView({
    products: [makeProduct({ sourceKey: 'a', minBalancePence: 100, maxBalancePence: 500 })],
    providers: [],
    cards: [],
  })
  const count = (amountPence: number) => view.products({ amountPence, limit: 10 }).rows.length
  expect([99, 100, 500, 501].map(count)).toEqual([0, 1, 1, 0])
})

test('sorts reference products by source key, for each type and provider', () => {
  const products = [
    makeProduct({ sourceKey: 'b', rateBp: 100 }),
    makeProduct({ sourceKey: 'a', rateBp: 50, providerSlug: 'kestrel-bay' }),
    makeProduct({ sourceKey: 'c', rateBp: 900, accountType: 'notice' }),
  ]
  const view = new MarketView({ products, providers: [], cards: [] })
  const keys = (filter: Filter) => view.referenceProducts(filter).map(({ sourceKey }) => sourceKey)
  expect(keys({})).toEqual(['a', 'b', 'c'])
  expect(keys({ type: 'easy-access' })).toEqual(['a', 'b'])
  expect(keys({ type: 'all', provider: 'harrow-vale' })).toEqual(['b', 'c'])
  expect(keys({ provider: 'nobody' })).toEqual([])
})

test('returns a product and its link for known keys only', () => {
  const view = new MarketView({ products: [makeProduct({ sourceKey: 'a' })], providers: [], cards: [] })
  expect(view.product('b')).toBeUndefined()
  expect(view.link('b')).toBeUndefined()
  expect(view.link('a')).toEqual({
    sourceKey: 'a',
    provider: 'Harrow Vale Bank',
    providerSlug: 'harrow-vale',
    accountName: 'Easy Access Saver',
    url: 'https://harrow-vale.example/savings',
    checkedAt: '2026-11-21T06:00:00.000Z',
  })
})

test('filters by amount correctly even if the cache is too small', () => {
  fc.assert(
    fc.property(anyProducts, fc.array(fc.integer({ min: 0, max: 45 }), { maxLength: 30 }), (products, amounts) => {
      const lists = new AcceptingLists(5)
      const sorted = expected(products, {})
      for (const amountPence of amounts) expect(lists.of('all', sorted, amountPence)).toEqual(expected(products, { amountPence }))
    }),
  )
})
