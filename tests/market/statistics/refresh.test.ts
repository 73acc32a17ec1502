import { describe, expect, test } from 'vitest'
import { type FetchLimits, usualLimits } from '#server/market/sources/fetch-source.ts'
import { sourceNamed } from '#server/market/sources/sources.ts'
import { refreshSources } from '#server/market/statistics/refresh.ts'
import { seedStatistics } from '#server/market/statistics/seed-statistics.ts'
import { loadStatistics } from '#server/market/statistics/statistics.ts'
import { breaksOff, drips, inTurn, type Publisher, publisher, says } from '../sources/publisher.ts'
import { type SampleName, sample, turnedRound, webPage } from '../sources/samples.ts'
import { marketVersion, readAttempts, readValues, statisticsDatabase } from './statistics-database.ts'

const database = statisticsDatabase()

const today = Date.parse('2026-11-21T12:00:00Z')
const quick: FetchLimits = { ...usualLimits, attemptMs: 5_000, totalMs: 10_000, attempts: 2, backoffMs: 5 }

function configured(name: string, site: Publisher) {
  const source = sourceNamed(name)
  if (!source) throw new Error(`Unknown source ${name}.`)
  return { source, url: site.url }
}

type Given = { now?: number; limits?: FetchLimits }

const refresh = (sources: ReturnType<typeof configured>[], { now = today, limits = quick }: Given = {}) =>
  refreshSources(database.pool, sources, { contact: 'https://api.example.test', now: () => now, limits })

const load = (now = today) => loadStatistics(database.pool, () => now)

async function serve(name: SampleName): Promise<Publisher> {
  return await publisher(says(sample(name)))
}

describe('real publisher files', () => {
  test('merges real files into the history in one transaction, with one new version', async () => {
    await seedStatistics(database.pool)
    const before = await marketVersion(database.pool)
    const reports = await refresh([
      configured('boe-bank-rate', await serve('boe-iadb-IUDBEDR.csv')),
      configured('boe-quoted-rates', await serve('boe-iadb-IUMWTFA.csv')),
      configured('ecb-key-rates', await serve('ecb-dfr.csv')),
      configured('ecb-fx-history', await serve('eurofxref-hist.csv')),
      configured('ons-cpi', await serve('ons-d7g7-mm23.data.json')),
      configured('currency-api', await serve('npm-currency-api-gbp.json')),
    ])
    expect(reports).toEqual([
      // The stored history contained only the day of the rate change; the file repeats the rate for every day.
      { source: 'boe-bank-rate', outcome: 'read', values: 17, changed: 16 },
      { source: 'boe-quoted-rates', outcome: 'read', values: 32, changed: 0 },
      { source: 'ecb-key-rates', outcome: 'read', values: 6, changed: 3 },
      { source: 'ecb-fx-history', outcome: 'read', values: 203, changed: 203 },
      { source: 'ons-cpi', outcome: 'read', values: 8, changed: 0 },
      // All rates except the Swedish krona's have more digits than in the bundled history.
      { source: 'currency-api', outcome: 'read', values: 41, changed: 40 },
    ])
    expect(await marketVersion(database.pool)).toBe(before + 1)
    const statistics = await load()
    // A day on which the source repeats the rate isn't a change.
    expect(statistics.bankRate()?.history).toHaveLength(34)
    expect(statistics.bankRate()).toMatchObject({ currentBp: 375, effectiveDate: '2025-12-18', asOf: '2026-10-06' })
    expect(statistics.ecbRates()).toMatchObject({ depositFacilityBp: 250, effectiveDate: '2026-09-16' })
    expect(statistics.ecbRates()?.history).toHaveLength(42)
    expect(statistics.inflation()).toMatchObject({ cpi: { valueBp: 310, month: '2026-08' }, releasedOn: '2026-09-16', nextReleaseOn: null })
    expect(statistics.fxRates('USD')[0]).toMatchObject({ rate: '1.32382204', date: '2026-09-29', source: 'currency-api, indicative mid-market rates' })
    const [day] = statistics.fxHistory({ currency: 'USD', from: '2026-03-05', to: '2026-03-05', limit: 1 }).rows
    expect(day).toMatchObject({
      rate: '1.33617',
      source: 'European Central Bank, euro reference rates converted to pounds',
      fetchedAt: '2026-11-21T12:00:00.000Z',
    })
  })

  test('records the source, status and latest value of each fetch', async () => {
    await refresh([configured('boe-bank-rate', await serve('boe-iadb-IUDBEDR.csv')), configured('ons-cpi', await publisher(says(webPage)))])
    expect(await readAttempts(database.pool)).toEqual([
      { source: 'boe-bank-rate', status: 200, rows: 17, changed: 17, error: null, as_of: '2026-01-09' },
      { source: 'ons-cpi', status: null, rows: null, changed: null, error: expect.stringContaining('a web page instead of CSV'), as_of: null },
    ])
  })

  test('deletes old attempts, except the last successful one, whose validators are in use', async () => {
    const site = await publisher(says(webPage))
    const before = today - 500 * 86_400_000
    await refresh([configured('boe-bank-rate', site)], { now: before })
    site.answer = says(sample('boe-iadb-IUDBEDR.csv').split('\r\n').slice(0, 3).join('\r\n').replaceAll('2025', '2024').concat('\r\n'))
    await refresh([configured('boe-bank-rate', site)], { now: before + 1_000 })
    expect(await readAttempts(database.pool)).toMatchObject([{ error: expect.any(String) }, { rows: 2 }])
    site.answer = says(webPage)
    await refresh([configured('boe-bank-rate', site)])
    expect(await readAttempts(database.pool)).toMatchObject([{ rows: 2 }, { error: expect.any(String) }])
  })

  test('changes nothing for the same file in a different order', async () => {
    const site = await serve('boe-iadb-IUDBEDR.csv')
    await refresh([configured('boe-bank-rate', site)])
    const [values, version] = [await readValues(database.pool), await marketVersion(database.pool)]
    site.answer = says(turnedRound(sample('boe-iadb-IUDBEDR.csv'), 1))
    expect(await refresh([configured('boe-bank-rate', site)], { now: today + 60_000 })).toMatchObject([{ outcome: 'read', values: 17, changed: 0 }])
    expect([await readValues(database.pool), await marketVersion(database.pool)]).toEqual([values, version])
  })

  test('sends the validators of the last successful response, and skips an unchanged file', async () => {
    const csv = sample('boe-iadb-IUDBEDR.csv')
    const answers = [says(csv, { etag: '"good"' }), says(webPage, { etag: '"bad"' }), says('', {}, 304)]
    const site = await publisher(inTurn(...answers))
    const source = [configured('boe-bank-rate', site)]
    expect(await refresh(source)).toMatchObject([{ outcome: 'read' }])
    const [values, version] = [await readValues(database.pool), await marketVersion(database.pool)]
    expect(await refresh(source, { now: today + 1_000 })).toMatchObject([{ outcome: 'failed' }])
    expect(await refresh(source, { now: today + 2_000 })).toEqual([{ source: 'boe-bank-rate', outcome: 'unchanged' }])
    expect(site.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"good"', '"good"'])
    expect([await readValues(database.pool), await marketVersion(database.pool)]).toEqual([values, version])
  })

  test('updates asOf and bumps the version when the source repeats the current Bank Rate', async () => {
    await seedStatistics(database.pool)
    const version = await marketVersion(database.pool)
    await refresh([configured('boe-bank-rate', await publisher(says('DATE,IUDBEDR\r\n19 Nov 2026,3.75\r\n20 Nov 2026,3.75\r\n')))])
    expect((await load()).bankRate()).toMatchObject({
      currentBp: 375,
      effectiveDate: '2025-12-18',
      asOf: '2026-11-20',
      stale: false,
      fetchedAt: '2026-11-21T12:00:00.000Z',
    })
    expect(await marketVersion(database.pool)).toBe(version + 1)
  })

  test('fills in a missing value from the source', async () => {
    await seedStatistics(database.pool)
    const rows = ['2008-10-07,4.25', '2008-10-08,4.25', '2008-10-09,4.25'].map((row) => `FM.D.U2.EUR.4F.KR.MRR_FR.LEV,${row}\n`)
    await refresh([configured('ecb-key-rates', await publisher(says(`KEY,TIME_PERIOD,OBS_VALUE\n${rows.join('')}`)))])
    const history = (await load()).ecbRates()?.history ?? []
    expect(history.find(({ effectiveDate }) => effectiveDate === '2008-10-08')).toEqual({
      effectiveDate: '2008-10-08',
      depositFacilityBp: 275,
      mainRefinancingBp: 425,
      marginalLendingBp: 475,
    })
    expect(history).toHaveLength(42)
  })

  test('shows an announced release until its date has passed', async () => {
    await seedStatistics(database.pool)
    const version = await marketVersion(database.pool)
    await refresh([configured('ons-cpi', await publisher(says(sample('ons-d7g7-mm23.csv').replace('21 October 2026', '16 December 2026'))))])
    expect((await load()).inflation()).toMatchObject({ nextReleaseOn: '2026-12-16' })
    expect((await load(Date.parse('2026-12-17T00:30:00Z'))).inflation()).toMatchObject({ nextReleaseOn: null })
    // The file has no new values, but the responses of the API change.
    expect(await marketVersion(database.pool)).toBe(version + 1)
  })

  test("prefers a central bank's rate to an indicative one for the same day, in either order", async () => {
    const indicative = sample('npm-currency-api-gbp.json').replace('2026-09-29', '2026-03-05')
    const [ecb, api] = [configured('ecb-fx-daily', await serve('eurofxref-daily.xml')), configured('currency-api', await publisher(says(indicative)))]
    const usd = async () => (await load()).fxRates('USD')[0]?.rate
    await refresh([api])
    expect(await usd()).toBe('1.32382204')
    await refresh([ecb], { now: today + 1_000 })
    expect(await usd()).toBe('1.33617')
    await refresh([api], { now: today + 2_000 })
    expect(await usd()).toBe('1.33617')
    expect((await load()).fxRates('AED')[0]?.rate).toBe('4.86173644')
  })

  test('reads a full history file only as far back as needed', async () => {
    const old = '2019-01-02,1.1397,0.9,\n'
    const site = await publisher(says(`Date,USD,GBP,\n2026-03-05,1.1618,0.8695,\n${old}`))
    expect(await refresh([configured('ecb-fx-history', site)])).toMatchObject([{ values: 2, changed: 2 }])
  })
})

const whole = sample('boe-iadb-IUDBEDR.csv')
const day = '18 Dec 2025,3.75\r\n'

describe('unusable files and failing sources', () => {
  test.each([
    ['a file truncated in the middle of a line', says(whole.slice(0, -4)), 'The file is truncated at line 18.'],
    ['an aborted response', breaksOff(whole), 'closed the connection'],
    ['HTML instead of CSV', says(webPage, { 'content-type': 'text/html' }), 'a web page instead of CSV. Open the URL in a browser'],
    ['an endless response', drips(day.repeat(20_000), 1), 'The response is larger than 100000 bytes.'],
    ['a slow response', drips(day, 20), 'did not respond within 0.2 seconds'],
    ['no response', () => undefined, 'did not respond within 0.2 seconds'],
    ['a 410', says('gone', {}, 410), 'status 410. The file has moved'],
    ['a 403', says('no', {}, 403), 'status 403. The publisher rejected the request'],
    ['a 500', says('no', {}, 500), 'status 500. The publisher may be busy'],
    ['a file with a different series', says(sample('boe-iadb-IUMWTFA.csv')), 'The file contains none of the expected values.'],
    ['a file with different columns', says('Title,Rate\r\nBank Rate,3.75\r\n'), 'The file has no column DATE'],
    ['a value dated in the future', says('DATE,IUDBEDR\r\n23 Nov 2026,3.50\r\n'), 'has a value for 2026-11-23, which is in the future'],
    ['an implausible value', says('DATE,IUDBEDR\r\n20 Nov 2026,375\r\n'), 'is 375 on 2026-11-20, which is not a plausible percentage'],
    ['two values for one day', says('DATE,IUDBEDR\r\n20 Nov 2026,3.75\r\n20 Nov 2026,3.50\r\n'), 'has two values for 2026-11-20: 3.75 and 3.5'],
  ])('reports a clear error and keeps the stored data for %s', async (_name, answer, message) => {
    await seedStatistics(database.pool)
    const [values, version] = [await readValues(database.pool), await marketVersion(database.pool)]
    const limits = { ...quick, maximumBytes: 100_000, attemptMs: message.includes('seconds') ? 200 : quick.attemptMs }
    const reports = await refresh([configured('boe-bank-rate', await publisher(answer))], { limits })
    expect(reports).toEqual([{ source: 'boe-bank-rate', outcome: 'failed', error: expect.stringContaining(message) }])
    expect([await readValues(database.pool), await marketVersion(database.pool)]).toEqual([values, version])
    expect(await readAttempts(database.pool)).toMatchObject([{ source: 'boe-bank-rate', rows: null, error: expect.stringContaining(message) }])
    expect((await load()).bankRate()).toMatchObject({ currentBp: 375, asOf: '2026-10-06', stale: true })
  })

  test('keeps all stored values if a file is truncated at the end of a line', async () => {
    await seedStatistics(database.pool)
    const site = await serve('boe-iadb-IUDBEDR.csv')
    await refresh([configured('boe-bank-rate', site)])
    const values = await readValues(database.pool)
    site.answer = says(whole.split('\r\n').slice(0, 4).join('\r\n').concat('\r\n'))
    expect(await refresh([configured('boe-bank-rate', site)], { now: today + 1_000 })).toMatchObject([{ outcome: 'read', values: 3, changed: 0 }])
    expect(await readValues(database.pool)).toEqual(values)
  })

  test('does not let a failing source affect the others', async () => {
    const bad = await publisher(says(webPage))
    const reports = await refresh([configured('boe-bank-rate', bad), configured('ons-cpi', await serve('ons-d7g7-mm23.csv')), configured('currency-api', bad)])
    expect(reports.map(({ outcome }) => outcome)).toEqual(['failed', 'read', 'failed'])
    expect((await load()).inflation()).toMatchObject({ cpi: { valueBp: 310 } })
  })

  test('keeps fetched values when a release imports its bundled history again', async () => {
    await refresh([configured('boe-bank-rate', await publisher(says('DATE,IUDBEDR\r\n06 Oct 2026,3.50\r\n')))])
    await seedStatistics(database.pool)
    expect((await load()).bankRate()).toMatchObject({ currentBp: 350, asOf: '2026-10-06' })
  })
})
