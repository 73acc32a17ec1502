import { expect, test } from 'vitest'
import { dayMs, daysBefore, isoDay } from '#server/api/contract/dates.ts'
import { describeSampleWeek } from '#server/api/contract/sample-week.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { checkRecord } from '#server/market/checks/check-record.ts'
import { readEvents } from '#server/market/events/events.ts'
import { takeImportLock } from '#server/market/import/apply-feed.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { applySampleDay, moveSample, nextSampleMove, takeOverSample } from '#server/market/sample-week/move-sample.ts'
import { getSampleDay } from '#server/market/sample-week/sample-week.ts'
import { readSample, seedMarket } from '#server/market/seed.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { cites } from '../requirements/verifies.ts'
import { ndjson, provider } from './feeds.ts'
import { marketDatabase, readRows, readVersions } from './market-database.ts'

cites('keys/sample-moves-daily')

const market = marketDatabase()
const quiet = { info: () => undefined }
const seed = () => seedMarket(market.pool, { log: quiet, withDemonstration: false })
const move = (day: string) => applySampleDay(market.pool, day, quiet)

/** Returns the number of transactions waiting for a lock. */
const countWaiting = async () =>
  (await market.pool.query('SELECT FROM pg_locks JOIN pg_database d ON d.oid = database WHERE datname = current_database() AND NOT granted')).rows.length

const [monday, tuesday, wednesday, sunday, nextMonday] = ['2026-11-30', '2026-12-01', '2026-12-02', '2026-12-06', '2026-12-07'] as const

async function readList() {
  const sample = (await loadSnapshot(market.pool)).dataset('sample')
  const products = sample.products({ limit: 100 }).rows.map(({ product: { sourceKey, baseRateBp, rateBp } }) => `${sourceKey} ${baseRateBp} ${rateBp}`)
  return [...products, ...sample.switchOffers().map(({ offerKey, bonusPence }) => `${offerKey} ${bonusPence}`)].sort()
}

/** Returns the events after the first `count`, as "type key". */
const readNewEvents = async (count: number) =>
  (await readEvents(market.pool, { after: 0, limit: 1_000 })).slice(count).map((event) => {
    if (event.type === 'rate.changed') return `${event.type} ${event.change.sourceKey}`
    return event.type === 'switch_offer.changed' ? `${event.type} ${event.offer.offerKey}` : `${event.type} ${event.product.sourceKey}`
  })

test('each day of the week differs from the one before: one product added, one withdrawn, two changed', async () => {
  const files = await readSample()
  const week = describeSampleWeek()
  const readDay = (day: string) => {
    const [products] = getSampleDay(files, day)
    return new Map(
      (products?.text ?? '')
        .trim()
        .split('\n')
        .map((line) => [(JSON.parse(line) as { sourceKey: string }).sourceKey, line]),
    )
  }
  for (const [index, { weekday, added, withdrawn, changed }] of week.entries()) {
    const day = isoDay(Date.parse(monday) + index * dayMs)
    expect(new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' }).format(new Date(day))).toBe(weekday)
    const [before, after] = [readDay(daysBefore(day, 1)), readDay(day)]
    expect([...after.keys()].filter((key) => !before.has(key))).toEqual([added])
    expect([...before.keys()].filter((key) => !after.has(key))).toEqual([withdrawn])
    expect([...after].flatMap(([key, line]) => (before.has(key) && before.get(key) !== line ? [key] : [])).sort()).toEqual([...changed].sort())
    expect([after.size, changed.length]).toEqual([40, 2])
    expect([...after.values()].flatMap((line) => checkRecord('product', JSON.parse(line), day))).toEqual([])
  }
  expect(getSampleDay(files, nextMonday)).toEqual(getSampleDay(files, monday))
})

test("changes the market from any other day's to the current day's, and changes nothing on the same day", async () => {
  await seed()
  await move(monday)
  await move(wednesday)
  const list = await readList()
  const [rows, versions] = [await readRows(market.pool), await readVersions(market.pool)]
  await Promise.all([move(wednesday), move(wednesday)])
  await seed()
  expect([await readRows(market.pool), await readVersions(market.pool)]).toEqual([rows, versions])
  for (const day of [sunday, monday, tuesday]) await move(day)
  expect(await readList()).not.toEqual(list)
  await move(wednesday)
  expect(await readList()).toEqual(list)
})

test('writes the history and events of each day, but no events for the first day', async () => {
  await seed()
  await move(sunday)
  expect(await readNewEvents(0)).toEqual([])
  const { rows: before } = await market.pool.query('SELECT seq FROM rate_change')
  let written = 0
  for (const [index, { added, withdrawn, changed, offers }] of describeSampleWeek().entries()) {
    await move(isoDay(Date.parse(nextMonday) + index * dayMs))
    const expected = [
      ...[`product.added ${added}`, `product.withdrawn ${withdrawn}`],
      ...changed.map((key) => `rate.changed ${key}`),
      ...offers.map((key) => `switch_offer.changed ${key}`),
    ]
    expect((await readNewEvents(written)).sort()).toEqual(expected.sort())
    written += expected.length
  }
  const { rows: after } = await market.pool.query('SELECT seq FROM rate_change')
  expect(after.length - before.length).toBe(7 * 4)
})

test('follows the day of the database until midnight UTC', async () => {
  await seed()
  await moveSample(market.pool, { log: quiet })
  const list = await readList()
  await move(tuesday)
  await move(isoDay(Date.now()))
  expect(await readList()).toEqual(list)
  expect((await nextSampleMove(market.pool)).toISOString()).toBe(`${isoDay(Date.now() + dayMs)}T00:00:00.000Z`)
})

test('imports nothing for a day that has ended, and then imports the new day', async () => {
  await seed()
  const other = isoDay(Date.now() - 2 * dayMs)
  await move(daysBefore(other, 1))
  const list = await readList()
  await expect(applySampleDay(market.pool, other, quiet, true)).rejects.toThrow('ended')
  expect(await readList()).toEqual(list)
})

test("doesn't change an operator's own sample or an empty market", async () => {
  await move(monday)
  expect(await readRows(market.pool)).toEqual([])
  await seed()
  await importFeed(market.pool, { source: ndjson(provider('own')), fileName: 'own.ndjson', dataset: 'sample', partial: true })
  const rows = await readRows(market.pool)
  await move(monday)
  expect(await readRows(market.pool)).toEqual(rows)
})

test('a release with new sample files replaces the old ones, and applies the day to the new ones', async () => {
  await seed()
  await move(wednesday)
  const list = await readList()
  // Simulates a release with a new history file, which the seed has not imported yet.
  await market.pool.query("DELETE FROM market_import WHERE dataset = 'sample' AND kind = 'rate_history'")
  await seed()
  await move(wednesday)
  expect(await readList()).toEqual(list)
})

test("never overwrites an operator's import that was running when the day began", async () => {
  await seed()
  await move(tuesday)
  const list = await readList()
  // The operator's import holds the lock until the day's files have been read and compared with the market before it.
  const [isLocked, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const feed = { source: ndjson(provider('own')), fileName: 'own.ndjson', dataset: 'sample', partial: true } as const
  const operator = importFeed(market.pool, feed, async () => {
    isLocked.resolve()
    await mayCommit.promise
  })
  await isLocked.promise
  const moved = move(wednesday)
  await expect.poll(countWaiting).toBe(1)
  mayCommit.resolve()
  await Promise.all([operator, moved])
  expect(await readList()).toEqual(list)
})

/** Records the seed of a release with other files. */
async function recordOtherSeed(at: Date): Promise<void> {
  const record = { dataset: 'sample', rows: 40, added: 0, changed: 1, withdrawn: 0, isSeed: true, at, sha256: 'f'.repeat(64) }
  await market.pool.marketImport.create({ data: { ...record, kind: 'product', fileName: 'products.ndjson' } })
  await market.pool.marketImport.create({ data: { ...record, kind: 'switch_offer', fileName: 'switch-offers.ndjson' } })
}

test("an older release doesn't change a market that a newer release has seeded", async () => {
  await seed()
  await move(tuesday)
  const list = await readList()
  await recordOtherSeed(new Date())
  await move(wednesday)
  expect(await readList()).toEqual(list)
})

test("doesn't change a market that a newer release seeded while the day's files were being read", async () => {
  await seed()
  await move(tuesday)
  const list = await readList()
  const [isLocked, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const newer = inTransaction(market.pool, async (tx) => {
    await takeImportLock(tx, 10)
    isLocked.resolve()
    await mayCommit.promise
  })
  await isLocked.promise
  const moved = move(wednesday)
  await expect.poll(countWaiting).toBe(1)
  await recordOtherSeed(new Date())
  mayCommit.resolve()
  await Promise.all([newer, moved])
  expect(await readList()).toEqual(list)
})

test('three hours after midnight, takes over from a release that no longer updates the market', async () => {
  await seed()
  await move(tuesday)
  await recordOtherSeed(new Date('2026-12-01T12:00:00Z'))
  await market.pool.query("UPDATE market_import SET at = '2026-12-01T12:00:00Z' WHERE dataset = 'sample'")
  const moveAt = async (time: string) => {
    await takeOverSample(market.pool, Date.parse(time), quiet)
    await move(wednesday)
  }
  const list = await readList()
  await moveAt('2026-12-01T23:00:00Z')
  await moveAt('2026-12-02T02:59:00Z')
  expect(await readList()).toEqual(list)
  await moveAt('2026-12-02T03:00:00Z')
  const moved = await readList()
  expect(moved).not.toEqual(list)
  await move(tuesday)
  await move(wednesday)
  expect(await readList()).toEqual(moved)
})

test("seeding again never overwrites an operator's import that was running", async () => {
  await seed()
  await market.pool.query("DELETE FROM market_import WHERE dataset = 'sample' AND kind = 'rate_history'")
  const [isLocked, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const feed = { source: ndjson(provider('own')), fileName: 'own.ndjson', dataset: 'sample', partial: true } as const
  const operator = importFeed(market.pool, feed, async () => {
    isLocked.resolve()
    await mayCommit.promise
  })
  await isLocked.promise
  const seeded = seed()
  await expect.poll(countWaiting).toBe(1)
  mayCommit.resolve()
  await Promise.all([operator, seeded])
  const names = (await market.pool.query<{ name: string }>("SELECT file_name AS name FROM market_import WHERE dataset = 'sample' ORDER BY id")).rows
  expect(names.at(-1)).toEqual({ name: 'own.ndjson' })
})
