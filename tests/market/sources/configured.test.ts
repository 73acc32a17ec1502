import { expect, test } from 'vitest'
import { currencyApi } from '#server/market/sources/currency-api.ts'
import { onsCpi } from '#server/market/sources/ons-series.ts'
import { readMarketSources, sources } from '#server/market/sources/sources.ts'
import { checkObservations } from '#server/market/statistics/refresh.ts'

const named = (text: string) => readMarketSources(text).map(({ source, url }) => [source.name, url])
const address = (name: string) => sources.find((source) => source.name === name)?.url

test('fetches nothing by default', () => {
  expect(readMarketSources('')).toEqual([])
  expect(readMarketSources(' , ')).toEqual([])
})

test('reads names with optional URLs', () => {
  expect(named('boe-bank-rate, currency-api')).toEqual([
    ['boe-bank-rate', address('boe-bank-rate')],
    ['currency-api', address('currency-api')],
  ])
  expect(named('ons-cpi=https://www.ons.gov.uk/x/data,ecb-fx-daily')).toEqual([
    ['ons-cpi', 'https://www.ons.gov.uk/x/data'],
    ['ecb-fx-daily', address('ecb-fx-daily')],
  ])
})

test('allows commas and equals signs in URLs, as used by the Bank of England', () => {
  const bank = 'https://www.bankofengland.co.uk/x.asp?csv.x=yes&SeriesCodes=IUMB6VK,IUMWTFA&CSVF=CN'
  expect(named(`boe-quoted-rates=${bank},boe-bank-rate`)).toEqual([
    ['boe-quoted-rates', bank],
    ['boe-bank-rate', address('boe-bank-rate')],
  ])
  expect(named(`ons-cpi,boe-quoted-rates=${bank}`)).toEqual([
    ['ons-cpi', address('ons-cpi')],
    ['boe-quoted-rates', bank],
  ])
})

test.each([
  ['boe-bankrate', 'contains the unknown source "boe-bankrate". Did you mean "boe-bank-rate"? Valid sources: boe-bank-rate, boe-quoted-rates'],
  ['ons-cpi=ftp://x', 'has an invalid URL for ons-cpi: write ons-cpi=https://…'],
  ['ons-cpi=', 'has an invalid URL for ons-cpi'],
  ['ons-cpi,ons-cpi=https://a.example', 'lists ons-cpi twice'],
])('rejects %s', (text, message) => {
  expect(() => readMarketSources(text)).toThrow(message)
})

test('has a unique name, URL, licence and schedule for every source', () => {
  expect(new Set(sources.map(({ name }) => name)).size).toBe(sources.length)
  for (const { url, licence, title, freshDays } of sources) {
    expect(url).toMatch(/^https:\/\//)
    expect(licence).not.toBe('')
    expect(title).not.toBe('')
    expect(freshDays).toBeGreaterThanOrEqual(5)
  }
})

const cpi = (date: string, value: string) => ({ series: 'D7G7', date, value })

test('validates observations before storing them', () => {
  const check = (...observations: { series: string; date: string; value: string }[]) => checkObservations(onsCpi, observations, '2026-11-21')
  expect(check(cpi('2026-07-31', '2.9'), cpi('2026-08-31', '3.1'), cpi('2026-07-31', '2.9'))).toEqual([cpi('2026-07-31', '2.9'), cpi('2026-08-31', '3.1')])
  expect(() => check()).toThrow('The file contains none of the expected values.')
  expect(() => check(cpi('2026-11-30', '3.1'))).toThrow('D7G7 has a value for 2026-11-30, which is in the future.')
  expect(() => check(cpi('2026-08-31', '3.1'), cpi('2026-08-31', '3.2'))).toThrow('D7G7 has two values for 2026-08-31: 3.1 and 3.2.')
  // 138.9 is an index value, not a rate.
  expect(() => check(cpi('2026-08-31', '138.9'))).toThrow('D7G7 is 138.9 on 2026-08-31, which is not a plausible percentage.')
  expect(checkObservations(currencyApi, [{ series: 'IDR', date: '2026-09-29', value: '23850.43' }], '2026-11-21')).toHaveLength(1)
})
