import { expect, test } from 'vitest'
import { type Feed, importFeed } from '#server/market/import/import-feed.ts'
import { accountOffer, card, type Line, ndjson, provider, survey, switchOffer, travelCard } from './feeds.ts'
import { marketDatabase, readRows, readVersions } from './market-database.ts'

const market = marketDatabase()

const take = (lines: Line[], options: Partial<Feed> = {}) =>
  importFeed(market.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', ...options })

const score = { percent: 81, rank: 1, jointRank: true, rankOf: 17 }

/** Two complete records of each kind. They contain lists, objects and dates, which are easy to compare incorrectly. */
const full: Record<string, [Line, Line]> = {
  card: [
    card('a', { rewardTiers: [{ spendFrom: '0', spendTo: '10000', rate: '0.5', period: 'year' }], cashAdvanceFee: { percent: 3, minimum: 3 } }),
    travelCard('b', { supportedCurrencies: ['USD', 'EUR'], atmFreeLimit: { amount: 200, period: 'month' } }),
  ],
  switch_offer: [
    switchOffer('a', { eligibility: ['Be 18 or over'], exclusions: ['Nobody "else"', 'a\\b, {c}'], endDate: '2027-01-31', minPayIn: '1000.00' }),
    switchOffer('b', { providerSlug: null, excludedIfHeldSince: '2025-10-01' }),
  ],
  account_offer: [accountOffer('a', { cashbackRate: '1.00', cashbackCategories: ['Energy'] }), accountOffer('b', { creditInterestRate: '3.00' })],
  service_quality: [survey('harrow', 'GB', { overall: score, branch: score, sampleSize: 1_000 }), survey('harrow', 'NI', { overall: null })],
}

test.each(Object.entries(full))('imports a %s feed idempotently, regardless of line order and value format', async (kind, [a, b]) => {
  await take([provider('harrow')])
  expect(await take([a, b])).toMatchObject({ kind, rows: 2, added: 2, unchanged: 0 })
  const [rows, versions] = [await readRows(market.pool), await readVersions(market.pool)]
  expect(await take([b, a])).toMatchObject({ added: 0, changed: 0, withdrawn: 0, unchanged: 2, marketVersion: versions.marketVersion })
  const rewritten = [a, b].map((line) => Object.fromEntries(Object.entries(line).reverse()))
  expect(await take(rewritten)).toMatchObject({ changed: 0, unchanged: 2 })
  expect(await readRows(market.pool)).toEqual(rows)
  expect(await readVersions(market.pool)).toEqual(versions)
})

test.each<[string, Line, Line]>([
  ['a tier', full['card']?.[0] ?? {}, { rewardTiers: [] }],
  ['a condition', full['switch_offer']?.[0] ?? {}, { eligibility: ['Be 21 or over'] }],
  ['the last day', full['switch_offer']?.[0] ?? {}, { endDate: '2027-02-28' }],
  ['a category', full['account_offer']?.[0] ?? {}, { cashbackCategories: ['Energy', 'Water'] }],
  ['a score', full['service_quality']?.[0] ?? {}, { branch: { ...score, percent: 80 } }],
])('counts a change of %s once and updates updated_at', async (_what, line, facts) => {
  await take([provider('harrow')])
  await take([line])
  const [before] = (await readRows(market.pool)).filter((row) => !row.startsWith('provider'))
  expect(await take([{ ...line, ...facts }])).toMatchObject({ changed: 1, unchanged: 0 })
  const [after] = (await readRows(market.pool)).filter((row) => !row.startsWith('provider'))
  const getStamp = (row = '') => /"updated_at": "([^"]+)"/.exec(row)?.[1] ?? ''
  expect(getStamp(after) > getStamp(before)).toBe(true)
})

test('withdraws and restores offers omitted by a complete feed, and deletes surveys', async () => {
  await take([provider('harrow')])
  for (const [kind, table] of [
    ['switch_offer', 'switch_offer'],
    ['account_offer', 'account_offer'],
  ] as const) {
    const [a, b] = full[kind] ?? [{}, {}]
    await take([a, b])
    expect(await take([a])).toMatchObject({ withdrawn: 1, unchanged: 1 })
    const { rows } = await market.pool.query(`SELECT offer_key, withdrawn_at = updated_at AS gone FROM ${table} ORDER BY 1`)
    expect(rows).toEqual([
      { offer_key: 'a', gone: null },
      { offer_key: 'b', gone: true },
    ])
    expect(await take([a])).toMatchObject({ withdrawn: 0, unchanged: 1 })
    expect(await take([b], { partial: true })).toMatchObject({ restored: 1, withdrawn: 0 })
  }
  const [gb, ni] = full['service_quality'] ?? [{}, {}]
  await take([gb, ni])
  expect(await take([gb])).toMatchObject({ withdrawn: 1, unchanged: 1 })
  const { rows } = await market.pool.query('SELECT survey_key FROM service_quality')
  expect(rows).toEqual([{ survey_key: 'harrow/GB' }])
})

test('requires a known provider for offers and surveys', async () => {
  await take([provider('harrow')])
  for (const line of [switchOffer('a', { providerSlug: 'harow' }), accountOffer('a', { providerSlug: 'harow' }), survey('harow', 'GB')]) {
    const error = await take([line]).catch((fault: unknown) => fault)
    expect(error).toMatchObject({ faults: [{ line: 1, field: 'providerSlug', problem: expect.stringContaining('Did you mean "harrow"?') }] })
  }
})

test('a dry run leaves no trace', async () => {
  await take([provider('harrow')])
  const [rows, versions] = [await readRows(market.pool), await readVersions(market.pool)]
  expect(await take([switchOffer('a')], { dryRun: true })).toMatchObject({ added: 1, dryRun: true })
  expect(await readRows(market.pool)).toEqual(rows)
  expect(await readVersions(market.pool)).toEqual(versions)
})
