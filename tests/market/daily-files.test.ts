import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { keptDays } from '#server/api/contract/endpoint.ts'
import { getSnapshot } from '#server/api/endpoints/snapshots/snapshot-file.ts'
import { BoundedCache } from '#server/market/daily-files/bounded-cache.ts'
import type { FileFormat, FileName, NewFile } from '#server/market/daily-files/daily-file.ts'
import { PastMarkets } from '#server/market/daily-files/past-markets.ts'
import { FileStore } from '#server/market/daily-files/read-files.ts'
import { deleteOldFiles, findDueDay, storeDay } from '#server/market/daily-files/store-day.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { dailyFiles } from '#server/runtime/daily-files.ts'
import { type Line, ndjson, product, provider } from './feeds.ts'
import { marketDatabase } from './market-database.ts'

const market = marketDatabase()

const noon = (day: string) => Date.parse(`${day}T12:00:00Z`)

async function* lines(...texts: string[]): AsyncGenerator<string> {
  yield* texts
}

const file = (text: string, name: FileName = 'rates', format: FileFormat = 'ndjson'): NewFile => ({ name, format, lines: lines(text), updatedUntil: null })

const store = (day: string, ...files: NewFile[]) => storeDay(market.pool, 'live', day, files, noon(day))

const readText = async (day: string, name: FileName, format: FileFormat = 'ndjson') => {
  const content = await new FileStore(market.pool, () => noon(day)).of('live').read({ name, format, day })
  return content && gunzipSync(content).toString()
}

const take = (...records: Line[]) => importFeed(market.pool, { source: ndjson(...records), fileName: 'feed.ndjson', dataset: 'live', partial: true })

const current = dailyFiles({ publicUrl: 'https://api.test', market: () => loadSnapshot(market.pool) })

test('stores each day once, even if several processes store it at the same time', async () => {
  const processes = ['a', 'b', 'c', 'd'].map((mark) => store('2026-11-20', file(`${mark}\n`), file(`${mark}\n`, 'providers')))
  const stored = await Promise.all(processes)
  expect(stored.filter((isNew) => isNew)).toHaveLength(1)
  const [rates, providers] = [await readText('2026-11-20', 'rates'), await readText('2026-11-20', 'providers')]
  expect(rates).toBe(`${['a', 'b', 'c', 'd'][stored.indexOf(true)]}\n`)
  expect(providers).toBe(rates)
  expect(await store('2026-11-20', file('later\n'))).toBe(false)
  expect(await readText('2026-11-20', 'rates')).toBe(rates)
})

test('counts rows without the header, and describes the decompressed content', async () => {
  const text = 'Ål, £5\n'
  await store('2026-11-20', { ...file(''), header: 'name\n', lines: lines(text, text) }, file('other\n', 'providers'))
  const list = await new FileStore(market.pool, () => noon('2026-11-20')).of('live').list({})
  const rates = list.find(({ name }) => name === 'rates')
  expect(await readText('2026-11-20', 'rates')).toBe(`name\n${text}${text}`)
  expect(rates).toMatchObject({ rows: 2, bytes: Buffer.byteLength(`name\n${text}${text}`), day: '2026-11-20', createdAt: '2026-11-20T12:00:00.000Z' })
  expect(rates?.etag).toMatch(/^W\/"[\w-]{22}"$/)
  expect(list.find(({ name }) => name === 'providers')?.etag).not.toBe(rates?.etag)
})

test('also stores published files with Brotli, and offers older files only with gzip', async () => {
  await store('2026-11-20', file('a\n'), file('b\n', 'rates', 'rows'))
  const files = new FileStore(market.pool, () => noon('2026-11-20')).of('live')
  const [stored] = await files.list({})
  const content = stored && (await files.read(stored, 'br'))
  expect([content && brotliDecompressSync(content).toString(), stored?.brotliBytes]).toEqual(['a\n', content?.length])
  await storeDay(market.pool, 'live', '2026-11-20', await current('live'), noon('2026-11-20'))
  const codings = async () => (await getSnapshot(files, 'providers', undefined)).csv.codings
  expect(await codings()).toEqual(['br', 'gzip'])
  await market.pool.dailyFile.updateMany({ data: { brotli: null, brotliBytes: null } })
  expect(await codings()).toEqual(['gzip'])
})

const done = async () => true
const pending = async () => false
const dueAt = (time: string, isImported = done) => findDueDay(market.pool, 'live', isImported, Date.parse(time))

test('stores each day after its morning import, and the first day immediately', async () => {
  expect(await dueAt('2026-11-20T02:00:00Z', pending)).toBe('2026-11-19')
  expect(await dueAt('2026-11-20T07:31:00Z', pending)).toBe('2026-11-20')
  await store('2026-11-20', file('a\n'))
  expect(await dueAt('2026-11-20T23:59:00Z')).toBeNull()
  expect(await dueAt('2026-11-21T07:29:00Z')).toBeNull()
  expect(await dueAt('2026-11-21T07:31:00Z')).toBe('2026-11-21')
  expect(await dueAt('2026-11-21T07:31:00Z', pending)).toBeNull()
  expect(await dueAt('2026-11-21T12:31:00Z', pending)).toBe('2026-11-21')
  expect(await dueAt('2026-11-22T18:00:00Z', pending)).toBe('2026-11-22')
})

test('does not store the first day of the sample market before that morning', async () => {
  const sampleDueAt = (time: string) => findDueDay(market.pool, 'sample', done, Date.parse(time))
  expect(await sampleDueAt('2026-11-20T02:00:00Z')).toBeNull()
  expect(await sampleDueAt('2026-11-20T07:31:00Z')).toBe('2026-11-20')
})

test('stores one day per London day when the clocks change', async () => {
  await store('2026-10-24', file('a\n'))
  // The clocks go back at 01:00 UTC on 25 October, so 07:30 in London is 07:30 UTC.
  expect(await dueAt('2026-10-25T06:31:00Z')).toBeNull()
  expect(await dueAt('2026-10-25T07:31:00Z')).toBe('2026-10-25')
  await store('2027-03-27', file('a\n'))
  // They go forward on 28 March: 07:30 in London is 06:30 UTC, and 23:30 UTC is the next day.
  expect(await dueAt('2027-03-28T06:29:00Z')).toBeNull()
  expect(await dueAt('2027-03-28T06:31:00Z')).toBe('2027-03-28')
  await store('2027-03-28', file('a\n'))
  expect(await dueAt('2027-03-28T23:30:00Z')).toBeNull()
})

test(`offers today and the ${keptDays} days before, and deletes files a day later`, async () => {
  for (const day of ['2026-10-19', '2026-10-20', '2026-10-21', '2026-11-20']) await store(day, file(`${day}\n`))
  const days = async () => (await new FileStore(market.pool, () => noon('2026-11-20')).of('live').list({ name: 'rates' })).map(({ day }) => day)
  expect(await days()).toEqual(['2026-11-20', '2026-10-21'])
  await deleteOldFiles(market.pool, noon('2026-11-20'))
  const rows = await market.pool.dailyFile.findMany({ select: { day: true }, orderBy: { day: 'asc' } })
  expect(rows.map(({ day }) => day.toISOString().slice(0, 10))).toEqual(['2026-10-20', '2026-10-21', '2026-11-20'])
})

test('rebuilds every stored day when all are read concurrently', async () => {
  await take(provider('harrow'))
  await take(product('a'))
  const days = Array.from({ length: keptDays }, (_, at) => new Date(noon('2026-11-20') - at * 86_400_000).toISOString().slice(0, 10))
  for (const day of days) await storeDay(market.pool, 'live', day, await current('live'), noon(day))
  const files = new FileStore(market.pool, () => noon('2026-11-20')).of('live')
  const markets = new PastMarkets()
  const views = await Promise.all(days.map((day) => markets.get(files, 'live', day)))
  expect(views.map((view) => view?.productCount)).toEqual(days.map(() => 1))
})

test('rebuilds the market of a past day', async () => {
  await take(
    provider('harrow', { name: 'Härrow & Sons', trustScore: '4.3', trustReviewCount: 10, trustSource: 'Example', trustAsOf: '2026-11-01' }),
    provider('kestrel'),
  )
  await take(product('a'), product('b', { providerSlug: 'kestrel', maxBalance: null, accountType: 'notice', noticeDays: 30 }))
  const before = (await loadSnapshot(market.pool)).dataset('live')
  const day = '2026-11-20'
  await storeDay(market.pool, 'live', day, await current('live'), noon(day))
  await take(product('a', { rate: '2.00', baseRate: '2.00', boostRate: '0.00', boostDuration: null }), product('c'))
  const files = new FileStore(market.pool, () => noon(day)).of('live')
  const past = await new PastMarkets().get(files, 'live', day)
  const readAll = (view: typeof before | null) => [view?.products({ limit: 10 }).rows, view?.directory(null, 10).rows, view?.changedAt]
  expect(readAll(past)).toEqual(readAll(before))
  expect(past?.product('c')).toBeUndefined()
  expect(await new PastMarkets().get(files, 'live', '2026-11-19')).toBeNull()
})

test('reads columns that a later release added as null', async () => {
  await take(provider('harrow'))
  await take(product('a'))
  const files = await current('live')
  async function* withoutNotice(file: NewFile): AsyncGenerator<string> {
    for await (const line of file.lines) yield line.replace(/"noticeDays":null,/, '')
  }
  await storeDay(
    market.pool,
    'live',
    '2026-11-20',
    files.map((one) => ({ ...one, lines: withoutNotice(one) })),
    noon('2026-11-20'),
  )
  expect(await readText('2026-11-20', 'rates', 'rows')).not.toContain('noticeDays')
  const past = await new PastMarkets().get(new FileStore(market.pool, () => noon('2026-11-20')).of('live'), 'live', '2026-11-20')
  expect(past?.product('a')?.product.noticeDays).toBeNull()
})

test('shares concurrent loads of a day, and limits the days kept in memory', async () => {
  const cache = new BoundedCache<number>(10, (value) => value)
  const loads: string[] = []
  const load = (key: string, weight: number) =>
    cache.get(key, async () => {
      loads.push(key)
      return weight
    })
  expect(await Promise.all([load('a', 4), load('a', 4), load('b', 4)])).toEqual([4, 4, 4])
  expect(loads).toEqual(['a', 'b'])
  await load('a', 4)
  // Over the limit: b was used least recently.
  await load('c', 4)
  await load('a', 4)
  expect(loads).toEqual(['a', 'b', 'c'])
  await load('b', 4)
  expect(loads).toEqual(['a', 'b', 'c', 'b'])
  // A value that is larger than the limit is kept until the next one is loaded.
  await load('large', 20)
  await load('large', 20)
  expect(loads.filter((key) => key === 'large')).toHaveLength(1)
  const failing = () => cache.get('failing', () => Promise.reject(new Error('No connection.')))
  await expect(failing()).rejects.toThrow('No connection.')
  expect(await load('failing', 1)).toBe(1)
})
