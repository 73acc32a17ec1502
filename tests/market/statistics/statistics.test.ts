import { expect, test, vi } from 'vitest'
import { toBankRate } from '#server/market/statistics/key-rates.ts'
import { seedStatistics } from '#server/market/statistics/seed-statistics.ts'
import { loadStatistics } from '#server/market/statistics/statistics.ts'
import { marketVersion, readValues, statisticsDatabase } from './statistics-database.ts'

const database = statisticsDatabase()

const at = (text: string) => () => Date.parse(text)
const today = at('2026-11-21T12:00:00Z')

async function seeded(now = today) {
  await seedStatistics(database.pool)
  return await loadStatistics(database.pool, now)
}

const found = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('No such statistic.')
  return value
}

test('imports the bundled history once', async () => {
  const before = await marketVersion(database.pool)
  expect(await seedStatistics(database.pool)).toHaveLength(8)
  const values = await readValues(database.pool)
  expect(values.length).toBeGreaterThan(1_000)
  expect(await marketVersion(database.pool)).toBe(before + 1)
  const query = vi.spyOn(database.pool, 'query')
  expect(await seedStatistics(database.pool)).toEqual([])
  expect(query).toHaveBeenCalledTimes(1)
  query.mockRestore()
  expect(await readValues(database.pool)).toEqual(values)
  expect(await marketVersion(database.pool)).toBe(before + 1)
})

test('seeds one history from two concurrent processes', async () => {
  await Promise.all([seedStatistics(database.pool), seedStatistics(database.pool)])
  expect(found((await loadStatistics(database.pool, today)).bankRate()).history).toHaveLength(34)
})

test('returns every Bank Rate change since December 2007, newest first', async () => {
  const rate = found((await seeded()).bankRate())
  expect(rate).toMatchObject({
    series: 'IUDBEDR',
    currentBp: 375,
    effectiveDate: '2025-12-18',
    previousBp: 400,
    changeBp: -25,
    asOf: '2026-10-06',
    source: 'Bank of England, Official Bank Rate',
    licence: 'Open Government Licence v3.0',
    fetchedAt: '2026-11-21T00:00:00.000Z',
    stale: true,
  })
  expect(rate.history).toHaveLength(34)
  expect(rate.history[0]).toEqual({ date: '2025-12-18', rateBp: 375, changeBp: -25 })
  expect(rate.history[33]).toEqual({ date: '2007-12-06', rateBp: 550, changeBp: null })
  expect(rate.history.find(({ date }) => date === '2021-12-16')).toEqual({ date: '2021-12-16', rateBp: 25, changeBp: 15 })
})

test('returns null for the previous rate and the change after a gap in the data', () => {
  const origin = { asOf: '2026-03-01', source: 'a source', licence: 'a licence', fetchedAt: '2026-03-02T00:00:00.000Z' }
  const getRate = (...values: (number | null)[]) => {
    const points = values.map((valueBp, day) => ({ date: `2026-03-0${day + 1}`, valueBp }))
    return found(toBankRate(new Map([['IUDBEDR', { points, ...origin }]])))
  }
  expect(getRate(500, null, 475)).toMatchObject({ currentBp: 475, effectiveDate: '2026-03-03', previousBp: null, changeBp: null })
  expect(getRate(500, null, 475, 450)).toMatchObject({ currentBp: 450, previousBp: 475, changeBp: -25 })
  expect(getRate(500, 475, null)).toMatchObject({ currentBp: 475, effectiveDate: '2026-03-02', previousBp: 500, changeBp: -25 })
  expect(getRate(500)).toMatchObject({ currentBp: 500, previousBp: null, changeBp: null })
})

test('returns the Bank Rate in force on a day, or null if unconfirmed', async () => {
  const statistics = await seeded()
  const days = ['2007-12-05', '2007-12-06', '2020-03-10', '2020-03-11', '2020-03-18', '2020-03-19', '2026-10-06', '2026-10-07']
  expect(days.map((day) => statistics.bankRateOn(day))).toEqual([null, 550, 75, 25, 25, 10, 375, null])
})

test('returns the three ECB rates as of each change, with null for unconfirmed values', async () => {
  const rates = found((await seeded()).ecbRates())
  expect(rates).toMatchObject({
    effectiveDate: '2026-09-16',
    depositFacilityBp: 250,
    mainRefinancingBp: 265,
    marginalLendingBp: 290,
    asOf: '2026-10-07',
    stale: true,
  })
  const on = (date: string) => rates.history.find(({ effectiveDate }) => effectiveDate === date)
  expect(rates.history).toHaveLength(42)
  expect(on('2025-06-11')).toEqual({ effectiveDate: '2025-06-11', depositFacilityBp: 200, mainRefinancingBp: 215, marginalLendingBp: 240 })
  expect(on('2026-06-17')).toEqual({ effectiveDate: '2026-06-17', depositFacilityBp: 225, mainRefinancingBp: 240, marginalLendingBp: 265 })
  expect(on('2014-09-10')).toEqual({ effectiveDate: '2014-09-10', depositFacilityBp: -20, mainRefinancingBp: 5, marginalLendingBp: 30 })
  expect(on('2008-10-09')).toEqual({ effectiveDate: '2008-10-09', depositFacilityBp: 325, mainRefinancingBp: null, marginalLendingBp: 425 })
  expect(on('2008-10-15')).toEqual({ effectiveDate: '2008-10-15', depositFacilityBp: 325, mainRefinancingBp: 375, marginalLendingBp: 425 })
})

test('returns CPI by month, with CPIH and RPI null before December 2025', async () => {
  const inflation = found((await seeded()).inflation())
  expect(inflation).toMatchObject({
    cpi: { seriesId: 'D7G7', valueBp: 310, month: '2026-08', previousBp: 290 },
    cpih: { seriesId: 'L55O', valueBp: 310, month: '2026-07', previousBp: 280 },
    rpi: { seriesId: 'CZBH', valueBp: 300, month: '2026-06', previousBp: null },
    releasedOn: '2026-09-16',
    nextReleaseOn: null,
    asOf: '2026-08-31',
    stale: true,
  })
  expect(inflation.history).toHaveLength(56)
  expect(inflation.history[0]).toEqual({ month: '2026-08', cpiBp: 310, cpihBp: null, rpiBp: null })
  expect(inflation.history[2]).toEqual({ month: '2026-06', cpiBp: 260, cpihBp: 280, rpiBp: 300 })
  expect(inflation.history[55]).toEqual({ month: '2022-01', cpiBp: 550, cpihBp: null, rpiBp: null })
  for (const { month, cpiBp, cpihBp, rpiBp } of inflation.history) {
    expect(cpiBp).not.toBeNull()
    if (month < '2025-12') expect([cpihBp, rpiBp]).toEqual([null, null])
  }
  // December is the only month of 2025 for which a source has the RPI.
  expect(inflation.history.find(({ month }) => month === '2025-12')).toEqual({ month: '2025-12', cpiBp: 340, cpihBp: null, rpiBp: 420 })
})

test('returns quoted rates by series with their months', async () => {
  const rates = (await seeded()).quotedRates()
  expect(rates.map(({ series, valueBp, asOf }) => [series, valueBp, asOf])).toEqual([
    ['IUMB6VK', 190, '2026-08-31'],
    ['IUMWTFA', 404, '2026-08-31'],
    ['CFMZ6IQ', 165, '2026-07-31'],
    ['CFMZ6IW', 339, '2026-07-31'],
  ])
  expect(rates[1]).toMatchObject({ label: 'Fixed rate bond, 1 year', accountType: 'fixed-rate', stale: true })
  expect(rates[1]?.points).toHaveLength(60)
})

test('returns the latest exchange rate of each currency with as many digits as the source gives', async () => {
  const statistics = await seeded()
  const rates = statistics.fxRates()
  expect(rates).toHaveLength(41)
  expect(rates.map(({ currency }) => currency)).toEqual(rates.map(({ currency }) => currency).toSorted())
  expect(statistics.fxRates('THB')).toEqual([
    {
      currency: 'THB',
      name: 'Thai Baht',
      rate: '44.52414',
      inverseRate: '0.022459726',
      date: '2026-09-29',
      source: 'currency-api, indicative mid-market rates',
      licence: 'CC0-1.0',
      fetchedAt: '2026-11-21T00:00:00.000Z',
      stale: true,
    },
  ])
  expect(statistics.fxRates('AFN')).toEqual([])
})

test('returns the exchange-rate history newest first, with changes, pages and date ranges', async () => {
  const statistics = await seeded()
  const { rows, more } = statistics.fxHistory({ currency: 'USD', limit: 50 })
  expect(more).toBe(false)
  expect(rows).toHaveLength(19)
  expect(rows.map(({ date }) => date)).toEqual(
    rows
      .map(({ date }) => date)
      .toSorted()
      .reverse(),
  )
  expect(rows[18]).toMatchObject({ date: '2024-03-02', currency: 'USD', rate: '1.265441', changePercent: null })
  // The rate rose from 1.265441 to 1.273978.
  expect(rows[17]).toMatchObject({ date: '2024-06-01', rate: '1.273978', changePercent: '+0.67' })
  const between = statistics.fxHistory({ currency: 'USD', from: '2024-06-01', to: '2024-09-01', limit: 50 })
  expect(between.rows.map(({ date, changePercent }) => [date, changePercent])).toEqual([
    ['2024-09-01', '+3.07'],
    ['2024-06-01', '+0.67'],
  ])
  const first = statistics.fxHistory({ currency: 'USD', limit: 7 })
  expect(first.more).toBe(true)
  const second = statistics.fxHistory({ currency: 'USD', limit: 50, after: first.rows.at(-1) })
  expect([...first.rows, ...second.rows]).toEqual(rows)
})

test('returns every row once at any page size, ordered by day and code', async () => {
  const statistics = await seeded()
  for (const limit of [1, 13, 50]) {
    const keys: string[] = []
    let after: { date: string; currency: string } | null = null
    for (;;) {
      const { rows, more } = statistics.fxHistory({ from: '2026-09-15', limit, after })
      keys.push(...rows.map(({ date, currency }) => `${date} ${currency}`))
      after = rows.at(-1) ?? after
      if (!more) break
    }
    expect(keys).toHaveLength(3 * 41)
    expect(new Set(keys).size).toBe(3 * 41)
    expect(keys.slice(0, 2)).toEqual(['2026-09-29 AED', '2026-09-29 AUD'])
  }
})

test.each([
  ['2026-10-13T23:00:00Z', false],
  ['2026-10-14T00:00:00Z', true],
])('marks a Bank Rate dated 6 October as stale at %s: %s', async (moment, stale) => {
  expect(found((await seeded(at(moment))).bankRate()).stale).toBe(stale)
})

test.each([
  ['2026-10-04T23:00:00Z', false],
  ['2026-10-05T00:00:00Z', true],
])('marks an exchange rate dated 29 September as stale at %s: %s', async (moment, stale) => {
  expect((await seeded(at(moment))).fxRates('EUR')[0]?.stale).toBe(stale)
})

test.each([
  ['2026-10-25T12:00:00Z', false],
  ['2026-10-26T00:00:00Z', true],
])('marks the August CPI as stale at %s: %s', async (moment, stale) => {
  expect(found((await seeded(at(moment))).inflation()).stale).toBe(stale)
})

test('returns no statistics for a database without any', async () => {
  const statistics = await loadStatistics(database.pool, today)
  expect([statistics.bankRate(), statistics.ecbRates(), statistics.inflation(), statistics.bankRateOn('2026-01-01')]).toEqual([
    undefined,
    undefined,
    undefined,
    null,
  ])
  expect([statistics.quotedRates(), statistics.fxRates(), statistics.fxHistory({ limit: 10 })]).toEqual([[], [], { rows: [], more: false }])
})
