/** Tests market administration and dashboards. Changes must apply to the next call to a second process on the same database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readJobRuns } from '#server/db/queues.sql.ts'
import { JobRunner } from '#server/jobs/runner.ts'
import { getQuality, qualityFaults } from '#server/market/admin/quality.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { createLog } from '#server/observability/log.ts'
import { ndjson, product } from '../market/feeds.ts'
import { type Member, PortalFixture } from '../portal/support/portal-fixture.ts'
import { getData, getError } from '../portal/support/visitor.ts'
import { call, makeAccount, makeKey } from '../support/accounts.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { quarantinedImport, someProduct } from './support/market-fixtures.ts'

const fixture = new PortalFixture()
let other: ServiceProcess
let dataDir: string
let key: string
let admin: Member

beforeAll(async () => {
  await fixture.open(async (origin) => ({ MARKET_SOURCES: `feed-card=${origin}/no-such-feed` }))
  dataDir = await mkdtemp(join(tmpdir(), 'svc-other-'))
  other = await startProcess({ databaseUrl: fixture.databaseUrl, mount: 'lean', dataDir })
  const account = await makeAccount(fixture.pool, { credits: 1_000 })
  key = (await makeKey(fixture.pool, account, { scopes: ['rates:read', 'cards:read'] })).key
  admin = await fixture.administrator()
})
afterAll(async () => {
  await other?.stop()
  await fixture.close()
  await rm(dataDir, { recursive: true, force: true })
})

const read = async (sourceKey: string) => {
  const answers = await Promise.all([fixture.service.api, other.api].map((api) => call(api, `/rates/${sourceKey}`, key)))
  return answers.map(({ status, body }) => (status === 200 ? (body['data'] as { rate: string }).rate : status))
}

const ask = async (name: string, input?: object) => getData(await admin.visitor.call(`admin.${name}`, 'query', input))
const act = async (name: string, input: object) => {
  const answer = await admin.visitor.call(`admin.${name}`, 'mutation', { reason: 'Looked at.', ...input })
  expect([answer.status, getError(answer)?.message ?? null]).toEqual([200, null])
}

test('applies a correction to the next call in every process, and keeps it across imports', async () => {
  const { sourceKey, ...typed } = await someProduct(fixture)
  const before = await read(sourceKey)
  expect(before).toEqual([typed.rate, typed.rate])
  await act('products.correct', { sourceKey, ...typed, rate: '4.44', boostRate: '0.00', boostDuration: '', until: '' })
  expect(await read(sourceKey)).toEqual(['4.44', '4.44'])
  const [row] = await fixture.sql<{ provider_slug: string }>("SELECT provider_slug FROM product WHERE dataset = 'live' AND source_key = $1", [sourceKey])
  const line = product(sourceKey, { providerSlug: row?.provider_slug, rate: '5.00', baseRate: '5.00', boostRate: null, boostDuration: null })
  await importFeed(fixture.pool, { source: ndjson(line), fileName: 'products.ndjson', dataset: 'live', partial: true })
  expect(await read(sourceKey)).toEqual(['4.44', '4.44'])
  expect(await ask('products.read', { sourceKey })).toMatchObject({
    correction: { reason: 'Looked at.', by: admin.publicId, feedSays: [{ label: 'Rate', from: '4.44%', to: '5.00%' }] },
  })
  expect((await ask('products.search', { text: '', isCorrected: true, after: '' })).rows).toMatchObject([{ sourceKey, isCorrected: true }])
  await act('products.endCorrection', { sourceKey })
  expect(await read(sourceKey)).toEqual(['5.00', '5.00'])
  expect(await ask('products.read', { sourceKey })).toMatchObject({ correction: null, former: [{ endedBy: admin.publicId }] })
})

test('the next call no longer returns a withdrawn product, but its admin page remains', async () => {
  const { sourceKey, seen } = await someProduct(fixture)
  await act('products.withdraw', { sourceKey, seen, until: '' })
  expect(await read(sourceKey)).toEqual([404, 404])
  const page = await admin.visitor.open(`/admin/products/${sourceKey}`)
  expect(page.text).toContain('Manually corrected')
  expect(page.text).toContain('Before: withdrawn. After: listed, as in the feed.')
})

test('previews and saves a correction', async () => {
  const { sourceKey, ...typed } = await someProduct(fixture)
  const path = `/admin/products/${sourceKey}`
  const { seen: _, ...terms } = typed
  const preview = (changed: object) => admin.visitor.call('admin.products.preview', 'query', { sourceKey, ...terms, ...changed })
  expect(JSON.stringify(getError(await preview({ rate: '4,4' })).data.fields)).toContain('Rate must be a percentage from 0 to 100')
  const changed = { rate: '4.31', boostRate: '0.00', boostDuration: '' }
  const shown = getData(await preview(changed))
  expect(shown.lines.join(' ')).toContain(`Rate ${terms.rate}% → 4.31%`)
  expect(shown.button).toMatch(/^Change (?:rate to 4\.31%|\d terms)$/)
  const form = await admin.visitor.open(path)
  expect((await admin.visitor.submitForm(form, 'Preview', { ...changed, reason: 'The bank says so.' })).status).toBe(200)
  expect((await admin.visitor.open(path)).text).toContain('Reason: The bank says so.')
  expect(await read(sourceKey)).toEqual(['4.31', '4.31'])
})

test('searches products by key, name, provider and type, and treats wildcards literally', async () => {
  const { sourceKey, accountName } = await someProduct(fixture)
  const getKeys = async (text: string, after = '') =>
    (await ask('products.search', { text, isCorrected: false, after })).rows.map((row: { sourceKey: string }) => row.sourceKey)
  expect(await getKeys(sourceKey.toUpperCase())).toEqual([sourceKey])
  expect(await getKeys(`${accountName} easy-access ${sourceKey}`)).toEqual([sourceKey])
  expect(await getKeys('%')).toEqual([])
  expect(await getKeys('_____')).toEqual([])
  const first = await ask('products.search', { text: '', isCorrected: false, after: '' })
  expect([first.rows.length, first.next]).toEqual([50, first.rows[49].sourceKey])
  expect((await getKeys('', first.next)).some((one: string) => first.rows.some((row: { sourceKey: string }) => row.sourceKey === one))).toBe(false)
})

test('publishes a quarantined import, and every process serves it on the next call', async () => {
  await quarantinedImport(fixture)
  const page = await admin.visitor.open('/admin/imports/feed-card')
  expect(page.text).toContain('This import is quarantined')
  await admin.visitor.submitForm(page, 'Publish 1 rows', { reason: 'It is right.' })
  const cards = await Promise.all([fixture.service.api, other.api].map((api) => call(api, '/reference/cards', key)))
  expect(cards.map(({ body }) => (body['data'] as unknown[]).length)).toEqual([1, 1])
})

test('the imports page shows whether today’s data has arrived', async () => {
  await expect.poll(async () => (await ask('imports.morning')).sources[0].state, { timeout: 20_000 }).not.toBe('due')
  const page = await admin.visitor.open('/admin/imports')
  expect(page.text).toContain('Has this morning’s data arrived?')
  expect(page.text).toContain('card.ndjson')
  expect((await admin.visitor.open('/admin/imports/feed-nothing')).status).toBe(404)
  expect((await admin.visitor.open('/admin/products/no-such-product')).status).toBe(404)
})

test('the data-quality page warns about the last supported tax year from the first day of that year', async () => {
  const lastTaxYear = async (at: string) => (await getQuality({ pool: fixture.pool, sources: [], now: () => Date.parse(at) })).lastTaxYear
  expect(await lastTaxYear('2027-04-05T22:59:00Z')).toBeNull()
  // The first of these times is midnight in London.
  for (const at of ['2027-04-05T23:00:00Z', '2028-04-05T12:00:00Z', '2028-04-06T12:00:00Z', '2031-01-01T00:00:00Z'])
    expect([at, await lastTaxYear(at)]).toEqual([at, { taxYear: '2027-28', endsOn: '2028-04-05' }])
})

test('the data-quality page shows each rule with its thresholds and a link to the matching rows', async () => {
  const { sourceKey, ...typed } = await someProduct(fixture)
  const { count } = await qualityFaults(fixture.pool, Date.now())
  await act('products.correct', { sourceKey, ...typed, rate: '19.99', boostRate: '0.00', boostDuration: '', until: '' })
  // The rate violates two rules: it is too high, and the change was too large.
  expect(await qualityFaults(fixture.pool, Date.now())).toEqual({ count: count + 2, oldest: expect.any(Date) })
  const quality = await ask('boards.quality')
  expect(quality.high.rows[0]).toMatchObject({ sourceKey, rateBp: 1999 })
  expect(quality.moved.rows.map((row: { sourceKey: string }) => row.sourceKey)).toContain(sourceKey)
  expect(quality.unlinked.total).toBeGreaterThan(100)
  const page = await admin.visitor.open('/admin/quality')
  expect(page.html).toContain(`/admin/products/${sourceKey}`)
  expect(page.text).toContain('More than 3.00 percentage points above Bank Rate')
  expect(page.text).toMatch(/\d checks? passed .*Expiring tax years/)
  expect(page.text).not.toContain('Expiring tax years (')
})

test('the service page shows recent traffic, jobs, queues and ledger checks', async () => {
  await call(fixture.service.api, '/rates?limit=99x', key)
  const board = () => ask('boards.service')
  const sum = (lines: { requests: number; refused: number }[], part: 'requests' | 'refused') => lines.reduce((all, line) => all + line[part], 0)
  await expect.poll(async () => sum((await board()).traffic.minutes, 'refused'), { timeout: 20_000 }).toBeGreaterThan(0)
  const { traffic, jobs, database, checks } = await board()
  expect(sum(traffic.hours, 'requests')).toBeGreaterThanOrEqual(sum(traffic.minutes, 'requests'))
  expect(traffic.hour.p95Ms).toBeGreaterThan(0)
  expect(jobs.map((job: { name: string }) => job.name)).toEqual(expect.arrayContaining(['usage.add-up', 'market.orders', 'mail.send']))
  expect(checks.map((check: { name: string }) => check.name)).toEqual(['ledger', 'reconciliation'])
  expect(database.bytes).toBeGreaterThan(1_000_000)
  expect((await admin.visitor.open('/admin/service')).text).toContain('p50')
})

test('lists failed jobs with their error and unfinished jobs as running', async () => {
  const forever = (_pool: unknown, signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve))
  const jobs = [
    { name: 'test.fails', everyMinutes: 5, run: () => Promise.reject(new Error('No such thing.')) },
    { name: 'test.works', everyMinutes: 5, run: async () => undefined },
    { name: 'test.runs', everyMinutes: 5, run: forever },
  ]
  const runner = await JobRunner.start(jobs, fixture.pool, createLog('silent'))
  const statuses = async () => {
    const mine = (await readJobRuns(fixture.pool)).filter(({ name }) => name.startsWith('test.'))
    return mine.map(({ name, begunAt, okAt, failedAt, fault }) => [name, begunAt !== null, okAt !== null, failedAt !== null, fault])
  }
  await expect.poll(statuses).toEqual([
    ['test.fails', false, false, true, 'No such thing.'],
    ['test.runs', true, false, false, null],
    ['test.works', false, true, false, null],
  ])
  await runner.stop()
})
