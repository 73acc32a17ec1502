import { expect, test } from 'vitest'
import type { AdminActor } from '#server/accounts/audit.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { openAccount } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'
import { fetchOrders, getMorning, orderSource } from '#server/market/admin/imports.ts'
import { declineFeed, publishFeed } from '#server/market/admin/publish-feed.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { newestHeld, waitingImports } from '#server/market/import/quarantined-imports.ts'
import { readMarketSources } from '#server/market/sources/sources.ts'
import { refreshSources } from '#server/market/statistics/refresh.ts'
import { ownDatabase } from '../support/own-database.ts'
import { endPool, openTestPool, watched } from '../support/test-pool.ts'
import { type Line, ndjson, product, provider } from './feeds.ts'
import { readRows, readVersions } from './market-database.ts'
import { inTurn, type Publisher, publisher, says } from './sources/publisher.ts'
import { readAttempts } from './statistics/statistics-database.ts'

const tables =
  'market_event, rate_change, service_quality, account_offer, switch_offer, card, product, provider, market_import, source_fetch, quarantined_import, refresh_request'
const database = ownDatabase({ prepare: (pool) => pool.query(`TRUNCATE ${tables}`) })

const feed = (...lines: Line[]) => says(ndjson(...lines), { 'content-type': 'application/x-ndjson', 'last-modified': 'Sat, 21 Nov 2026 05:00:00 GMT' })

const getSources = (sites: Record<string, Publisher>) =>
  readMarketSources(
    Object.entries(sites)
      .map(([name, { url }]) => `${name}=${url}`)
      .join(','),
  )

const options = { contact: 'https://api.example.test', now: () => Date.parse('2026-11-21T12:00:00Z') }
const refresh = (sites: Record<string, Publisher>) => refreshSources(database.pool, getSources(sites), options)

const listed = async () => (await database.pool.query('SELECT FROM product WHERE withdrawn_at IS NULL')).rowCount

const many = Array.from({ length: 40 }, (_, at) => product(`p${String(at).padStart(2, '0')}`))
const dearer = many.slice(0, 25).map((line, at) => ({ ...line, rate: at === 3 ? '9.25' : '4.60', baseRate: at === 3 ? '8.00' : '3.35' }))

/** Creates a market of 40 products, and a quarantined import that would withdraw 15 of them and change the rates of the others. */
async function quarantineImport() {
  const site = await publisher(inTurn(feed(...many), feed(...dearer)))
  const sites = { 'feed-provider': await publisher(feed(provider('harrow'))), 'feed-product': site }
  await refresh(sites)
  await refresh({ 'feed-product': site })
  const waiting = (await newestHeld(database.pool, 'feed-product')) ?? expect.unreachable('No import was quarantined.')
  return { site, waiting, deps: { pool: database.pool, sources: getSources({ 'feed-product': site }), now: options.now } }
}

let who: AdminActor | undefined
async function administrator(): Promise<AdminActor> {
  if (who) return who
  const request = { email: 'a@example.test', password: null, plan: 'hobby' as const, isAdmin: true, isApproved: true, isVerified: true }
  who = { actor: 'admin', adminId: (await openAccount(database.pool, request, { kind: 'adjustment', credits: 1 })).id, reason: 'Looked at.', address: null }
  return who
}

const getFaults = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof FieldsError ? error.faults : error),
  )

test('quarantines a feed only once, with its preview, until the next valid feed replaces it', async () => {
  const { site, waiting } = await quarantineImport()
  expect(waiting).toMatchObject({ state: 'waiting', asOf: new Date('2026-11-21'), faults: null })
  expect(waiting.preview).toMatchObject({
    rows: 25,
    counts: { added: 0, changed: 25, withdrawn: 15 },
    reasons: [expect.stringContaining('withdraw 15 of 40'), expect.stringContaining('rate of 25')],
  })
  expect(waiting.preview?.rateMoves[0]).toEqual({ sourceKey: 'p03', accountName: 'Easy Access Saver', fromBp: 450, toBp: 925 })
  expect(waiting.preview?.changes.length).toBe(35)
  await refresh({ 'feed-product': site })
  expect((await newestHeld(database.pool, 'feed-product'))?.id).toBe(waiting.id)
  expect(await waitingImports(database.pool)).toEqual({ count: 1, oldest: new Date(options.now()) })
  site.answer = feed(...many)
  await refresh({ 'feed-product': site })
  expect(await newestHeld(database.pool, 'feed-product')).toMatchObject({ id: waiting.id, state: 'replaced' })
  expect((await waitingImports(database.pool)).count).toBe(0)
})

test('publishes a quarantined import as previewed, and records the fetch of its source', async () => {
  const { waiting, deps } = await quarantineImport()
  await publishFeed(deps, await administrator(), waiting.id)
  expect(await listed()).toBe(25)
  expect((await readAttempts(database.pool)).at(-1)).toMatchObject({ source: 'feed-product', error: null, rows: 25 })
  expect(await getFaults(publishFeed(deps, await administrator(), waiting.id))).toEqual({ form: expect.stringContaining('no longer pending') })
  expect(await getFaults(declineFeed(deps, await administrator(), waiting.id))).toEqual({ form: expect.stringContaining('no longer pending') })
  const { rows } = await database.pool.query("SELECT subject, after FROM audit_entry WHERE action = 'feed.publish' ORDER BY id DESC LIMIT 1")
  expect(rows).toEqual([{ subject: 'feed-product', after: { feed: waiting.id, rows: 25, added: 0, changed: 25, withdrawn: 15 } }])
})

test('updates the preview instead of publishing if the market has changed', async () => {
  const { waiting, deps } = await quarantineImport()
  await importFeed(database.pool, { source: ndjson(...many, product('q')), fileName: 'products.ndjson', dataset: 'live' })
  const before = [await readRows(database.pool), await readVersions(database.pool)]
  expect(await getFaults(publishFeed(deps, await administrator(), waiting.id))).toEqual({ form: expect.stringContaining('Review the updated preview') })
  expect([await readRows(database.pool), await readVersions(database.pool)]).toEqual(before)
  expect((await newestHeld(database.pool, 'feed-product'))?.preview?.counts.withdrawn).toBe(16)
  await publishFeed(deps, await administrator(), waiting.id)
  expect(await listed()).toBe(25)
})

test('updates the preview if the changes differ, even with the same number of rows', async () => {
  const { waiting, deps } = await quarantineImport()
  const other = product('p00', { rate: '4.90', baseRate: '3.65' })
  await importFeed(database.pool, { source: ndjson(other), fileName: 'products.ndjson', dataset: 'live', partial: true })
  expect(await getFaults(publishFeed(deps, await administrator(), waiting.id))).toEqual({ form: expect.stringContaining('Review the updated preview') })
  const now = (await newestHeld(database.pool, 'feed-product'))?.preview
  expect(now?.counts).toEqual(waiting.preview?.counts)
  expect(now?.changes.find(({ key }) => key === 'p00')?.fields).toContainEqual({ field: 'rate', from: '4.90', to: '4.60' })
})

test('closes a quarantined import when its source matches the published data again', async () => {
  const { site, waiting, deps } = await quarantineImport()
  site.answer = (request, response) => {
    response.writeHead(request.headers['if-modified-since'] === undefined ? 500 : 304).end()
  }
  expect(await refresh({ 'feed-product': site })).toEqual([{ source: 'feed-product', outcome: 'unchanged' }])
  expect(await newestHeld(database.pool, 'feed-product')).toMatchObject({ id: waiting.id, state: 'replaced' })
  expect(await getFaults(publishFeed(deps, await administrator(), waiting.id))).toEqual({ form: expect.stringContaining('no longer pending') })
  expect(await listed()).toBe(40)
})

/** Runs `work` with a pool whose statement timeout is too short for recording an import. */
async function withSlowImport<Result>(work: (limitedPool: Database) => Promise<Result>): Promise<Result> {
  await database.pool.query(`CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.9); RETURN NEW; END';
    CREATE TRIGGER take_long BEFORE INSERT ON market_import FOR EACH ROW EXECUTE FUNCTION take_long()`)
  const limitedPool = watched(openTestPool({ connectionString: database.url, max: 1, statement_timeout: 400, query_timeout: 800 }))
  try {
    return await work(limitedPool)
  } finally {
    await endPool(limitedPool)
    await database.pool.query('DROP TRIGGER take_long ON market_import; DROP FUNCTION take_long')
  }
}

test('publishing has a longer statement timeout than other requests, and reports a timeout', async () => {
  const { waiting, deps } = await quarantineImport()
  await withSlowImport(async (pool) => {
    const short = { statementMs: 600, lockSeconds: 2 }
    const tooLong = { form: expect.stringContaining('svc market refresh --source feed-product --confirm') }
    expect(await getFaults(publishFeed({ ...deps, pool }, await administrator(), waiting.id, short))).toEqual(tooLong)
    expect(await listed()).toBe(40)
    expect(await getFaults(publishFeed({ ...deps, pool }, await administrator(), waiting.id))).toBeNull()
    expect(await listed()).toBe(25)
    // Later statements on the same connection have the usual timeout.
    await expect(pool.query('SELECT pg_sleep(1)')).rejects.toThrow('statement timeout')
  })
})

test('rejects publishing during another import', async () => {
  const { waiting, deps } = await quarantineImport()
  const other = await database.pool.connect()
  await other.query('SELECT pg_advisory_lock(20261, 2)')
  // Waits for the lock for only a second. With the usual lock timeout, the statement timeout would end the wait first.
  const limitedPool = watched(openTestPool({ connectionString: database.url, max: 1, statement_timeout: 500 }))
  const asked = publishFeed({ ...deps, pool: limitedPool }, await administrator(), waiting.id, { statementMs: 5_000, lockSeconds: 1 })
  expect(await getFaults(asked)).toEqual({ form: 'Another market import is running. Try again when it has finished.' })
  await endPool(limitedPool)
  await other.query('SELECT pg_advisory_unlock(20261, 2)')
  other.release()
  expect(await getFaults(publishFeed(deps, await administrator(), waiting.id))).toBeNull()
})

test('does not quarantine a declined feed again', async () => {
  const { site, waiting, deps } = await quarantineImport()
  await declineFeed(deps, await administrator(), waiting.id)
  await refresh({ 'feed-product': site })
  expect(await newestHeld(database.pool, 'feed-product')).toMatchObject({ id: waiting.id, state: 'declined' })
  expect(await listed()).toBe(40)
})

test('stores an invalid feed with its invalid lines, and does not let it be published', async () => {
  const site = await publisher(feed(product('a'), { ...product('b'), rate: '4,50' }))
  await refresh({ 'feed-provider': await publisher(feed(provider('harrow'))), 'feed-product': site })
  const kept = await newestHeld(database.pool, 'feed-product')
  expect(kept).toMatchObject({ state: 'refused', preview: null, faults: { count: 1, lines: [{ line: 2, field: 'rate' }] } })
  const deps = { pool: database.pool, sources: [], now: options.now }
  expect(await getFaults(publishFeed(deps, await administrator(), kept?.id ?? 0))).toEqual({ form: expect.stringContaining('no longer pending') })
})

test('fetches a source on request, even if not due, and records the outcome', async () => {
  const site = await publisher(inTurn(feed(provider('harrow')), says('<html>')))
  const deps = { pool: database.pool, sources: getSources({ 'feed-provider': site }), now: options.now }
  for (const outcome of ['1 rows, 1 new or changed.', expect.stringContaining('a web page instead of')]) {
    await orderSource(deps, await administrator(), 'feed-provider')
    expect(await getFaults(orderSource(deps, await administrator(), 'feed-provider'))).toEqual({ form: 'A fetch of this source is already pending.' })
    await fetchOrders(database.pool, deps.sources, options)
    const { rows } = await database.pool.query('SELECT outcome, settled_at IS NOT NULL AS settled FROM refresh_request ORDER BY id DESC LIMIT 1')
    expect(rows).toEqual([{ outcome, settled: true }])
  }
})

test('shows the outcome of this morning’s fetch and the time of the next fetch for each source', async () => {
  const { site, deps } = await quarantineImport()
  const lines = async (now: number, sources = deps.sources) => (await getMorning({ ...deps, sources, now: () => now })).sources
  const described = ({ name, state, nextAt, rows, asOf, stale }: Awaited<ReturnType<typeof getMorning>>['sources'][number]) => [
    name,
    state,
    nextAt.toISOString(),
    rows,
    asOf,
    stale,
  ]
  const noon = options.now()
  // A quarantined import keeps its source in the list even if MARKET_SOURCES no longer includes it.
  expect((await lines(noon, [])).map(({ name, state }) => [name, state])).toEqual([['feed-product', 'held']])
  expect((await lines(noon)).map(described)).toEqual([['feed-product', 'held', '2026-11-22T07:30:00.000Z', 40, '2026-11-21', false]])
  site.answer = feed(...many)
  await refresh({ 'feed-product': site })
  expect((await lines(noon)).map(described)).toEqual([['feed-product', 'arrived', '2026-11-22T07:30:00.000Z', 40, '2026-11-21', false]])
  const nextDay = Date.parse('2026-11-25T07:30:00Z')
  expect((await lines(nextDay)).map(described)).toEqual([['feed-product', 'due', '2026-11-25T07:30:00.000Z', 40, '2026-11-21', true]])
  site.answer = says('<html>')
  await refreshSources(database.pool, deps.sources, { ...options, now: () => nextDay })
  expect((await lines(nextDay)).map(described)).toEqual([['feed-product', 'failed', '2026-11-25T08:30:00.000Z', 40, '2026-11-21', true]])
})
