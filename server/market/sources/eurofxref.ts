import { getColumns, readCsv } from '../import/csv.ts'
import { currencies } from '../reference/currencies.ts'
import { isDay } from './calendar.ts'
import { ecbLicence } from './ecb-key-rates.ts'
import { type Decimal, divide, readDecimal, writeDecimal } from './exact-decimal.ts'
import { type Observation, type Reading, type Source, SourceError } from './source.ts'

/** Value of one euro in each currency on a given day, as published by the ECB. */
type EuroDay = { readonly date: string; readonly rates: ReadonlyMap<string, string> }

/** Significant digits of the pound rates: one more than the ECB's rates have. */
const significantDigits = 7

const known = new Set(currencies.map(({ code }) => code))
const one: Decimal = { units: 1n, scale: 0 }

function positive(text: string, currency: string, date: string): Decimal {
  const rate = readDecimal(text)
  if (!rate || rate.units <= 0n) throw new SourceError(`Invalid rate for ${currency} on ${date}: "${text.slice(0, 40)}".`)
  return rate
}

/** Converts euro rates to pound rates. Returns an empty list for a day without a GBP rate. */
function crossDay({ date, rates }: EuroDay): Observation[] {
  const poundText = rates.get('GBP')
  if (poundText === undefined) return []
  const pound = positive(poundText, 'GBP', date)
  const crossed = [...rates].filter(([currency]) => currency !== 'GBP' && known.has(currency))
  return [
    { series: 'EUR', date, value: writeDecimal(divide(one, pound, significantDigits)) },
    ...crossed.map(([currency, text]) => ({ series: currency, date, value: writeDecimal(divide(positive(text, currency, date), pound, significantDigits)) })),
  ]
}

const cubePattern = /<Cube\b([^>]*)>/g
const attributePattern = /([a-z]+)\s*=\s*(?:'([^']*)'|"([^"]*)")/g

const parseAttributes = (text: string) => new Map([...text.matchAll(attributePattern)].map(([, name = '', single, double]) => [name, single ?? double ?? '']))

function checkDay(date: string): string {
  if (!isDay(date)) throw new SourceError(`"${date.slice(0, 40)}" is not a date like 2026-03-05.`)
  return date
}

/** Parses the XML files: a `Cube` element per day (`time`) contains one `Cube` element per currency. Attributes are in single quotes. */
export function readEuroXml(text: string): EuroDay[] {
  if (!/<\/(?:\w+:)?Envelope>\s*$/.test(text)) throw new SourceError('The file is truncated: the closing Envelope tag is missing.')
  const days: { date: string; rates: Map<string, string> }[] = []
  for (const [, attributes = ''] of text.matchAll(cubePattern)) {
    const cube = parseAttributes(attributes)
    const time = cube.get('time')
    const currency = cube.get('currency')
    if (time !== undefined) days.push({ date: checkDay(time), rates: new Map() })
    if (currency === undefined) continue
    const day = days.at(-1)
    if (!day) throw new SourceError(`The rate of ${currency.slice(0, 10)} comes before the first date.`)
    day.rates.set(currency, cube.get('rate') ?? '')
  }
  return days
}

/** Parses the CSV of the whole history: newest day first, a trailing comma on every line, `N/A` for a currency that did not exist. */
export function readEuroCsv(text: string): EuroDay[] {
  const [header, ...rows] = readCsv(text)
  const at = getColumns(header, ['Date', 'GBP']).Date
  const names = header?.cells.map((cell) => cell.trim()) ?? []
  return rows.map(({ line, cells }) => {
    if (cells.length !== names.length) throw new SourceError(`Line ${line} has ${cells.length} cells, expected ${names.length}.`)
    const rates = names.flatMap((name, index) => {
      const cell = (cells[index] ?? '').trim()
      return index === at || name === '' || cell === '' || cell === 'N/A' ? [] : [[name, cell] as const]
    })
    return { date: checkDay((cells[at] ?? '').trim()), rates: new Map(rates) }
  })
}

/** Parses the ECB's reference rates in either format and converts them to pound rates. Ignores currencies that are not in the reference list. */
export function readEurofxref(text: string): Reading {
  const days = text.trimStart().startsWith('<') ? readEuroXml(text) : readEuroCsv(text)
  const observations = days.flatMap(crossDay)
  if (observations.length === 0) throw new SourceError('No GBP rate found in the file.')
  return { observations }
}

/** Age in days after which a rate is stale. Rates are published every business day at about 16:00 in Frankfurt, and a long weekend lasts four days. */
const freshDays = 5

function euroSource(name: string, title: string, file: string, format: Source['format']): Source {
  const url = `https://www.ecb.europa.eu/stats/eurofxref/${file}`
  return { name, title, url, format, freshDays, licence: ecbLicence, kind: 'exchange-rate', series: [], parse: readEurofxref }
}

const title = 'European Central Bank, euro reference rates converted to pounds'

export const ecbFxDaily = euroSource('ecb-fx-daily', title, 'eurofxref-daily.xml', 'xml')

/** Rates of the last 90 days, for an installation that was offline for weeks. */
export const ecbFxRecent = euroSource('ecb-fx-recent', title, 'eurofxref-hist-90d.xml', 'xml')

/** All rates since 1999. The ECB serves them as a zip archive with a CSV file. */
export const ecbFxHistory = euroSource('ecb-fx-history', title, 'eurofxref-hist.zip', 'csv')
