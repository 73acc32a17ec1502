import { expect, test } from 'vitest'
import { listRates } from '#server/api/endpoints/rates/list-rates.endpoint.ts'
import type { SavingsProduct } from '#server/api/endpoints/rates/savings-product.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { type Line, ndjson, product, provider } from './feeds.ts'
import { marketDatabase } from './market-database.ts'
import { getContext } from './read-endpoint.ts'

const market = marketDatabase()

const save = (...lines: Line[]) => importFeed(market.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', partial: true, confirm: true })

type Page = { readonly rows: readonly SavingsProduct[]; readonly more: boolean; readonly keys: readonly string[] }

/** Reads the list sorted by provider, one product per page, each page from the current market. */
async function readByProvider(between: readonly (() => Promise<unknown>)[] = []): Promise<string[]> {
  const given: string[] = []
  for (let after: string | null = null; ; ) {
    const context = getContext((await loadSnapshot(market.pool)).dataset('live'))
    const page = (await listRates.read({ sort: 'provider' }, { limit: 1, after }, context)) as Page
    given.push(...page.rows.map(({ sourceKey, provider: name }) => `${sourceKey} ${name}`))
    if (!page.more) return given
    after = page.keys[0] ?? ''
    await between[given.length - 1]?.()
  }
}

const at = (sourceKey: string, providerSlug: string) => product(sourceKey, { providerSlug })

test('sorted by provider, a product that changes its provider is returned once, under its current provider', async () => {
  await save(...['ash', 'birch', 'cedar', 'dogwood'].map((slug) => provider(slug)))
  await save(at('p1', 'ash'), at('p2', 'birch'), at('p3', 'cedar'), at('p4', 'dogwood'))
  const given = await readByProvider([
    // p4 moves to before the next page, and p1, which was already returned, to after it.
    () => save(at('p4', 'ash'), at('p1', 'dogwood')),
    // Renaming a provider also moves products that it took over, which keep the place they had at their previous provider.
    () => save(provider('ash', { name: 'Zelkova Bank' })),
    () => save(at('p4', 'birch')),
  ])
  expect(given).toEqual(['p1 ash Bank', 'p2 birch Bank', 'p3 cedar Bank', 'p4 birch Bank'])
  expect(await readByProvider()).toEqual(['p2 birch Bank', 'p4 birch Bank', 'p3 cedar Bank', 'p1 dogwood Bank'])
})

test('sorted by provider, a product keeps the place it had under an earlier name of its earlier provider', async () => {
  await save(...['ash', 'birch', 'cedar'].map((slug) => provider(slug)))
  await save(at('p1', 'ash'), at('p2', 'birch'), at('p3', 'cedar'))
  const given = await readByProvider([
    async () => {
      await save(provider('cedar', { name: 'Acer Bank' }))
      await save(at('p3', 'birch'))
      await save(provider('birch', { name: 'A Birch Bank' }))
    },
  ])
  expect(given).toEqual(['p1 ash Bank', 'p2 A Birch Bank', 'p3 A Birch Bank'])
})

test('records the moves of a whole feed, and removes moves older than any valid cursor', async () => {
  await save(provider('ash'), provider('birch'))
  const products = (slug: string, minBalance: string) => Array.from({ length: 30 }, (_, index) => product(`p${index}`, { providerSlug: slug, minBalance }))
  await save(...products('ash', '1.00'))
  await market.pool.query(`INSERT INTO moved_row (dataset, list, key, previous_place, at) VALUES ('live', 'product', 'old', '1', now() - interval '73 hours')`)
  await save(...products('birch', '1.00'))
  await save(...products('birch', '2.00'))
  const { rows } = await market.pool.query<{ list: string; place: string; count: number }>(
    'SELECT list, previous_place AS place, count(DISTINCT key)::int AS count FROM moved_row GROUP BY 1, 2 ORDER BY 1',
  )
  expect(rows).toEqual([
    { list: 'product', place: '100', count: 30 },
    { list: 'product_provider', place: 'ash ash Bank', count: 30 },
  ])
})
