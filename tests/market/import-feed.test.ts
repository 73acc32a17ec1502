import { expect, test } from 'vitest'
import { FeedError } from '#server/market/import/feed-faults.ts'
import { type Feed, importFeed, rehearseFeeds } from '#server/market/import/import-feed.ts'
import { card, type Line, ndjson, product, provider, travelCard } from './feeds.ts'
import { marketDatabase, readRows, readVersions } from './market-database.ts'

const market = marketDatabase()

const take = (lines: Line[], options: Partial<Feed> = {}) =>
  importFeed(market.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', ...options })

async function standing(sourceKey: string) {
  const { rows } = await market.pool.query('SELECT * FROM product WHERE dataset = $1 AND source_key = $2', ['live', sourceKey])
  return rows[0]
}

test('adds everything on the first import and bumps the version once', async () => {
  const before = await readVersions(market.pool)
  expect(await take([provider('harrow')])).toMatchObject({ kind: 'provider', rows: 1, added: 1, unchanged: 0, dryRun: false })
  const report = await take([product('a'), product('b', { boostRate: null, boostDuration: null, baseRate: '4.5' })])
  expect(report).toMatchObject({ kind: 'product', rows: 2, added: 2, changed: 0, restored: 0, withdrawn: 0, checked: 0, unchanged: 0 })
  expect(await standing('a')).toMatchObject({
    provider_slug: 'harrow',
    rate_bp: 450,
    base_rate_bp: 325,
    boost_rate_bp: 125,
    boost_duration: '12 months',
    min_balance_pence: '100',
    max_balance_pence: '8500000',
    term_months: null,
    withdrawn_at: null,
  })
  const after = await readVersions(market.pool)
  expect(after).toEqual({ version: before.version + 2, marketVersion: before.marketVersion + 2 })
  expect(report.marketVersion).toBe(after.marketVersion)
})

test('changes nothing for a repeated feed, and records the import', async () => {
  const lines = [product('a'), product('b')]
  await take([provider('harrow')])
  await take(lines)
  const [rows, versions] = [await readRows(market.pool), await readVersions(market.pool)]
  expect(await take(lines)).toMatchObject({ added: 0, changed: 0, withdrawn: 0, unchanged: 2, marketVersion: versions.marketVersion })
  expect(await take(lines.toReversed())).toMatchObject({ added: 0, changed: 0, withdrawn: 0, unchanged: 2 })
  expect(await readRows(market.pool)).toEqual(rows)
  expect(await readVersions(market.pool)).toEqual(versions)
  const { rows: imports } = await market.pool.query("SELECT kind, rows, added, changed FROM market_import WHERE kind = 'product' ORDER BY id")
  expect(imports).toEqual([
    { kind: 'product', rows: 2, added: 2, changed: 0 },
    { kind: 'product', rows: 2, added: 0, changed: 0 },
    { kind: 'product', rows: 2, added: 0, changed: 0 },
  ])
})

test('changes updated_at only for the changed product', async () => {
  await take([provider('harrow')])
  await take([product('a'), product('b')])
  const [a, b] = [await standing('a'), await standing('b')]
  const report = await take([product('a', { rate: '4.75', baseRate: '3.50' }), product('b')])
  expect(report).toMatchObject({ changed: 1, unchanged: 1 })
  const changed = await standing('a')
  expect(changed).toMatchObject({ rate_bp: 475, created_at: a.created_at, url_checked_at: a.url_checked_at })
  expect(changed.updated_at.getTime()).toBeGreaterThan(a.updated_at.getTime())
  expect(await standing('b')).toEqual(b)
})

test('withdraws rows omitted by a complete feed, and restores them when listed again', async () => {
  await take([provider('harrow')])
  await take([product('a'), product('b')])
  expect(await take([product('a')])).toMatchObject({ withdrawn: 1, unchanged: 1 })
  const gone = await standing('b')
  expect(gone.withdrawn_at).toEqual(gone.updated_at)
  expect(await take([product('a')])).toMatchObject({ withdrawn: 0, unchanged: 1 })
  expect(await take([product('a'), product('b')])).toMatchObject({ restored: 1, changed: 0, withdrawn: 0, unchanged: 1 })
  expect((await standing('b')).withdrawn_at).toBeNull()
})

test('keeps rows omitted by a partial feed, and the other dataset', async () => {
  await take([provider('harrow')])
  await take([provider('harrow')], { dataset: 'sample' })
  await take([product('a'), product('b')])
  await take([product('c')], { dataset: 'sample' })
  expect(await take([product('d')], { partial: true })).toMatchObject({ added: 1, withdrawn: 0 })
  expect((await standing('a')).withdrawn_at).toBeNull()
  const { rows } = await market.pool.query('SELECT dataset, source_key FROM product WHERE withdrawn_at IS NULL ORDER BY 1, 2')
  expect(rows.map(({ dataset, source_key }) => `${dataset} ${source_key}`)).toEqual(['live a', 'live b', 'live d', 'sample c'])
})

test('stores a new URL check without counting it as a change', async () => {
  await take([provider('harrow')])
  await take([product('a', { urlCheckedAt: '2026-11-20T06:00:00Z' })])
  const before = await standing('a')
  const versions = await readVersions(market.pool)
  const report = await take([product('a', { urlCheckedAt: '2026-11-21T07:00:00+01:00' })])
  expect(report).toMatchObject({ checked: 1, changed: 0, unchanged: 0, marketVersion: versions.marketVersion + 1 })
  const checkedAt = new Date('2026-11-21T06:00:00Z')
  expect(await standing('a')).toEqual({ ...before, url_checked_at: checkedAt })
  // A feed without urlCheckedAt keeps the time of the last check, unless the URL changes.
  expect(await take([product('a')])).toMatchObject({ checked: 0, changed: 0, unchanged: 1 })
  await take([product('a', { url: 'https://harrow.example/new' })])
  expect((await standing('a')).url_checked_at.getTime()).toBeGreaterThan(checkedAt.getTime())
})

test('a dry run reports the same counts as the real import, and leaves no trace', async () => {
  await take([provider('harrow')])
  await take([product('a'), product('b')])
  const next = [product('a', { rate: '4.75', baseRate: '3.50' }), product('c')]
  const [rows, versions] = [await readRows(market.pool), await readVersions(market.pool)]
  const { rows: importsBefore } = await market.pool.query('SELECT count(*) FROM market_import')
  const dry = await take(next, { dryRun: true })
  expect(await readRows(market.pool)).toEqual(rows)
  expect(await readVersions(market.pool)).toEqual(versions)
  expect((await market.pool.query('SELECT count(*) FROM market_import')).rows).toEqual(importsBefore)
  expect(await take(next)).toEqual({ ...dry, dryRun: false })
  expect(dry).toMatchObject({ added: 1, changed: 1, withdrawn: 1, dryRun: true })
})

test('does not block other publishers during a dry run of several feeds, and reports the version that each would create', async () => {
  const { marketVersion } = await readVersions(market.pool)
  let isFree = false
  async function* second() {
    yield ndjson(provider('harrow'), provider('brook'))
    // At this point, the first feed has been written but not yet rolled back.
    isFree = (await market.pool.query('SELECT FROM service_state FOR UPDATE NOWAIT')).rowCount === 1
  }
  const feeds = [ndjson(provider('harrow')), second()].map((source) => ({ source, fileName: 'feed.ndjson', dataset: 'live' }) as const)
  const reports = await rehearseFeeds(market.pool, feeds)
  expect(reports.map((report) => report.marketVersion)).toEqual([marketVersion + 1, marketVersion + 2])
  expect(isFree).toBe(true)
  expect((await readVersions(market.pool)).marketVersion).toBe(marketVersion)
})

test('rejects the whole feed for one invalid line', async () => {
  await take([provider('harrow')])
  const rows = await readRows(market.pool)
  await expect(take([product('a'), product('b', { rate: 'x' })])).rejects.toBeInstanceOf(FeedError)
  expect(await readRows(market.pool)).toEqual(rows)
})

test('reports an unknown provider on its line, with the closest name', async () => {
  await take([provider('harrow')])
  const error = await take([product('a'), product('b', { providerSlug: 'harow' })]).catch((fault: unknown) => fault)
  expect(error).toBeInstanceOf(FeedError)
  expect(error).toMatchObject({
    faults: [
      {
        line: 2,
        field: 'providerSlug',
        problem: 'is not a provider in the dataset: "harow". Did you mean "harrow"? Import providers first.',
      },
    ],
  })
  expect(await standing('a')).toBeUndefined()
})

test('deactivates providers and deletes cards omitted by a complete feed', async () => {
  await take([provider('harrow'), provider('kestrel')])
  await take([card('x'), travelCard('y', { providerSlug: null })])
  expect(await take([provider('harrow')])).toMatchObject({ withdrawn: 1, unchanged: 1 })
  expect(await take([provider('harrow')])).toMatchObject({ withdrawn: 0, unchanged: 1 })
  expect(await take([provider('harrow'), provider('kestrel')])).toMatchObject({ changed: 1, unchanged: 1 })
  expect(await take([travelCard('y', { providerSlug: null })])).toMatchObject({ withdrawn: 1, unchanged: 1 })
  const { rows } = await market.pool.query('SELECT source_key FROM card')
  expect(rows).toEqual([{ source_key: 'y' }])
})

test('serialises concurrent imports, and adds each row exactly once', async () => {
  await take([provider('harrow')])
  const lines = Array.from({ length: 200 }, (_, index) => product(`p${index}`))
  const reports = await Promise.all(Array.from({ length: 5 }, () => take(lines)))
  expect(reports.map(({ added }) => added).sort((a, b) => a - b)).toEqual([0, 0, 0, 0, 200])
  expect(reports.every(({ changed, withdrawn }) => changed + withdrawn === 0)).toBe(true)
})

test('imports a stream in the same way as a string', async () => {
  await take([provider('harrow')])
  async function* pieces() {
    const text = ndjson(product('a'), product('b'))
    for (let at = 0; at < text.length; at += 100) yield text.slice(at, at + 100)
  }
  expect(await take([], { source: pieces() })).toMatchObject({ rows: 2, added: 2 })
})
