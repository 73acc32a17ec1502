import { expect, test } from 'vitest'
import { GuardError } from '#server/market/import/guard.ts'
import { type Feed, importFeed } from '#server/market/import/import-feed.ts'
import { card, type Line, ndjson, product, provider } from '../feeds.ts'
import { marketDatabase, readRows, readVersions } from '../market-database.ts'
import { checkHistory, storedChanges, storedEvents } from './stored-history.ts'

const market = marketDatabase()

const take = (lines: Line[], options: Partial<Feed> = {}) =>
  importFeed(market.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', ...options })

const products = (count: number, facts: (index: number) => Line = () => ({})) => Array.from({ length: count }, (_, index) => product(`p${index}`, facts(index)))
const dearer = { rate: '4.60', baseRate: '3.35' }

const everything = async () => [await readRows(market.pool), await readVersions(market.pool), await storedChanges(market.pool), await storedEvents(market.pool)]

async function open(count: number): Promise<void> {
  await take([provider('harrow'), provider('kestrel')])
  await take(products(count))
}

test('stops a feed that would withdraw more than a fifth of the products, unless confirmed', async () => {
  await open(60)
  const before = await everything()
  const error = await take(products(47)).catch((fault: unknown) => fault)
  expect(error).toBeInstanceOf(GuardError)
  expect(String(error)).toContain('The feed would withdraw 13 of 60 products (21.67%); more than 20% at once requires confirmation.')
  expect(String(error)).toContain('--confirm')
  expect(await everything()).toEqual(before)
  expect(await take(products(48))).toMatchObject({ withdrawn: 12, needsConfirmation: [] })
  const confirmed = await take(products(20), { confirm: true })
  expect(confirmed).toMatchObject({ withdrawn: 28 })
  expect(confirmed.needsConfirmation).toHaveLength(1)
  await checkHistory(market.pool)
})

test('stops a feed that would change more than two fifths of the rates', async () => {
  await open(60)
  const before = await everything()
  const change = (count: number) => products(60, (index) => (index < count ? dearer : {}))
  await expect(take(change(25))).rejects.toThrow('The feed would change the rate of 25 of 60 products (41.67%); more than 40% at once')
  expect(await everything()).toEqual(before)
  expect(await take(change(24))).toMatchObject({ changed: 24 })
  await checkHistory(market.pool)
})

test('always allows fewer than 10 withdrawals and fewer than 20 rate changes', async () => {
  await open(20)
  expect(await take(products(11))).toMatchObject({ withdrawn: 9 })
  expect(await take(products(11, () => dearer))).toMatchObject({ changed: 11 })
})

test('a dry run reports that the guard would stop the feed, and changes nothing', async () => {
  await open(60)
  const before = await everything()
  const report = await take(products(10), { dryRun: true })
  expect(report).toMatchObject({ withdrawn: 50, needsConfirmation: [expect.stringContaining('The feed would withdraw 50 of 60 products')] })
  expect(await everything()).toEqual(before)
})

test('ignores changes to fields other than the rate, and never stops partial feeds or the seed', async () => {
  await open(60)
  expect(await take(products(60, () => ({ accountName: 'Renamed' })))).toMatchObject({ changed: 60, needsConfirmation: [] })
  expect(
    await take(
      products(5, () => ({ accountName: 'Again' })),
      { partial: true },
    ),
  ).toMatchObject({ changed: 5, withdrawn: 0 })
  expect(
    await take(
      products(5, () => dearer),
      { isSeed: true },
    ),
  ).toMatchObject({ withdrawn: 55 })
})

test('stops a feed that withdraws many cards, or providers with many products', async () => {
  await open(60)
  await expect(take([provider('kestrel')])).rejects.toThrow('The feed would withdraw 60 of 60 products (100.00%)')
  await checkHistory(market.pool)
  const cards = Array.from({ length: 30 }, (_, index) => card(`c${index}`))
  await take(cards)
  await expect(take(cards.slice(10))).rejects.toThrow('The feed would withdraw 10 of 30 cards (33.33%)')
})
