import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProductType } from '#server/api/contract/account-types.ts'
import { type Moves, noMoves, type PageCursor } from '#server/market/keyset-pager.ts'
import { MarketView } from '#server/market/market-view.ts'
import type { Product } from '#server/market/product.ts'
import type { ProductFilters } from '#server/market/product-filters.ts'
import { type NumericSort, numericSorts } from '#server/market/product-sorts.ts'
import { makeProduct } from './make-product.ts'
import { makeProvider } from './make-provider.ts'

const types: readonly ProductType[] = ['easy-access', 'notice']
const banks = [
  { slug: 'harrow-vale', name: 'Harrow Vale Bank', licenceGroup: 'one' },
  { slug: 'kestrel-bay', name: 'Kestrel Bay', licenceGroup: 'one' },
  { slug: 'thornwick', name: 'Thornwick Société', licenceGroup: 'two' },
]
const providers = banks.map(makeProvider)
const few = fc.integer({ min: 0, max: 8 })

const anyProducts = fc
  .uniqueArray(
    fc.record({
      sourceKey: fc.stringMatching(/^[a-zA-Z0-9][a-z0-9._-]{0,6}$/),
      rateBp: few,
      accountType: fc.constantFrom(...types),
      bank: fc.constantFrom(...banks),
      termMonths: fc.option(few),
      noticeDays: fc.option(few),
      access: fc.constantFrom('Withdraw at any time', 'Up to 3 withdrawals a year'),
      interestPaid: fc.constantFrom('Monthly', 'Annually'),
      newCustomersOnly: fc.boolean(),
      minBalancePence: few,
      maxBalancePence: fc.option(fc.constant(9)),
      maxMonthlyDepositPence: fc.option(few),
      day: fc.integer({ min: 1, max: 9 }),
    }),
    { selector: ({ sourceKey }) => sourceKey, maxLength: 40 },
  )
  .map((rows) =>
    rows.map(({ bank, day, ...facts }) =>
      makeProduct({ ...facts, provider: bank.name, providerSlug: bank.slug, updatedAt: `2026-11-0${day}T06:00:00.000Z`, accountName: `Saver ${facts.rateBp}` }),
    ),
  )

const anyFilters: fc.Arbitrary<ProductFilters> = fc.record(
  {
    type: fc.constantFrom('all', ...types),
    provider: fc.constantFrom('harrow-vale', 'nobody'),
    amountPence: few,
    minRateBp: few,
    maxRateBp: few,
    minTermMonths: few,
    maxTermMonths: few,
    maxNoticeDays: few,
    access: fc.constantFrom('ANY TIME', 'up to 3', 'never'),
    interestPaid: fc.constantFrom('Monthly', 'Annually'),
    newCustomersOnly: fc.boolean(),
    licenceGroup: fc.constantFrom('one', 'two'),
    maxMinBalancePence: few,
    name: fc.constantFrom('harrow', 'saver 4', 'thornwick societe', 'kestral', 'nothing'),
    payablePence: few,
    sourceKeys: fc.array(fc.stringMatching(/^[a-c]$/), { minLength: 1 }),
  },
  { requiredKeys: [] },
)

const plain = (text: string) => text.toLowerCase().replace('é', 'e')
const named = ({ accountName, provider }: Product, name: string) => {
  const words = plain(`${accountName} ${provider}`).split(' ')
  return name
    .replace('kestral', 'kestrel')
    .split(' ')
    .every((part) => words.some((word) => word.startsWith(part)))
}

type Given = { readonly [Name in keyof ProductFilters]-?: Exclude<ProductFilters[Name], undefined> }

/** Condition of each filter, implemented independently of the service. */
const meanings: { readonly [Name in keyof Given]: (product: Product, value: Given[Name]) => boolean } = {
  type: (product, type) => type === 'all' || product.accountType === type,
  provider: ({ providerSlug }, slug) => providerSlug === slug,
  amountPence: ({ minBalancePence, maxBalancePence }, amount) => minBalancePence <= amount && amount <= (maxBalancePence ?? amount),
  minRateBp: ({ rateBp }, from) => rateBp >= from,
  maxRateBp: ({ rateBp }, to) => rateBp <= to,
  minTermMonths: ({ termMonths }, from) => termMonths !== null && termMonths >= from,
  maxTermMonths: ({ termMonths }, to) => termMonths !== null && termMonths <= to,
  maxNoticeDays: ({ noticeDays }, to) => noticeDays !== null && noticeDays <= to,
  access: ({ access }, text) => access.toLowerCase().includes(text.toLowerCase()),
  interestPaid: ({ interestPaid }, wanted) => interestPaid === wanted,
  newCustomersOnly: ({ newCustomersOnly }, wanted) => newCustomersOnly === wanted,
  licenceGroup: ({ providerSlug }, group) => (providerSlug === 'thornwick') === (group === 'two'),
  maxMinBalancePence: ({ minBalancePence }, to) => minBalancePence <= to,
  name: named,
  sourceKeys: ({ sourceKey }, keys) => keys.includes(sourceKey),
  payablePence: ({ maxMonthlyDepositPence }, amount) => maxMonthlyDepositPence === null || amount <= maxMonthlyDepositPence,
}

const isMatch = (product: Product, filters: ProductFilters): boolean =>
  Object.entries(filters).every(([name, value]) => {
    const isMeant = meanings[name as keyof Given] as (product: Product, value: unknown) => boolean
    return value === undefined || isMeant(product, value)
  })

const byKey = (a: Product, b: Product) => (a.sourceKey < b.sourceKey ? -1 : 1)
const orders: Readonly<Record<NumericSort | 'provider', (a: Product, b: Product) => number>> = {
  '-rate': (a, b) => b.rateBp - a.rateBp,
  rate: (a, b) => a.rateBp - b.rateBp,
  updatedAt: (a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt),
  '-updatedAt': (a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt),
  minBalance: (a, b) => a.minBalancePence - b.minBalancePence,
  '-minBalance': (a, b) => b.minBalancePence - a.minBalancePence,
  provider: (a, b) => a.provider.localeCompare(b.provider, 'en-GB'),
}

const expected = (products: readonly Product[], filters: ProductFilters, sort: NumericSort | 'provider') =>
  products.filter((product) => isMatch(product, filters)).sort((a, b) => orders[sort](a, b) || byKey(a, b))

const getKeys = (products: readonly Product[]) => products.map(({ sourceKey }) => sourceKey)

/** Reads all pages. `next` returns the market for each page. */
function readAll(next: () => MarketView, sort: NumericSort, filters: ProductFilters, limit: number): Product[] {
  const rows: Product[] = []
  for (let after: PageCursor<number> | null = null; ; ) {
    const page = next().products({ ...filters, sort, after, limit })
    rows.push(...page.rows.map(({ product }) => product))
    after = page.keys.at(-1) ?? null
    if (!page.more || after === null) return rows
  }
}

function readByProvider(next: () => MarketView, filters: ProductFilters, limit: number): Product[] {
  const rows: Product[] = []
  for (let after: PageCursor<string> | null = null; ; ) {
    const page = next().productsByProvider({ ...filters, after, limit })
    rows.push(...page.rows.map(({ product }) => product))
    after = page.keys.at(-1) ?? null
    if (!page.more || after === null) return rows
  }
}

describe('filters and sort', () => {
  test.each(numericSorts)('%s returns each matching product once, in order, for any page size', (sort) => {
    fc.assert(
      fc.property(anyProducts, anyFilters, fc.integer({ min: 1, max: 7 }), (products, filters, limit) => {
        const view = new MarketView({ products, providers, cards: [] })
        expect(getKeys(readAll(() => view, sort, filters, limit))).toEqual(getKeys(expected(products, filters, sort)))
      }),
    )
  })

  test('sorts by the name of the provider', () => {
    fc.assert(
      fc.property(anyProducts, anyFilters, fc.integer({ min: 1, max: 7 }), (products, filters, limit) => {
        const view = new MarketView({ products, providers, cards: [] })
        expect(getKeys(readByProvider(() => view, filters, limit))).toEqual(getKeys(expected(products, filters, 'provider')))
      }),
    )
  })

  test('returns the reference list of any filter sorted by key', () => {
    fc.assert(
      fc.property(anyProducts, anyFilters, (products, { amountPence: _, ...filters }) => {
        const view = new MarketView({ products, providers, cards: [] })
        expect(getKeys(view.referenceProducts(filters))).toEqual(getKeys(products.filter((product) => isMatch(product, filters)).sort(byKey)))
      }),
    )
  })

  test('ranks by rate among the matching products in every order', () => {
    fc.assert(
      fc.property(anyProducts, anyFilters, fc.constantFrom(...numericSorts), (products, filters, sort) => {
        const view = new MarketView({ products, providers, cards: [] })
        const all = expected(products, filters, '-rate')
        for (const { product, reasons } of view.products({ ...filters, sort, limit: 50 }).rows) {
          const better = all.filter(({ rateBp }) => rateBp > product.rateBp).length
          expect(reasons[0]).toMatch(all.length === 1 ? /^The only / : new RegExp(`^Ranks (?:joint )?${better + 1}(?:st|nd|rd|th) by rate of ${all.length} `))
        }
      }),
    )
  })
})

describe('a change during pagination', () => {
  /** Reads the list while every product's value is reversed after the first page. */
  function whileChanging(sort: NumericSort, change: (product: Product, index: number) => Partial<Product>, moves: (products: Product[]) => Partial<Moves>) {
    const before = Array.from({ length: 9 }, (_, index) =>
      makeProduct({ sourceKey: `k${index}`, rateBp: index, minBalancePence: index, updatedAt: `2026-11-0${index + 1}T06:00:00.000Z` }),
    )
    const after = before.map((product, index) => ({ ...product, ...change(product, index) }))
    const views = [
      new MarketView({ products: before, providers: [], cards: [] }),
      new MarketView({ products: after, providers: [], cards: [], moves: { ...noMoves, ...moves(before) } }),
    ]
    let page = 0
    const keys = getKeys(readAll(() => views[Math.min(page++, 1)] as MarketView, sort, { newCustomersOnly: false }, 4))
    return { keys, sorted: getKeys([...before].sort(orders[sort])) }
  }

  test.each(['rate', '-rate'] as const)('by %s returns every product once, in the order of the first page', (sort) => {
    const moves = (products: Product[]) => ({ products: products.map(({ sourceKey: key, rateBp: from }, index) => ({ seq: index + 1, key, from })) })
    const { keys, sorted } = whileChanging(sort, (_, index) => ({ rateBp: 8 - index }), moves)
    expect(keys).toEqual(sorted)
  })

  test.each(['minBalance', '-minBalance'] as const)('by %s returns every product once, in the order of the first page', (sort) => {
    const moves = (products: Product[]) => ({
      minBalances: products.map(({ sourceKey: key, minBalancePence: from }, index) => ({ seq: index + 1, key, from })),
    })
    const { keys, sorted } = whileChanging(sort, (_, index) => ({ minBalancePence: 8 - index }), moves)
    expect(keys).toEqual(sorted)
  })

  test.each(['updatedAt', '-updatedAt'] as const)('by %s never omits a product, and repeats only changed ones', (sort) => {
    const { keys, sorted } = whileChanging(
      sort,
      (product, index) => ({ updatedAt: index % 2 ? '2026-11-20T06:00:00.000Z' : product.updatedAt }),
      () => ({}),
    )
    expect(new Set(keys)).toEqual(new Set(sorted))
    const repeated = keys.filter((key, at) => keys.indexOf(key) !== at)
    for (const key of repeated) expect(Number(key.slice(1)) % 2).toBe(1)
  })

  test('by -updatedAt, a cursor older than the recorded changes continues in the current order, as with every other sort', () => {
    const products = (changed: string) =>
      [1, 2, 3].map((day) => makeProduct({ sourceKey: `k${day}`, updatedAt: day === 1 ? changed : `2026-11-0${day}T06:00:00.000Z` }))
    const getView = (changed: string, sinceMs: number) =>
      new MarketView({ products: products(changed), providers: [], cards: [], moves: { ...noMoves, sinceMs } })
    const first = getView('2026-11-01T06:00:00.000Z', 0).products({ sort: '-updatedAt', limit: 1 })
    const continueAt = (sinceMs: number) =>
      getView('2026-11-20T06:00:00.000Z', sinceMs)
        .products({ sort: '-updatedAt', limit: 9, after: first.keys[0] ?? null })
        .rows.map(({ product }) => product.sourceKey)
    expect(continueAt(Date.parse('2026-11-19T00:00:00Z'))).toEqual(['k2', 'k1'])
    expect(continueAt(Date.parse('2026-11-21T00:00:00Z'))).toEqual(['k2'])
  })
})
