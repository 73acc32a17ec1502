import { beforeEach, expect, test } from 'vitest'
import { FeedError } from '#server/market/import/feed-faults.ts'
import { type Feed, importFeed } from '#server/market/import/import-feed.ts'
import { type Line, ndjson, product, provider } from '../feeds.ts'
import { marketDatabase, readVersions } from '../market-database.ts'
import { checkHistory, storedChanges, storedEvents } from './stored-history.ts'

const market = marketDatabase()

const take = (lines: Line[], options: Partial<Feed> = {}) =>
  importFeed(market.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', ...options })

const plain = (rate: string) => ({ rate, baseRate: rate, boostRate: null, boostDuration: null })

/** Builds a record of a history feed. A null rate means a withdrawal. */
const past = (sourceKey: string, effectiveDate: string, rate: string | null, facts: Line = {}): Line => ({
  kind: 'rate_history',
  sourceKey,
  effectiveDate,
  ...(rate === null ? { withdrawn: true } : { rate }),
  ...facts,
})

const former = { providerSlug: 'harrow', accountName: 'Former Saver', accountType: 'easy-access' }

async function described(): Promise<string[]> {
  const changes = await storedChanges(market.pool)
  return changes.map((c) => `${c.source_key} ${c.effective_date} ${c.direction} ${c.rate_bp ?? '-'}`)
}

async function getFaults(lines: Line[]) {
  const [changes, versions] = [await storedChanges(market.pool), await readVersions(market.pool)]
  const error = await take(lines).catch((fault: unknown) => fault)
  if (!(error instanceof FeedError)) throw new Error(`The feed was not rejected: ${String(error)}`)
  expect([await storedChanges(market.pool), await readVersions(market.pool)]).toEqual([changes, versions])
  return error.faults.map(({ line, field, problem }) => `${line} ${field} ${problem}`)
}

/** Imports two products, neither of which has been listed before. */
beforeEach(async () => {
  await take([provider('harrow')])
  await take([product('a', plain('4.50')), product('b', plain('3.00'))])
})

test('replaces the launch row with past changes that lead to the current listing', async () => {
  const report = await take([past('a', '2026-01-05', '4.00'), past('a', '2026-03-02', '4.25'), past('a', '2026-06-01', '4.50')])
  expect(report).toMatchObject({ kind: 'rate_history', rows: 3, added: 3, replaced: 1, withdrawn: 0, changed: 0, unchanged: 0 })
  expect((await described()).filter((row) => row.startsWith('a '))).toEqual(['a 2026-01-05 launched 400', 'a 2026-03-02 up 425', 'a 2026-06-01 up 450'])
  await checkHistory(market.pool)
  expect((await storedEvents(market.pool)).map(({ type }) => type)).toEqual(['product.added', 'product.added'])
})

test('importing all or part of a feed again, in any order, changes nothing', async () => {
  const lines = [past('a', '2026-01-05', '4.00'), past('a', '2026-03-02', '4.50'), past('b', '2026-02-02', '2.50'), past('b', '2026-02-03', '3.00')]
  await take(lines)
  const [changes, versions] = [await storedChanges(market.pool), await readVersions(market.pool)]
  for (const again of [lines, lines.toReversed(), lines.slice(0, 1), lines.slice(2)]) {
    expect(await take(again)).toMatchObject({ added: 0, replaced: 0, unchanged: again.length })
  }
  expect([await storedChanges(market.pool), await readVersions(market.pool)]).toEqual([changes, versions])
})

test('inserts older changes before stored ones, and turns the former launch into a rate change', async () => {
  await take([past('a', '2026-01-05', '4.00'), past('a', '2026-03-02', '4.50')])
  const ids = (await storedChanges(market.pool)).map(({ seq }) => seq)
  const older = [past('a', '2025-01-06', '3.75'), past('a', '2025-07-07', '3.90')]
  expect(await getFaults(older)).toEqual(["2 rate is 3.90%, but the product's recorded history starts at 4.00%; the last change before it must set that rate"])
  expect(await take([...older, past('a', '2026-01-05', '4.00')])).toMatchObject({ added: 2, replaced: 1, unchanged: 1 })
  expect((await described()).filter((row) => row.startsWith('a '))).toEqual([
    'a 2025-01-06 launched 375',
    'a 2025-07-07 up 390',
    'a 2026-01-05 up 400',
    'a 2026-03-02 up 450',
  ])
  await checkHistory(market.pool)
  expect((await storedChanges(market.pool)).map(({ seq }) => seq)).toEqual(expect.arrayContaining(ids))
})

test('links each row to the previous one after the original launch row is replaced', async () => {
  await take([product('a', plain('4.75')), product('b', plain('3.00'))])
  await take([past('a', '2026-01-05', '4.00'), past('a', '2026-03-02', '4.50')])
  const changes = (await storedChanges(market.pool)).filter(({ source_key }) => source_key === 'a')
  expect(changes.map((c) => [c.direction, c.previous_effective_date])).toEqual([
    ['launched', null],
    ['up', '2026-01-05'],
    ['up', '2026-03-02'],
  ])
  await checkHistory(market.pool)
})

test('imports bonuses, withdrawals and returns, and orders two changes on one day by detection time', async () => {
  const bonus = { rate: '4.50', baseRate: '3.25', boostRate: '1.25', boostDuration: '12 months' }
  await take([
    past('a', '2026-01-05', '4.50', bonus),
    past('a', '2026-02-02', null),
    past('a', '2026-05-04', '4.60', { detectedAt: '2026-05-04T15:00:00Z' }),
    past('a', '2026-05-04', '4.40', { detectedAt: '2026-05-04T06:00:00Z' }),
    past('a', '2026-06-01', '4.50'),
  ])
  expect((await described()).filter((row) => row.startsWith('a '))).toEqual([
    'a 2026-01-05 launched 450',
    'a 2026-02-02 withdrawn -',
    'a 2026-05-04 launched 440',
    'a 2026-05-04 up 460',
    'a 2026-06-01 down 450',
  ])
  await checkHistory(market.pool)
})

test('requires provider, name and type for a former product, and a withdrawal as its last change', async () => {
  const lines = [past('gone', '2025-01-06', '3.00', former), past('gone', '2025-09-01', null, former)]
  await take(lines)
  await checkHistory(market.pool)
  expect(await take(lines)).toMatchObject({ added: 0, unchanged: 2 })
  expect((await storedChanges(market.pool))[0]).toMatchObject({ provider_slug: 'harrow', account_name: 'Former Saver', account_type: 'easy-access' })
  expect(await getFaults([past('x', '2025-01-06', '3.00', former)])).toEqual([
    '1 rate is 3.00%, but the dataset does not list the product; the last change must match the current listing',
  ])
})

test('reads the same changes from CSV as from NDJSON', async () => {
  const source =
    'sourceKey,effectiveDate,rate,baseRate,boostRate,boostDuration,withdrawn\na,2026-01-05,4.00,3.00,1.00,12 months,\na,2026-02-02,,,,,true\na,2026-03-02,4.50,,,,\n'
  expect(await take([], { source, fileName: 'rate-history.csv' })).toMatchObject({ kind: 'rate_history', format: 'csv', added: 3 })
  await checkHistory(market.pool)
})

test.each<[string, Line[], string[]]>([
  [
    'changes that lead to a different rate',
    [past('a', '2026-01-05', '4.00'), past('a', '2026-03-02', '4.40')],
    ["2 rate is 4.40%, but the product's recorded history starts at 4.50%; the last change before it must set that rate"],
  ],
  [
    'changes that lead to a different bonus',
    [past('a', '2026-01-05', '4.50', { baseRate: '4.00', boostRate: '0.50', boostDuration: '12 months' })],
    [
      "1 rate is 4.50%, as at the start of the product's recorded history, but the base rate or bonus differs; the last change before it must set the same terms",
    ],
  ],
  [
    'withdrawal of a listed product',
    [past('a', '2026-01-05', '4.50'), past('a', '2026-03-02', null)],
    ["2 withdrawn is true, but the product's recorded history starts at 4.50%; the last change before it must set that rate"],
  ],
  [
    'repeated rate',
    [past('a', '2026-01-05', '4.50'), past('a', '2026-03-02', '4.50')],
    ['2 rate repeats the previous change: the rate has been 4.50% since 2026-01-05; remove this line'],
  ],
  ['initial withdrawal', [past('a', '2026-01-05', null), past('a', '2026-03-02', '4.50')], ['1 withdrawn must not be the first change of a product']],
  ['future date', [past('a', '2099-01-05', '4.50')], ['1 effectiveDate must not be later than today in London']],
  [
    'unknown product',
    [past('nix', '2026-01-05', '4.50')],
    ['1 sourceKey is not a product of the dataset; for a former product add providerSlug, accountName and accountType'],
  ],
  [
    'unknown provider',
    [past('gone', '2025-01-06', '3.00', { ...former, providerSlug: 'harow' }), past('gone', '2025-09-01', null, { ...former, providerSlug: 'harow' })],
    [1, 2].map((line) => `${line} providerSlug is not a provider in the dataset: "harow". Did you mean "harrow"? Import providers first.`),
  ],
  ['mismatched type', [past('a', '2026-01-05', '4.50', { ...former, accountType: 'cash-isa' })], ['1 providerSlug and accountType must match the product']],
  [
    'two types for one product',
    [past('gone', '2025-01-06', '3.00', former), past('gone', '2025-09-01', null, { ...former, accountType: 'notice' })],
    ['2 providerSlug and accountType must be the same on all lines of a product'],
  ],
  [
    'incomplete product details',
    [past('a', '2026-01-05', '4.50', { accountName: 'x' })],
    ['1 providerSlug must be given together with accountName and accountType, or not at all'],
  ],
  ['missing rate', [{ kind: 'rate_history', sourceKey: 'a', effectiveDate: '2026-01-05' }], ['1 rate is required unless the product is withdrawn']],
  [
    'rate of a withdrawn product',
    [past('a', '2026-01-05', '4.50', { withdrawn: true })],
    ['1 withdrawn must be false, or the rates omitted: a withdrawn product has no rate'],
  ],
  ['bonus above the rate', [past('a', '2026-01-05', '1.00', { boostRate: '2.00', boostDuration: '1 month' })], ['1 boostRate must not be higher than rate']],
  ['rate that is not base plus bonus', [past('a', '2026-01-05', '4.50', { baseRate: '4.00' })], ['1 rate must equal baseRate plus boostRate, 4.00%']],
])('rejects a feed and changes nothing: %s', async (_, lines, faults) => {
  expect(await getFaults(lines)).toEqual(faults)
})

test('rejects changes dated between stored ones, and a different rate on the launch day', async () => {
  await take([past('a', '2026-01-05', '4.00'), past('a', '2026-03-02', '4.50')])
  expect(await getFaults([past('a', '2026-02-02', '4.20'), past('a', '2026-02-09', '4.00')])).toEqual([
    '1 effectiveDate falls between changes already in the history',
    '2 effectiveDate falls between changes already in the history',
  ])
  const today = new Date().toISOString().slice(0, 10)
  const [{ day }] = (await market.pool.query("SELECT effective_date::text AS day FROM rate_change WHERE source_key = 'b'")).rows
  expect(Math.abs(Date.parse(day) - Date.parse(today))).toBeLessThan(2 * 86_400_000)
  expect(await getFaults([past('b', day, '2.00')])).toEqual([
    '1 effectiveDate is the day on which the product was first seen, but the rate differs; earlier changes need earlier dates',
  ])
  expect(await getFaults([past('a', '2026-04-06', '4.60')])).toEqual([
    '1 rate is 4.60%, but the dataset lists the product at 4.50%; the last change must match the current listing',
  ])
  // Changes that a daily feed missed can be appended if the last one matches the current listing.
  await take([past('a', '2026-04-06', '4.60'), past('a', '2026-04-07', '4.50')])
  await checkHistory(market.pool)
})

test('accepts the stored rate on the launch day, and turns it into a rate change if the feed contains an earlier launch', async () => {
  const [{ day }] = (await market.pool.query("SELECT effective_date::text AS day FROM rate_change WHERE source_key = 'b'")).rows
  expect(await take([past('b', '2026-01-05', '2.50'), past('b', day, '3.00')])).toMatchObject({ added: 1, replaced: 1, unchanged: 1 })
  expect((await described()).filter((row) => row.startsWith('b '))).toEqual(['b 2026-01-05 launched 250', `b ${day} up 300`])
  await checkHistory(market.pool)
})

test('a dry run leaves no trace', async () => {
  const before = await storedChanges(market.pool)
  const lines = [past('a', '2026-01-05', '4.00'), past('a', '2026-03-02', '4.50')]
  const dry = await take(lines, { dryRun: true })
  expect(dry).toMatchObject({ added: 2, replaced: 1, dryRun: true })
  expect(dry.changes).toEqual([
    { change: 'added', key: 'a 2026-01-05', fields: [{ field: 'rate', from: null, to: '4.00' }] },
    { change: 'added', key: 'a 2026-03-02', fields: [{ field: 'rate', from: '4.00', to: '4.50' }] },
  ])
  expect(await storedChanges(market.pool)).toEqual(before)
  expect(await take(lines)).toEqual({ ...dry, dryRun: false })
})
