import { expect, test } from 'vitest'
import { type Feed, importFeed } from '#server/market/import/import-feed.ts'
import { seedMarket } from '#server/market/seed.ts'
import { type Line, ndjson, product, provider, switchOffer } from '../feeds.ts'
import { marketDatabase } from '../market-database.ts'
import { checkHistory, eventsFor, storedChanges, storedEvents } from './stored-history.ts'

const market = marketDatabase()

const take = (lines: Line[], options: Partial<Feed> = {}) =>
  importFeed(market.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', ...options })

const rates = (rate: string, baseRate: string, boostRate: string | null = null, boostDuration = boostRate && '12 months') => ({
  rate,
  baseRate,
  boostRate,
  boostDuration,
})
const plain = (rate: string) => rates(rate, rate)

/** Returns the last `count` changes as text, such as `a up 400>425`. */
async function described(count: number): Promise<string[]> {
  const changes = await storedChanges(market.pool)
  return changes.slice(-count).map((c) => `${c.source_key} ${c.direction} ${c.previous_rate_bp ?? '-'}>${c.rate_bp ?? '-'}`)
}

async function checkAll(): Promise<void> {
  await checkHistory(market.pool)
  const changes = (await storedChanges(market.pool)).toSorted((a, b) => Number(a.seq) - Number(b.seq))
  const events = (await storedEvents(market.pool)).filter(({ type }) => type !== 'switch_offer.changed')
  expect(events.map(({ seq, type, subject, change }) => ({ seq, type, subject, change }))).toEqual(eventsFor(changes))
}

test('writes history and events for launches, rises, cuts, withdrawals and returns', async () => {
  await take([provider('harrow')])
  await take([product('a', plain('4.00')), product('b', plain('3.00'))])
  expect(await described(2)).toEqual(['a launched ->400', 'b launched ->300'])
  await take([product('a', plain('4.25')), product('b', plain('2.90'))])
  expect(await described(2)).toEqual(['a up 400>425', 'b down 300>290'])
  await take([product('a', plain('4.25'))])
  expect(await described(1)).toEqual(['b withdrawn 290>-'])
  await take([product('a', plain('4.25')), product('b', plain('3.10'))])
  expect(await described(1)).toEqual(['b launched ->310'])
  await checkAll()
  const types = (await storedEvents(market.pool)).map(({ type, subject }) => `${type} ${subject}`)
  expect(types.slice(2)).toEqual(['rate.changed a', 'rate.changed b', 'product.withdrawn b', 'product.added b'])
})

test('records a shift between base rate and bonus, or a new bonus duration, as a change that is not a rise', async () => {
  await take([provider('harrow')])
  await take([product('a', plain('4.50'))])
  await take([product('a', rates('4.50', '3.25', '1.25'))])
  await take([product('a', rates('4.50', '3.25', '1.25', '6 months'))])
  await take([product('a', rates('4.00', '2.75', '1.25', '6 months'))])
  expect(await described(3)).toEqual(['a unchanged 450>450', 'a unchanged 450>450', 'a down 450>400'])
  const changes = await storedChanges(market.pool)
  expect(changes.map((c) => [c.base_rate_bp, c.boost_rate_bp, c.boost_duration])).toEqual([
    [450, 0, null],
    [325, 125, '12 months'],
    [325, 125, '6 months'],
    [275, 125, '6 months'],
  ])
  await checkAll()
})

test('writes no history for a new name, balance or URL check', async () => {
  await take([provider('harrow')])
  await take([product('a')])
  const before = await storedChanges(market.pool)
  await take([product('a', { accountName: 'Another Saver', minBalance: '500.00' })])
  await take([product('a', { accountName: 'Another Saver', minBalance: '500.00', urlCheckedAt: '2026-11-21T06:00:00Z' })])
  await take([provider('harrow', { name: 'Another Bank' })])
  expect(await storedChanges(market.pool)).toEqual(before)
  expect(await storedEvents(market.pool)).toHaveLength(1)
})

test('withdraws the products of an inactive provider, and restores them with their current rates', async () => {
  await take([provider('harrow'), provider('kestrel')])
  await take([product('a', plain('4.00')), product('k', { ...plain('3.00'), providerSlug: 'kestrel' })])
  await take([provider('harrow')])
  expect(await described(1)).toEqual(['k withdrawn 300>-'])
  await take([product('a', plain('4.00')), product('k', { ...plain('3.50'), providerSlug: 'kestrel' })])
  expect(await described(1)).toEqual(['k withdrawn 300>-'])
  await take([provider('harrow'), provider('kestrel')])
  expect(await described(1)).toEqual(['k launched ->350'])
  await checkAll()
})

test('records a move to another type or provider as a withdrawal and a launch', async () => {
  await take([provider('harrow'), provider('kestrel')])
  await take([product('a', plain('4.00'))])
  await take([product('a', { ...plain('4.00'), accountType: 'cash-isa' })])
  expect(await described(2)).toEqual(['a withdrawn 400>-', 'a launched ->400'])
  await take([product('a', { ...plain('4.10'), accountType: 'cash-isa', providerSlug: 'kestrel' })])
  const changes = await storedChanges(market.pool)
  expect(changes.map((c) => `${c.direction} ${c.provider_slug} ${c.account_type}`)).toEqual([
    'launched harrow easy-access',
    'withdrawn harrow easy-access',
    'launched harrow cash-isa',
    'withdrawn harrow cash-isa',
    'launched kestrel cash-isa',
  ])
  await checkAll()
  const events = await storedEvents(market.pool)
  expect(events[1]?.data).toMatchObject({ provider_slug: 'harrow', account_type: 'easy-access', rate_bp: 400 })
  expect(events.at(-1)?.data).toMatchObject({ provider_slug: 'kestrel', account_type: 'cash-isa', rate_bp: 410 })
})

test('stores the whole changed row in the event', async () => {
  await take([provider('harrow')])
  await take([product('a', plain('4.00'))])
  await take([product('a', plain('4.25'))])
  await take([switchOffer('s', { bonusAmount: '150.00' })])
  await take([switchOffer('s', { bonusAmount: '175.00' })])
  await take([switchOffer('t')])
  const events = await storedEvents(market.pool)
  const [history] = (await market.pool.query(`SELECT to_jsonb(r) AS row FROM rate_change r WHERE direction = 'up'`)).rows
  expect(events.find(({ type }) => type === 'rate.changed')).toMatchObject({ change: 25, data: history.row })
  expect(events[0]?.data).toMatchObject({ source_key: 'a', rate_bp: 400, url: product('a')['url'] })
  const offers = events.filter(({ type }) => type === 'switch_offer.changed')
  expect(offers.map(({ subject, data }) => [subject, data['bonus_pence'], data['withdrawn_at'] === null])).toEqual([
    ['s', 15_000, true],
    ['s', 17_500, true],
    ['s', 17_500, false],
    ['t', 17_500, true],
  ])
})

test('writes no history or events for a repeated feed, a dry run or a rejected feed', async () => {
  await take([provider('harrow')])
  const lines = [product('a'), product('b')]
  await take(lines)
  const before = [await storedChanges(market.pool), await storedEvents(market.pool)]
  await take(lines)
  await take(lines.toReversed())
  await take([product('a', plain('1.00'))], { dryRun: true })
  await expect(take([product('a', plain('1.00')), product('b', { rate: 'x' })])).rejects.toThrow('1 invalid line')
  expect([await storedChanges(market.pool), await storedEvents(market.pool)]).toEqual(before)
})

test('writes no events for an import with --quiet or for the seed', async () => {
  await take([provider('harrow')])
  await take([product('a', plain('4.00'))], { quiet: true })
  await take([switchOffer('s')], { quiet: true })
  expect(await storedEvents(market.pool)).toEqual([])
  await checkHistory(market.pool)
  await seedMarket(market.pool, { log: { info: () => undefined } })
  expect(await storedEvents(market.pool, 'sample')).toEqual([])
  await checkHistory(market.pool, 'sample')
  expect((await storedChanges(market.pool, 'sample')).length).toBeGreaterThan(300)
})

test('rejects updates and deletions of history', async () => {
  await take([provider('harrow')])
  await take([product('a', plain('4.00'))])
  await take([product('a', plain('4.25'))])
  await expect(market.pool.query('UPDATE rate_change SET rate_bp = 1, base_rate_bp = 1')).rejects.toThrow('is append-only')
  await expect(market.pool.query('DELETE FROM rate_change')).rejects.toThrow('is append-only')
  const twisted = `INSERT INTO rate_change (dataset, source_key, provider_slug, account_name, account_type, direction, rate_bp, base_rate_bp, boost_rate_bp, effective_date, detected_at)
    VALUES ('live', 'a', 'harrow', 'x', 'easy-access', $1, $2, $3, $4, '2026-01-01', now())`
  await expect(market.pool.query(twisted, ['up', 400, 400, 0])).rejects.toThrow('rate_change_direction')
  await expect(market.pool.query(twisted, ['launched', 400, 300, 0])).rejects.toThrow('rate_change_rate_is_base_plus_boost')
  await expect(market.pool.query(twisted, ['launched', 400, 300, 100])).rejects.toThrow('rate_change_rate_is_base_plus_boost')
})
