import { expect, test } from 'vitest'
import { generateMarket } from '#server/market/generate/generate-market.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { seedMarket } from '#server/market/seed.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { ndjson, provider, switchOffer } from './feeds.ts'
import { marketDatabase, readRows } from './market-database.ts'

const market = marketDatabase()

const quiet = { info: () => undefined }
const seed = () => seedMarket(market.pool, { log: quiet })

/** Seeds the demonstration market like a release that had no offers: providers without reviews, products, and cards without terms. */
async function seedOldRelease(): Promise<void> {
  await market.pool.query('ALTER TABLE card DROP CONSTRAINT IF EXISTS card_has_terms')
  const [providers, products] = generateMarket({ products: 1500, days: 730, seed: 2026 })
  const old = (providers?.text ?? '').replaceAll(/"trustScore":.*?\}/g, '"trustScore":null}')
  await importFeed(market.pool, { source: old, fileName: 'providers.ndjson', dataset: 'live', isSeed: true })
  await importFeed(market.pool, { source: products?.text ?? '', fileName: 'products.ndjson', dataset: 'live', isSeed: true })
  await market.pool.query(
    `INSERT INTO card (dataset, source_key, list, name, provider_name, updated_at)
     VALUES ('live', 'barleymarch-points-credit-card', 'rewards', 'Barleymarch Points Credit Card', 'Barleymarch', now()),
            ('live', 'long-gone-card', 'travel', 'Long Gone Card', 'Barleymarch', now())`,
  )
}

test('adds offers, terms and surveys to an older database once, on the next start', async () => {
  await seedOldRelease()
  const before = (await loadSnapshot(market.pool)).dataset('live')
  expect([before.cards().length, before.rewardCards().length, before.switchOffers().length]).toEqual([2, 0, 0])
  await seed()
  const live = (await loadSnapshot(market.pool)).dataset('live')
  expect([live.cards().length, live.rewardCards().length, live.travelCards().length]).toEqual([28, 14, 14])
  expect([live.switchOffers().length, live.accountOffers().length]).toEqual([20, 23])
  expect(live.serviceQuality('cobbleshore').map(({ region }) => region)).toContain('GB')
  expect(live.providers().some(({ trust }) => trust !== undefined)).toBe(true)
  expect(live.card('long-gone-card')).toBeUndefined()
  const rows = await readRows(market.pool)
  await seed()
  expect(await readRows(market.pool)).toEqual(rows)
})

test('does not touch a dataset that an operator has changed, even if the release adds kinds of feeds', async () => {
  await seedOldRelease()
  await importFeed(market.pool, { source: ndjson(provider('own')), fileName: 'own.ndjson', dataset: 'live', partial: true })
  await seed()
  const { dataset } = await loadSnapshot(market.pool)
  expect(dataset('live').switchOffers()).toEqual([])
  expect(dataset('live').rewardCards()).toEqual([])
  expect(dataset('sample').switchOffers()).toHaveLength(5)
})

test('still updates a dataset after an import that changed nothing', async () => {
  await seedOldRelease()
  const [, products] = generateMarket({ products: 1500, days: 730, seed: 2026 })
  expect(await importFeed(market.pool, { source: `\n${products?.text}`, fileName: 'products.ndjson', dataset: 'live' })).toMatchObject({ unchanged: 1500 })
  await importFeed(market.pool, { source: ndjson(switchOffer('a', { providerSlug: null })), fileName: 'x.ndjson', dataset: 'live', dryRun: true })
  await seed()
  expect((await loadSnapshot(market.pool)).dataset('live').switchOffers()).toHaveLength(20)
})

test('dates seeded products by their last change in history', async () => {
  await seed()
  const changes = await market.pool.query<{ key: string; at: Date }>(
    `SELECT source_key AS key, max(detected_at) AS at FROM rate_change WHERE dataset = 'live' GROUP BY source_key`,
  )
  const lastChange = new Map(changes.rows.map(({ key, at }) => [key, at.toISOString()]))
  const { rows } = (await loadSnapshot(market.pool)).dataset('live').products({ limit: 1500 })
  expect(rows).toHaveLength(1500)
  for (const { product } of rows) expect([product.sourceKey, product.updatedAt]).toEqual([product.sourceKey, lastChange.get(product.sourceKey)])
})

test('keeps the time of a change that an upgrade made to a seeded product', async () => {
  const [providers, products] = generateMarket({ products: 1500, days: 730, seed: 2026 })
  const [first = ''] = products?.text.split('\n') ?? []
  const { sourceKey, minBalance } = JSON.parse(first) as { sourceKey: string; minBalance: string }
  const old = (products?.text ?? '').replace(`"minBalance":"${minBalance}"`, '"minBalance":"2.00"')
  await importFeed(market.pool, { source: providers?.text ?? '', fileName: 'providers.ndjson', dataset: 'live', isSeed: true })
  await importFeed(market.pool, { source: old, fileName: 'products.ndjson', dataset: 'live', isSeed: true })
  const before = new Date().toISOString()
  await seed()
  const live = (await loadSnapshot(market.pool)).dataset('live')
  expect((live.product(sourceKey)?.product.updatedAt ?? '') >= before).toBe(true)
  const others = live.products({ limit: 1500 }).rows.filter(({ product }) => product.sourceKey !== sourceKey)
  expect(others.every(({ product }) => product.updatedAt < before)).toBe(true)
})
