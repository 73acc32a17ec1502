import { afterEach, expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { refreshMarketJob } from '#server/jobs/refresh-market.job.ts'
import { sourceNamed } from '#server/market/sources/sources.ts'
import { isDue } from '#server/market/statistics/refresh.ts'
import type { Log } from '#server/observability/log.ts'
import { inTurn, type Publisher, publisher, says } from '../sources/publisher.ts'
import { sample, webPage } from '../sources/samples.ts'
import { readAttempts, statisticsDatabase } from './statistics-database.ts'

const database = statisticsDatabase()

const realNow = clock.now
afterEach(() => {
  clock.now = realNow
})

const at = (text: string) => {
  clock.now = () => Date.parse(text)
}

const hourMs = 3_600_000

/** Returns a job with a single source, and its log output. */
function getJob(site: Publisher) {
  const source = sourceNamed('boe-bank-rate')
  if (!source) throw new Error('Unknown source.')
  const said: string[] = []
  const say = (facts: object, message: string) => void said.push(`${message} ${JSON.stringify(facts)}`)
  const log = { debug: say, info: say, warn: say, error: say, fatal: say } as unknown as Log
  const job = refreshMarketJob({ sources: [{ source, url: site.url }], contact: 'https://api.example.test', log })
  return { job, said, run: () => job.run(database.pool) }
}

const csv = sample('boe-iadb-IUDBEDR.csv')

test('runs every minute', async () => {
  const { job } = getJob(await publisher(says(csv)))
  expect(job).toMatchObject({ name: 'market.refresh', everyMinutes: 1 })
})

test('does nothing without sources', async () => {
  const job = refreshMarketJob({ sources: [], contact: 'x', log: {} as Log })
  await job.run(database.pool)
  expect(await readAttempts(database.pool)).toEqual([])
})

test('fetches once a morning at 07:30 in London, in winter and summer', async () => {
  const site = await publisher(says(csv))
  const { run, said } = getJob(site)
  const fetches = async (...times: string[]) => {
    const counts: number[] = []
    for (const time of times) {
      at(time)
      await run()
      counts.push(site.requests.length)
    }
    return counts
  }
  // The first run fetches immediately, because nothing has been fetched yet.
  expect(await fetches('2026-11-20T22:00:00Z', '2026-11-21T07:29:00Z', '2026-11-21T07:30:00Z', '2026-11-21T07:31:00Z', '2026-11-22T07:29:00Z')).toEqual([
    1, 1, 2, 2, 2,
  ])
  expect(said[0]).toBe('Fetched a market data source. {"source":"boe-bank-rate","outcome":"read","values":17,"changed":17}')
})

test.each([
  ['forward', ['2026-03-28T07:30:00Z', '2026-03-29T06:29:00Z', '2026-03-29T06:30:00Z', '2026-03-30T06:29:00Z', '2026-03-30T06:30:00Z']],
  ['back', ['2026-10-24T06:30:00Z', '2026-10-25T07:29:00Z', '2026-10-25T07:30:00Z', '2026-10-26T07:29:00Z', '2026-10-26T07:30:00Z']],
])('fetches once a morning when the clocks go %s', async (_direction, times) => {
  const site = await publisher(says(csv))
  const { run } = getJob(site)
  const counts: number[] = []
  for (const time of times) {
    at(time)
    await run()
    counts.push(site.requests.length)
  }
  expect(counts).toEqual([1, 1, 2, 2, 3])
})

test('retries a failing source hourly up to four times, then the next morning', async () => {
  const site = await publisher(says(webPage))
  const { run, said } = getJob(site)
  const morning = Date.parse('2026-11-21T07:30:00Z')
  for (let minutes = 0; minutes < 24 * 60; minutes += 10) {
    clock.now = () => morning + minutes * 60_000
    await run()
  }
  expect(site.requests).toHaveLength(4)
  expect(said[0]).toContain('A market data source could not be read. The existing data is unchanged.')
  expect(said[0]).toContain('a web page instead of CSV')
  at('2026-11-22T07:30:00Z')
  await run()
  expect(site.requests).toHaveLength(5)
})

test('ignores fetches dated in the future by a wrong clock', async () => {
  const site = await publisher(says(csv))
  const { run } = getJob(site)
  at('2026-11-25T07:31:00Z')
  await run()
  at('2026-11-21T07:31:00Z')
  await run()
  await run()
  expect(site.requests).toHaveLength(2)
})

test('fetches a failing source until it recovers, then not again that morning', async () => {
  const site = await publisher(inTurn(says(webPage), says(csv)))
  const { run } = getJob(site)
  for (const time of ['2026-11-21T07:30:00Z', '2026-11-21T08:29:00Z', '2026-11-21T08:30:00Z', '2026-11-21T09:30:00Z']) {
    at(time)
    await run()
  }
  expect(await readAttempts(database.pool)).toMatchObject([{ error: expect.any(String) }, { error: null, rows: 17 }])
})

test('fetches once across several processes', async () => {
  at('2026-11-21T07:30:00Z')
  const site = await publisher((request, response) => setTimeout(() => says(csv)(request, response), 100))
  const { run } = getJob(site)
  await Promise.all([run(), run(), run()])
  await run()
  expect(site.requests).toHaveLength(1)
})

test('aborts without reporting a failure when the service stops', async () => {
  at('2026-11-21T07:30:00Z')
  const { job } = getJob(await publisher(() => undefined))
  const stopping = new AbortController()
  const running = job.run(database.pool, stopping.signal)
  setTimeout(() => stopping.abort(), 100)
  await running
  expect(await readAttempts(database.pool)).toEqual([])
})

test.each([
  [undefined, true],
  [{ failures: 0, succeeded: true, lastAt: 0 }, false],
  [{ failures: 1, succeeded: false, lastAt: 0 }, true],
  [{ failures: 1, succeeded: false, lastAt: 1 }, false],
  [{ failures: 3, succeeded: false, lastAt: 0 }, true],
  [{ failures: 4, succeeded: false, lastAt: 0 }, false],
  [{ failures: 2, succeeded: true, lastAt: 0 }, false],
])('a source with the previous fetches %j is due: %s', (attempts, due) => {
  expect(isDue(attempts && { source: 'x', url: 'y', ...attempts }, hourMs)).toBe(due)
})
