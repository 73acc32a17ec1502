import { beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { parameterLabels } from '#server/api/contract/query.ts'
import { listFxHistory } from '#server/api/endpoints/fx/list-fx-history.endpoint.ts'
import { listFxRates } from '#server/api/endpoints/fx/list-fx-rates.endpoint.ts'
import { getBoeRate } from '#server/api/endpoints/market-statistics/get-boe-rate.endpoint.ts'
import { getEcbRate } from '#server/api/endpoints/market-statistics/get-ecb-rate.endpoint.ts'
import { getInflation } from '#server/api/endpoints/market-statistics/get-inflation.endpoint.ts'
import { seedStatistics } from '#server/market/statistics/seed-statistics.ts'
import { loadStatistics, noStatistics, type Statistics } from '#server/market/statistics/statistics.ts'
import { cites } from '../../requirements/verifies.ts'
import { callItem, callList, callPages, getRefusal } from './call-endpoint.ts'
import { statisticsDatabase } from './statistics-database.ts'

cites('market/boe-rate', 'market/ecb-rate', 'market/inflation', 'market/fx-rates', 'market/fx-history-currency', 'decision/unsure-statistics-null')

const database = statisticsDatabase()
let statistics: Statistics = noStatistics

beforeEach(async () => {
  await seedStatistics(database.pool)
  statistics = await loadStatistics(database.pool, () => Date.parse('2026-11-21T12:00:00Z'))
})

const bundled = { fetchedAt: '2026-11-21T00:00:00.000Z', stale: true }

test('returns Bank Rate and its history', async () => {
  const { history, ...facts } = await callItem(getBoeRate, statistics)
  expect(facts).toEqual({
    current: '3.75',
    effectiveDate: '2025-12-18',
    previous: '4.00',
    change: '-0.25',
    nextDecisionDate: null,
    series: 'IUDBEDR',
    source: 'Bank of England, Official Bank Rate',
    licence: 'Open Government Licence v3.0',
    asOf: '2026-10-06T00:00:00.000Z',
    ...bundled,
  })
  expect(history).toHaveLength(34)
  expect(history).toEqual(
    expect.arrayContaining([
      { date: '2023-08-03', rate: '5.25', change: '+0.25' },
      { date: '2007-12-06', rate: '5.50', change: null },
    ]),
  )
})

test('returns the ECB key rates and their history', async () => {
  const { history, ...facts } = await callItem(getEcbRate, statistics)
  expect(facts).toEqual({
    effectiveDate: '2026-09-16',
    depositFacility: '2.50',
    mainRefinancing: '2.65',
    marginalLending: '2.90',
    seriesKeys: {
      depositFacility: 'FM.D.U2.EUR.4F.KR.DFR.LEV',
      mainRefinancing: 'FM.D.U2.EUR.4F.KR.MRR_FR.LEV',
      marginalLending: 'FM.D.U2.EUR.4F.KR.MLFR.LEV',
    },
    source: 'European Central Bank, key interest rates',
    licence: 'ECB statistics: free to reuse, unmodified, with the source named',
    asOf: '2026-10-07T00:00:00.000Z',
    ...bundled,
  })
  expect(history).toContainEqual({ effectiveDate: '2025-06-11', depositFacility: '2.00', mainRefinancing: '2.15', marginalLending: '2.40' })
  expect(history).toContainEqual({ effectiveDate: '2019-09-18', depositFacility: '-0.50', mainRefinancing: '0.00', marginalLending: '0.25' })
})

test('returns CPI, CPIH and RPI by month', async () => {
  const { history, ...facts } = await callItem(getInflation, statistics)
  expect(facts).toEqual({
    cpi: { value: '3.10', month: '2026-08', previous: '2.90', seriesId: 'D7G7' },
    cpih: { value: '3.10', month: '2026-07', previous: '2.80', seriesId: 'L55O' },
    rpi: { value: '3.00', month: '2026-06', previous: null, seriesId: 'CZBH' },
    releaseDate: '2026-09-16',
    nextRelease: null,
    realRateNeeded: '3.10',
    source: 'Office for National Statistics, CPI annual rate',
    licence: 'Open Government Licence v3.0',
    asOf: '2026-08-31T00:00:00.000Z',
    ...bundled,
  })
  const months = history as { month: string; cpih: string | null; rpi: string | null }[]
  expect(months[0]).toEqual({ month: '2026-08', cpi: '3.10', cpih: null, rpi: null })
  for (const { month, cpih, rpi } of months.filter((row) => row.month < '2025-12')) expect([month, cpih, rpi]).toEqual([month, null, null])
})

describe('/fx/rates', () => {
  test('returns the latest rate of each currency, sorted by code', async () => {
    const { rows, more } = await callList(listFxRates, statistics, '')
    expect(more).toBe(false)
    expect(rows).toHaveLength(41)
    expect(rows[0]).toEqual({
      currency: 'AED',
      name: 'United Arab Emirates Dirham',
      base: 'GBP',
      rate: '4.861736',
      inverseRate: '0.20568784',
      date: '2026-09-29',
      source: 'currency-api, indicative mid-market rates',
      licence: 'CC0-1.0',
      ...bundled,
    })
  })

  test('returns every currency once across pages', async () => {
    const all = await callPages(listFxRates, statistics, '', 50)
    for (const limit of [1, 7, 40, 41]) expect(await callPages(listFxRates, statistics, '', limit)).toEqual(all)
  })

  test('filters by currency, and documents that currencies without a rate return no rows', async () => {
    expect((await callList(listFxRates, statistics, 'currency=THB')).rows).toMatchObject([{ currency: 'THB', rate: '44.52414' }])
    for (const list of [listFxRates, listFxHistory]) {
      for (const code of ['AFN', 'GBP']) expect(await callList(list, statistics, `currency=${code}`)).toEqual({ rows: [], more: false })
      expect(parameterLabels(list.input.shape['currency'] as z.ZodType)).toContain('Currencies without a rate, such as GBP (the base), return an empty page')
    }
  })
})

describe('/cards/travel/fx-history', () => {
  test('returns the rates of a currency, newest first, with the changes', async () => {
    const { rows } = await callList(listFxHistory, statistics, 'currency=EUR')
    expect(rows).toHaveLength(19)
    expect(rows[0]).toEqual({
      date: '2026-09-29',
      currency: 'EUR',
      base: 'GBP',
      rate: '1.165262',
      changePercent: expect.stringMatching(/^[+-]?\d+\.\d\d$/),
      source: 'currency-api, indicative mid-market rates',
      licence: 'CC0-1.0',
      fetchedAt: '2026-11-21T00:00:00.000Z',
    })
    // The rate rose from 1.167776 to 1.174246.
    expect(rows.slice(-2)).toMatchObject([
      { date: '2024-06-01', changePercent: '+0.55' },
      { date: '2024-03-02', changePercent: null },
    ])
  })

  test('filters by an inclusive date range', async () => {
    const dates = async (query: string) => (await callList(listFxHistory, statistics, `currency=EUR&${query}`)).rows.map(({ date }) => date)
    expect(await dates('from=2026-09-15')).toEqual(['2026-09-29', '2026-09-22', '2026-09-15'])
    expect(await dates('from=2026-09-01&to=2026-09-21')).toEqual(['2026-09-15', '2026-09-01'])
    expect(await dates('to=2024-06-01')).toEqual(['2024-06-01', '2024-03-02'])
    expect(await dates('from=2026-09-30')).toEqual([])
  })

  test('returns every row once across pages, with and without a currency', async () => {
    expect(await callPages(listFxHistory, statistics, 'currency=USD', 4)).toEqual(await callPages(listFxHistory, statistics, 'currency=USD', 50))
    const all = await callPages(listFxHistory, statistics, '', 50)
    expect(all).toHaveLength(19 * 41)
    expect(await callPages(listFxHistory, statistics, '', 33)).toEqual(all)
  })
})

describe.each([listFxRates, listFxHistory])('$path', (endpoint) => {
  test.each([
    ['currency=EURO', '"currency" cannot be "EURO". Did you mean "EUR"? See /reference/currencies.'],
    ['currency=eur', '"currency" cannot be "eur". Did you mean "EUR"? See /reference/currencies.'],
    ['currency=BGN', '"currency" cannot be "BGN".'],
    ['curency=EUR', 'Unknown parameter "curency". Did you mean "currency"?'],
    ['currency=EUR&currency=USD', '"currency" is given more than once.'],
    ['currency=', '"currency" is empty.'],
  ])('rejects %s', async (query, message) => {
    expect(await getRefusal(endpoint, statistics, query)).toContain(message)
  })
})

test.each([
  ['from=2026-02-30', '"from" must be a date such as 2026-09-01.'],
  ['to=yesterday', '"to" must be a date such as 2026-09-01.'],
  ['from=2026-09-02&to=2026-09-01', '"from" must not be later than "to".'],
])('rejects /cards/travel/fx-history?%s', async (query, message) => {
  expect(await getRefusal(listFxHistory, statistics, query)).toBe(message)
})

test.each([getBoeRate, getEcbRate, getInflation])('returns 404 for $path without statistics', async (endpoint) => {
  expect(await getRefusal(endpoint, noStatistics, '')).toContain('There is no statistic')
})

test('pins the id, number, path, tool, scope, price and availability of each statistics endpoint', () => {
  const facts = [getBoeRate, getEcbRate, getInflation, listFxRates, listFxHistory].map(({ id, no, path, tool, scope, price, live, kind }) => [
    id,
    no,
    path,
    tool,
    scope,
    price,
    live,
    kind,
  ])
  expect(facts).toEqual([
    ['market.boe-rate', 29, '/market/boe-rate', 'market_boe_rate', 'market:read', { credits: 5, per: 'request' }, 'test-only', 'item'],
    ['market.ecb-rate', 30, '/market/ecb-rate', 'market_ecb_rate', 'market:read', { credits: 5, per: 'request' }, 'test-only', 'item'],
    ['market.inflation', 31, '/market/inflation', 'market_inflation', 'market:read', { credits: 5, per: 'request' }, 'test-only', 'item'],
    ['fx.rates', 23, '/fx/rates', 'fx_rates', ['cards:read', 'market:read'], { credits: 1, per: 'request' }, 'open', 'list'],
    ['cards.fx-history', 22, '/cards/travel/fx-history', 'cards_travel_fx_history', 'cards:read', { credits: 5, per: 'request' }, 'test-only', 'list'],
  ])
})
