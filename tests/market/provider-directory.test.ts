import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PageCursor } from '#server/market/keyset-pager.ts'
import { MarketView } from '#server/market/market-view.ts'
import type { Provider } from '#server/market/provider.ts'
import { makeProduct } from './make-product.ts'
import { makeProvider } from './make-provider.ts'

const view = (providers: readonly Provider[], products: Parameters<typeof makeProduct>[0][] = []) =>
  new MarketView({ providers, products: products.map(makeProduct), cards: [] })

const names = new Intl.Collator('en-GB')
const byName = (a: Provider, b: Provider) => names.compare(a.name, b.name) || (a.slug < b.slug ? -1 : 1)

const anyProviders = fc
  .uniqueArray(fc.record({ slug: fc.stringMatching(/^[a-z0-9]{1,4}$/), name: fc.constantFrom('Éclair', 'Eclair', 'eclair bank', 'Zoë', 'a b', 'A', 'ß') }), {
    selector: ({ slug }) => slug,
    maxLength: 30,
  })
  .map((rows) => rows.map(makeProvider))

test('returns every provider exactly once, sorted by name, even if one is removed between pages', () => {
  fc.assert(
    fc.property(anyProviders, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 29 }), (providers, limit, gone) => {
      const lost = providers[gone]?.slug
      const seen: string[] = []
      for (let after: PageCursor<string> | null = null, more = true; more; ) {
        const page = view(after === null ? providers : providers.filter(({ slug }) => slug !== lost)).directory(after, limit)
        seen.push(...page.rows.map(({ slug }) => slug))
        more = page.more
        after = page.keys.at(-1) ?? after
        if (after === null) break
      }
      const throughout = providers.toSorted(byName).map(({ slug }) => slug)
      expect(seen.filter((slug) => slug !== lost)).toEqual(throughout.filter((slug) => slug !== lost))
      expect(new Set(seen).size).toBe(seen.length)
    }),
  )
})

test("summarises a provider's products, and lists the brands on its licence", () => {
  const market = view(
    [
      makeProvider({ slug: 'a', name: 'A', licenceGroup: 'one' }),
      makeProvider({ slug: 'b', name: 'B', licenceGroup: 'one' }),
      makeProvider({ slug: 'c', name: 'C' }),
    ],
    [
      { sourceKey: '1', providerSlug: 'a', rateBp: 400, accountType: 'notice' },
      { sourceKey: '2', providerSlug: 'a', rateBp: 450 },
      { sourceKey: '3', providerSlug: 'b', rateBp: 0 },
    ],
  )
  expect(market.provider('a')).toMatchObject({ productCount: 2, topRateBp: 450, accountTypes: ['easy-access', 'notice'], sharesLicenceWith: ['b'] })
  expect(market.provider('b')).toMatchObject({ productCount: 1, topRateBp: 0, sharesLicenceWith: ['a'] })
  expect(market.provider('c')).toMatchObject({ productCount: 0, topRateBp: null, accountTypes: [], sharesLicenceWith: [] })
})
