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
