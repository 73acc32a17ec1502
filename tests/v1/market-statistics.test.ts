import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { configChanged } from './support/operator.ts'

const publicStatistics = ['/market/boe-rate', '/market/ecb-rate', '/market/inflation', '/cards/travel/fx-history', '/fx/rates'] as const
const figures = ['/market/overview', '/market/averages', '/market/category-stats', '/market/card-stats', '/market/hero-stats'] as const

onEachMount((fixture) => {
  verifies('decision/statistics-true-for-test-keys', async () => {
    const { key, account } = await fixture.live({ credits: 1_000 })
    // Opens these endpoints to live keys for this test, so that both kinds of key can be compared.
    await fixture.sql(
      `INSERT INTO endpoint_override SELECT unnest(ARRAY['market.boe-rate', 'market.ecb-rate', 'market.inflation', 'cards.fx-history']), 'open'`,
    )
    await configChanged(fixture)
    try {
      const test = await fixture.getKey(account, { mode: 'test' })
      for (const path of publicStatistics) {
        const [live, sample] = [await fixture.get(path, key), await fixture.get(path, test.key)]
        expect([path, live.status, sample.status]).toEqual([path, 200, 200])
        expect(sample.body.data, path).toEqual(live.body.data)
        expect([live.body.meta.sample, sample.body.meta.sample]).toEqual([false, true])
      }
    } finally {
      await fixture.sql('DELETE FROM endpoint_override')
      await configChanged(fixture)
    }
  })

  verifies(['market/overview', 'market/hero-stats', 'logos/on-market-overview'], 'returns the sample market for a test key', async () => {
    const { key } = await fixture.test()
    const overview = (await fixture.get('/market/overview', key)).body.data
    const hero = (await fixture.get('/market/hero-stats', key)).body.data
    const best = (await fixture.get('/rates?limit=1', key)).body.data[0]
    expect(overview).toMatchObject({ productCount: 40, providerCount: 10, bankRate: '3.75', cpi: '3.10' })
    expect(overview.topProviders[0]).toMatchObject({ slug: best.providerSlug, name: best.provider, logoUrl: best.providerLogoUrl, bestRate: best.rate })
    for (const { slug, logoUrl } of overview.topProviders) {
      if (logoUrl !== null) expect(logoUrl).toBe(`https://api.example.test/logos/sample/${slug}.svg`)
    }
    expect(overview.topProviders.some(({ logoUrl }: { logoUrl: string | null }) => logoUrl !== null)).toBe(true)
    expect(hero).toMatchObject({ productsTracked: 40, providersTracked: 10, topRate: best.rate, topRateProvider: best.provider, asOf: overview.asOf })
    expect(overview.asOf).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  verifies(['market/averages', 'market/category-stats', 'market/card-stats'], 'returns statistics that match the products and cards in the lists', async () => {
    const { key } = await fixture.test()
    const products = (await fixture.get('/reference/products', key)).body.data
    const cards = (await fixture.get('/reference/cards', key)).body.data as { list: string }[]
    const sum = (rows: { productCount: number }[]) => rows.reduce((total, row) => total + row.productCount, 0)
    const averages = (await fixture.get('/market/averages?limit=50', key)).body
    expect([sum(averages.data), averages.meta.nextCursor]).toEqual([products.length, null])
    expect(sum((await fixture.get('/market/category-stats', key)).body.data)).toBe(products.length)
    const stats = (await fixture.get('/market/card-stats?fields=category,cardCount', key)).body.data
    expect(stats).toEqual(['rewards', 'travel'].map((list) => ({ category: list, cardCount: cards.filter((card) => card.list === list).length })))
  })

  verifies(
    ['catalogue/get-market-overview', 'catalogue/get-market-averages', 'catalogue/get-market-category-stats'],
    'rejects live keys without a charge',
    async () => {
      const { key, account } = await fixture.live({ credits: 50 })
      for (const path of figures) expectError(await fixture.get(path, key), 403, 'endpoint_restricted')
      expect(await fixture.balance(account)).toBe(50)
    },
  )
})
