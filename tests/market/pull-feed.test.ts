import { afterEach, expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { refreshMarketJob } from '#server/jobs/refresh-market.job.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import type { FetchLimits } from '#server/market/sources/fetch-source.ts'
import { readMarketSources } from '#server/market/sources/sources.ts'
import { getFreshness, type RefreshProgress, refreshNow, refreshSources } from '#server/market/statistics/refresh.ts'
import type { Log } from '#server/observability/log.ts'
import { verifies } from '../requirements/verifies.ts'
import { ownDatabase } from '../support/own-database.ts'
import { type Line, ndjson, product, provider } from './feeds.ts'
import { readRows, readVersions } from './market-database.ts'
import { breaksOff, drips, inTurn, type Publisher, publisher, says } from './sources/publisher.ts'
import { readAttempts } from './statistics/statistics-database.ts'

const database = ownDatabase({
  prepare: (pool) =>
    pool.query(
      'TRUNCATE market_event, rate_change, service_quality, account_offer, switch_offer, card, product, provider, market_import, source_fetch, quarantined_import',
    ),
})

const realNow = clock.now
afterEach(() => {
  clock.now = realNow
})

const feed = (...lines: Line[]) => says(ndjson(...lines), { 'content-type': 'application/x-ndjson', 'last-modified': 'Sat, 21 Nov 2026 05:00:00 GMT' })
const saver = (rate: string) => product('a', { rate, baseRate: rate, boostRate: '0.00', boostDuration: null })

/** Returns market sources with the URLs of these publishers, keyed by source name. */
const getSources = (sites: Record<string, Publisher>, ending = '') =>
  readMarketSources(
    Object.entries(sites)
      .map(([name, { url }]) => `${name}=${url}${ending}`)
      .join(','),
  )

const options = { contact: 'https://api.example.test', now: () => Date.parse('2026-11-21T12:00:00Z') }
const refresh = (sites: Record<string, Publisher>, ending?: string) => refreshSources(database.pool, getSources(sites, ending), options)

async function ratesNow(): Promise<(string | number)[][]> {
  const { rows } = (await loadSnapshot(database.pool)).dataset('live').products({ limit: 50 })
  return rows.map(({ product: { sourceKey, rateBp } }) => [sourceKey, rateBp])
}

verifies('rates/refreshed-daily', 'fetches the feeds of MARKET_SOURCES each morning at 07:30 in London', async () => {
  const products = await publisher(inTurn(feed(saver('4.50')), feed(saver('4.25'))))
  const providers = await publisher(feed(provider('harrow')))
  const said: string[] = []
  const say = (facts: object, message: string) => void said.push(`${message} ${JSON.stringify(facts)}`)
  const log = { info: say, warn: say } as unknown as Log
  const sources = getSources({ 'feed-product': products, 'feed-provider': providers })
  const job = refreshMarketJob({ sources, contact: 'https://api.example.test', log })
  const seen: unknown[] = []
  for (const time of ['2026-11-21T07:30:00Z', '2026-11-21T18:00:00Z', '2026-11-22T07:29:00Z', '2026-11-22T07:30:00Z']) {
    clock.now = () => Date.parse(time)
    await job.run(database.pool)
    seen.push([products.requests.length, await ratesNow()])
  }
  expect(seen).toEqual([
    [1, [['a', 450]]],
    [1, [['a', 450]]],
    [1, [['a', 450]]],
    [2, [['a', 425]]],
  ])
  expect(said[1]).toBe('Fetched a market data source. {"source":"feed-product","outcome":"imported","values":1,"changed":1}')
})

test('records the source, licence, fetch time and as-of date of a fetch', async () => {
  const providers = await publisher(feed(provider('harrow')))
  const products = await publisher(says(ndjson(saver('4.50')), { 'content-type': 'application/x-ndjson' }))
  await refresh({ 'feed-product': products, 'feed-provider': providers })
  const { rows } = await database.pool.query(
    `SELECT source, url, licence, fetched_at, as_of::text, rows, changed, status, length(sha256) AS hash, last_modified FROM source_fetch ORDER BY id`,
  )
  const common = { licence: 'As agreed by the operator', fetched_at: new Date(options.now()), as_of: '2026-11-21', rows: 1, changed: 1, status: 200, hash: 64 }
  expect(rows).toEqual([
    { source: 'feed-provider', url: providers.url, ...common, last_modified: 'Sat, 21 Nov 2026 05:00:00 GMT' },
    { source: 'feed-product', url: products.url, ...common, last_modified: null },
  ])
})

test('does not import a feed that the server reports as unchanged', async () => {
  const providers = await publisher(feed(provider('harrow')))
  await refresh({ 'feed-provider': providers })
  providers.answer = (request, response) => {
    response.writeHead(request.headers['if-modified-since'] === 'Sat, 21 Nov 2026 05:00:00 GMT' ? 304 : 500).end()
  }
  const before = await readVersions(database.pool)
  expect(await refresh({ 'feed-provider': providers })).toEqual([{ source: 'feed-provider', outcome: 'unchanged' }])
  expect(await readVersions(database.pool)).toEqual(before)
})

test('recognises CSV by the extension of the URL', async () => {
  const site = await publisher(
    says('slug,name,legalName,providerType,website,protectionScheme,licenceGroup\nharrow,Harrow,Harrow plc,bank,https://harrow.example/,FSCS,harrow\n'),
  )
  expect(await refresh({ 'feed-provider': site }, '/providers.csv')).toEqual([{ source: 'feed-provider', outcome: 'imported', values: 1, changed: 1 }])
})

test('reports an invalid feed and changes nothing, without affecting the others', async () => {
  const providers = await publisher(feed(provider('harrow')))
  await refresh({ 'feed-provider': providers, 'feed-product': await publisher(feed(saver('4.50'))) })
  const before = await readRows(database.pool)
  const reports = await refresh({
    'feed-product': await publisher(feed({ ...saver('4.50'), rate: '4,50' })),
    'feed-card': await publisher(says('<html><body>Not here</body></html>')),
    'feed-provider': providers,
  })
  expect(reports).toMatchObject([
    { source: 'feed-provider', outcome: 'imported', changed: 0 },
    { source: 'feed-product', outcome: 'failed', error: expect.stringContaining('line 1: rate must be a percentage') },
    { source: 'feed-card', outcome: 'failed', error: expect.stringContaining('a web page instead of NDJSON') },
  ])
  expect(await readRows(database.pool)).toEqual(before)
  expect((await readAttempts(database.pool)).map(({ source, error }) => [source, error === null])).toEqual([
    ['feed-provider', true],
    ['feed-product', true],
    ['feed-provider', true],
    ['feed-product', false],
    ['feed-card', false],
  ])
})

test('changes nothing for a truncated, aborted, oversized or slow feed, or one in a different order', async () => {
  const whole = [saver('4.50'), product('b'), product('c')]
  const products = await publisher(feed(...whole))
  await refresh({ 'feed-provider': await publisher(feed(provider('harrow'))), 'feed-product': products })
  const state = async () => [await readRows(database.pool), await readVersions(database.pool)]
  const before = await state()
  const text = ndjson(...whole)
  const limits: FetchLimits = { attemptMs: 3_000, totalMs: 5_000, maximumBytes: 100_000, attempts: 1, backoffMs: 1 }
  const instead: [Publisher['answer'], string, Partial<FetchLimits>][] = [
    [says(text.slice(0, -40)), 'line 3: is not JSON', {}],
    [breaksOff(text), 'closed the connection', {}],
    [drips(text.repeat(60), 1), 'larger than 100000 bytes', {}],
    [drips(text.slice(0, 30), 20), 'did not respond within 0.15 seconds', { attemptMs: 150 }],
  ]
  for (const [answer, error, given] of instead) {
    products.answer = answer
    const [report] = await refreshSources(database.pool, getSources({ 'feed-product': products }), { ...options, limits: { ...limits, ...given } })
    expect(report).toMatchObject({ outcome: 'failed', error: expect.stringContaining(error) })
    expect(await state()).toEqual(before)
  }
  products.answer = feed(...whole.toReversed())
  expect(await refresh({ 'feed-product': products })).toMatchObject([{ outcome: 'imported', values: 3, changed: 0 }])
  expect(await state()).toEqual(before)
})

test('quarantines a feed that would withdraw much of the market', async () => {
  const many = Array.from({ length: 40 }, (_, at) => product(`p${at}`))
  const site = await publisher(inTurn(feed(...many), feed(...many.slice(0, 5))))
  await refresh({ 'feed-provider': await publisher(feed(provider('harrow'))), 'feed-product': site })
  const [report] = await refresh({ 'feed-product': site })
  expect(report).toMatchObject({ outcome: 'failed', error: expect.stringContaining('The feed would withdraw 35 of 40 products') })
  // The error message suggests refreshing the source instead of importing a file, because there is no file to import.
  const advice = 'If this is correct, fetch the feed again: svc market refresh --source feed-product --confirm'
  expect(report).toMatchObject({ error: expect.stringContaining(advice) })
  expect(await ratesNow()).toHaveLength(40)
  const described: string[] = []
  const onProgress = ({ source, phase }: RefreshProgress) => void described.push(`${source} ${phase}`)
  const confirmed = await refreshSources(database.pool, getSources({ 'feed-product': site }), { ...options, confirm: true, onProgress })
  expect(confirmed).toEqual([{ source: 'feed-product', outcome: 'imported', values: 5, changed: 35 }])
  expect(await ratesNow()).toHaveLength(5)
  expect(described).toEqual(['fetching', 'reading', 'comparing', 'writing'].map((phase) => `feed-product ${phase}`))
})

test('marks a source as stale when it is older than its schedule allows, or has no data', async () => {
  const sites = { 'feed-provider': await publisher(feed(provider('harrow'))), 'feed-card': await publisher(says('x')) }
  await refresh(sites)
  const at = async (time: string) => Object.fromEntries(await getFreshness(database.pool, getSources(sites), Date.parse(time)))
  expect(await at('2026-11-23T12:00:00Z')).toEqual({ 'feed-provider': { asOf: '2026-11-21', stale: false }, 'feed-card': { asOf: null, stale: true } })
  expect(await at('2026-11-24T00:00:00Z')).toMatchObject({ 'feed-provider': { asOf: '2026-11-21', stale: true } })
})

test('fetches nothing while another process is refreshing', async () => {
  const site = await publisher(feed(provider('harrow')))
  const other = await database.pool.connect()
  await other.query('SELECT pg_advisory_lock(20261, 4)')
  expect(await refreshNow(database.pool, getSources({ 'feed-provider': site }), options)).toBeUndefined()
  await other.query('SELECT pg_advisory_unlock(20261, 4)')
  other.release()
  expect(await refreshNow(database.pool, getSources({ 'feed-provider': site }), options)).toHaveLength(1)
})

test.each([
  ['feed-product', 'needs a URL for feed-product: write feed-product=https://…'],
  ['feed-products=https://x.example/p', 'Did you mean "feed-product"?'],
])('rejects MARKET_SOURCES=%s', (text, message) => {
  expect(() => readMarketSources(text)).toThrow(message)
})
