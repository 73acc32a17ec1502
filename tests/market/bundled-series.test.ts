/** Checks all bundled series and rules for inconsistencies in dates, gaps, spreads, magnitudes and limits. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { currencies } from '#server/market/reference/currencies.ts'
import { fscsBrands, fscsLimits } from '#server/market/reference/fscs.ts'

type Series = Readonly<Record<string, string | null>>
type BundledFile = { readonly source: string; readonly collectedAt: string; readonly series: Readonly<Record<string, Series>> }

const folder = new URL('../../server/market/data/', import.meta.url)
const readData = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
const files = readdirSync(folder)
  .map((name): [string, BundledFile] => [name, readData(name)])
  .filter(([, { series }]) => series !== undefined)
const monthly = new Set(['cpi.json', 'cpih.json', 'rpi.json', 'quoted-rates.json', 'effective-rates.json'])
const getSeries = (name: string, code: string): Series => files.find(([file]) => file === name)?.[1].series[code] ?? {}

const isMonthEnd = (day: string) => new Date(Date.parse(day) + 86_400_000).getUTCDate() === 1

test('covers every bundled series', () => {
  expect(files.map(([name]) => name)).toEqual([
    ...['bank-rate.json', 'cpi.json', 'cpih.json', 'ecb-rates.json', 'effective-rates.json', 'fx-history.json', 'quoted-rates.json', 'rpi.json'],
  ])
})

test.each(files)('%s has ascending dates up to its collection date, at month ends if it is monthly', (name, { collectedAt, series }) => {
  for (const values of Object.values(series)) {
    const days = Object.keys(values)
    expect(days).toEqual(days.toSorted())
    for (const day of days) {
      expect(new Date(day).toISOString().slice(0, 10)).toBe(day)
      expect(day <= collectedAt.slice(0, 10), day).toBe(true)
      if (monthly.has(name)) expect([day, isMonthEnd(day)]).toEqual([day, true])
    }
  }
})

test.each(files.filter(([name]) => name !== 'fx-history.json'))('%s has percentages from -1 to 15', (_name, { series }) => {
  for (const [code, values] of Object.entries(series)) {
    for (const [day, value] of Object.entries(values)) {
      if (value !== null) expect([code, day, /^-?\d{1,2}\.\d{1,2}$/.test(value) && Number(value) >= -1 && Number(value) <= 15]).toEqual([code, day, true])
    }
  }
})

test('every Bank Rate entry changes the rate by at most 1.5 points, except the last, which confirms it', () => {
  const rates = Object.values(getSeries('bank-rate.json', 'IUDBEDR')).map(Number)
  const changes = rates.slice(1).map((rate, index) => rate - (rates[index] ?? 0))
  expect(changes.slice(0, -1).every((change) => change !== 0 && Math.abs(change) <= 1.5)).toBe(true)
  expect(changes.at(-1)).toBe(0)
})

const [deposit, main, marginal] = ['DFR', 'MRR_FR', 'MLFR'].map((code) => getSeries('ecb-rates.json', `FM.D.U2.EUR.4F.KR.${code}.LEV`))
const hundredths = (values: Series | undefined, day: string) => {
  const value = values?.[day] ?? null
  return value === null ? null : Math.round(Number(value) * 100)
}

test('has all three ECB rates on each day, in ascending order, except for two days in October 2008', () => {
  const unknown: string[] = []
  for (const day of Object.keys(deposit ?? {})) {
    const [low, middle, high] = [hundredths(deposit, day), hundredths(main, day), hundredths(marginal, day)]
    if (low === null || middle === null || high === null) unknown.push(day)
    else expect([day, low <= middle && middle <= high]).toEqual([day, true])
  }
  expect(unknown).toEqual(['2008-10-08', '2008-10-09'])
})

test('has the ECB rate spreads in force since 18 September 2024', () => {
  for (const day of Object.keys(deposit ?? {}).filter((one) => one >= '2024-09-18')) {
    const low = hundredths(deposit, day) ?? 0
    expect([day, hundredths(main, day), hundredths(marginal, day)]).toEqual([day, low + 15, low + 40])
  }
})

test('has positive exchange rates of known currencies, all on the same days, that at most double or halve from one day to the next', () => {
  const series = files.find(([name]) => name === 'fx-history.json')?.[1].series ?? {}
  const known = new Set(currencies.map(({ code }) => code))
  const days = Object.keys(series['EUR'] ?? {})
  for (const [code, values] of Object.entries(series)) {
    expect(known.has(code), code).toBe(true)
    expect([code, Object.keys(values)]).toEqual([code, days])
    const rates = Object.values(values).map(Number)
    for (const [index, rate] of rates.entries()) {
      const ratio = rate / (rates[index - 1] ?? rate)
      expect([code, rate > 0 && ratio < 2 && ratio > 0.5]).toEqual([code, true])
    }
  }
})

test('each brand has the limit of its scheme, and each licence belongs to one firm', () => {
  const limits: readonly (readonly [scheme: RegExp, limit: number | null, currency: string])[] = [
    [/^FSCS$/, fscsLimits.deposit, 'GBP'],
    [/^(?:HM Treasury|Partner bank)/, null, 'GBP'],
    [/^Safeguarding/, 0, 'GBP'],
    [/^(?:Jersey|Guernsey|Isle of Man)/, 50_000, 'GBP'],
    [/^(?:German|Irish|Lithuanian|Dutch)/, 100_000, 'EUR'],
  ]
  for (const { brand, scheme, limit, limitCurrency, frn } of fscsBrands) {
    const [, expected, currency] = limits.find(([pattern]) => pattern.test(scheme)) ?? []
    expect([brand, limit, limitCurrency]).toEqual([brand, expected, currency])
    expect([brand, frn === null || /^\d{6,7}$/.test(frn)]).toEqual([brand, true])
  }
  const firms = Map.groupBy(fscsBrands, ({ licenceGroup }) => licenceGroup)
  for (const [group, brands] of firms) {
    expect([group, new Set(brands.map(({ legalName }) => legalName)).size]).toEqual([group, 1])
    expect([group, new Set(brands.map(({ frn, isBank }) => (isBank ? frn : null))).size]).toEqual([group, 1])
  }
  expect(fscsLimits.joint).toBe(fscsLimits.deposit * 2)
})

test('has ISA limits that do not exceed the yearly limit', () => {
  type Rules = Readonly<Record<string, number | string | boolean>>
  const years: Readonly<Record<string, Rules>> = readData('isa-rules.json').years
  for (const [year, rules] of Object.entries(years)) {
    const number = (name: string) => Number(rules[name])
    expect([year, number('lifetimeIsaLimit') * (number('lifetimeIsaBonusRate') / 100)]).toEqual([year, number('lifetimeIsaMaxBonus')])
    for (const name of ['cashIsaLimitUnder65', 'cashIsaLimit65Plus', 'lifetimeIsaLimit']) {
      expect([year, name, number(name) > 0 && number(name) <= number('overallLimit')]).toEqual([year, name, true])
    }
    expect([year, number('cashIsaLimitUnder65')]).toEqual([year, year >= '2027-28' ? 12_000 : 20_000])
  }
})
