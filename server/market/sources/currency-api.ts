import { z } from 'zod'
import { currencies } from '../reference/currencies.ts'
import { isDay } from './calendar.ts'
import { parseExact, readDecimal, writeDecimal } from './exact-decimal.ts'
import { type Reading, type Source, SourceError } from './source.ts'

const File = z.object({ date: z.string(), gbp: z.record(z.string(), z.unknown()) })

/** Minimum number of known currencies. A file with fewer is rejected, because it can't be the expected file. */
const minCurrencies = 20

/**
 * Parses `gbp.json`: `{ date, gbp: { usd: 1.3238… } }`. Keys are lower-case and include metals and cryptocurrencies. The set of currencies varies
 * from day to day.
 */
export function readCurrencyApi(text: string): Reading {
  const parsed = File.safeParse(parseExact(text))
  if (!parsed.success) throw new SourceError('The response is not of the form { date, gbp: { … } }. It may be for another base currency.')
  const { date, gbp } = parsed.data
  if (!isDay(date)) throw new SourceError(`"${date.slice(0, 40)}" is not a date like 2026-09-29.`)
  const observations = currencies.flatMap(({ code }) => {
    const value = gbp[code.toLowerCase()]
    if (code === 'GBP' || value === undefined || value === null) return []
    const rate = typeof value === 'string' ? readDecimal(value) : undefined
    if (!rate || rate.units <= 0n) throw new SourceError(`Invalid rate for ${code}: ${JSON.stringify(value).slice(0, 40)}.`)
    return [{ series: code, date, value: writeDecimal(rate) }]
  })
  if (observations.length < minCurrencies)
    throw new SourceError(`The response has rates for ${observations.length} known currencies, fewer than ${minCurrencies}.`)
  return { observations }
}

export const currencyApi: Source = {
  name: 'currency-api',
  title: 'currency-api, indicative mid-market rates',
  url: 'https://cdn.jsdelivr.net/npm/@fawazahmed0/currency-api@latest/v1/currencies/gbp.json',
  licence: 'CC0-1.0',
  format: 'json',
  kind: 'exchange-rate',
  series: [],
  freshDays: 5,
  parse: readCurrencyApi,
}
