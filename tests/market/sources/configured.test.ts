import { expect, test } from 'vitest'
import { checkObservations } from '../../../server/market/sources/check-observations.ts'
import { readMarketSources } from '../../../server/market/sources/configured.ts'
import { currencyApi } from '../../../server/market/sources/currency-api.ts'
import { onsCpi } from '../../../server/market/sources/ons-series.ts'
import { sources } from '../../../server/market/sources/sources.ts'

const named = (text: string) => readMarketSources(text).map(({ source, url }) => [source.name, url])
const address = (name: string) => sources.find((source) => source.name === name)?.url

test('nothing is fetched unless it is asked for', () => {
  expect(readMarketSources('')).toEqual([])
  expect(readMarketSources(' , ')).toEqual([])
})

test('names, with another address where one is given', () => {
  expect(named('boe-bank-rate, currency-api')).toEqual([
    ['boe-bank-rate', address('boe-bank-rate')],
    ['currency-api', address('currency-api')],
  ])
  expect(named('ons-cpi=https://www.ons.gov.uk/x/data,ecb-fx-daily')).toEqual([
    ['ons-cpi', 'https://www.ons.gov.uk/x/data'],
    ['ecb-fx-daily', address('ecb-fx-daily')],
  ])
})

test('an address may hold commas and equals signs, as those of the Bank of England do', () => {
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
  ['boe-bankrate', 'has the unknown source "boe-bankrate". Did you mean "boe-bank-rate"? Known: boe-bank-rate, boe-quoted-rates'],
  ['ons-cpi=ftp://x', 'has no usable address for ons-cpi; write ons-cpi=https://…'],
  ['ons-cpi=', 'has no usable address for ons-cpi'],
  ['ons-cpi,ons-cpi=https://a.example', 'names ons-cpi twice'],
])('%s is refused', (text, message) => {
  expect(() => readMarketSources(text)).toThrow(message)
})

test('every source has a name of its own, an address, a licence and a rhythm', () => {
  expect(new Set(sources.map(({ name }) => name)).size).toBe(sources.length)
  for (const { url, licence, title, freshDays } of sources) {
    expect(url).toMatch(/^https:\/\//)
    expect(licence).not.toBe('')
    expect(title).not.toBe('')
    expect(freshDays).toBeGreaterThanOrEqual(5)
  }
})

const cpi = (date: string, value: string) => ({ series: 'D7G7', date, value })

test('what is read is looked at before it is kept', () => {
  const check = (...observations: { series: string; date: string; value: string }[]) => checkObservations(onsCpi, observations, '2026-11-21')
  expect(check(cpi('2026-07-31', '2.9'), cpi('2026-08-31', '3.1'), cpi('2026-07-31', '2.9'))).toEqual([cpi('2026-07-31', '2.9'), cpi('2026-08-31', '3.1')])
  expect(() => check()).toThrow('The file has none of the values that are looked for.')
  expect(() => check(cpi('2026-11-30', '3.1'))).toThrow('D7G7 has a value for 2026-11-30, which has not come yet.')
  expect(() => check(cpi('2026-08-31', '3.1'), cpi('2026-08-31', '3.2'))).toThrow('D7G7 has two values for 2026-08-31: 3.1 and 3.2.')
  // An index instead of a rate.
  expect(() => check(cpi('2026-08-31', '138.9'))).toThrow('D7G7 is 138.9 on 2026-08-31, which is no percentage of its kind.')
  expect(checkObservations(currencyApi, [{ series: 'IDR', date: '2026-09-29', value: '23850.43' }], '2026-11-21')).toHaveLength(1)
})
