import { isDay } from './calendar.ts'
import { columnsOf, readCsv } from './csv-rows.ts'
import { ecbLicence } from './ecb-key-rates.ts'
import { crossToPound, type EuroDay } from './euro-rates.ts'
import { type Reading, type Source, SourceError } from './source.ts'

const cubePattern = /<Cube\b([^>]*)>/g
const attributePattern = /([a-z]+)\s*=\s*(?:'([^']*)'|"([^"]*)")/g

const attributesOf = (text: string) => new Map([...text.matchAll(attributePattern)].map(([, name = '', single, double]) => [name, single ?? double ?? '']))

function checkDay(date: string): string {
  if (!isDay(date)) throw new SourceError(`"${date.slice(0, 40)}" is not a date such as 2026-03-05.`)
  return date
}

/** The XML files: nested `Cube` elements, one for each day (`time`), in it one for each currency, attributes in single quotes. */
export function readEuroXml(text: string): EuroDay[] {
  if (!/<\/(?:\w+:)?Envelope>\s*$/.test(text)) throw new SourceError('The file does not end with the end of its Envelope.')
  const days: { date: string; rates: Map<string, string> }[] = []
  for (const [, attributes = ''] of text.matchAll(cubePattern)) {
    const cube = attributesOf(attributes)
    const time = cube.get('time')
    const currency = cube.get('currency')
    if (time !== undefined) days.push({ date: checkDay(time), rates: new Map() })
    if (currency === undefined) continue
    const day = days.at(-1)
    if (!day) throw new SourceError(`The rate of ${currency.slice(0, 10)} stands before any day.`)
    day.rates.set(currency, cube.get('rate') ?? '')
  }
  return days
}

/** The CSV file of the whole history: newest day first, every line with a comma at its end, `N/A` for a currency that is no more or was not yet. */
export function readEuroCsv(text: string): EuroDay[] {
  const [header, ...rows] = readCsv(text)
  const at = columnsOf(header, ['Date', 'GBP']).Date
  const names = header?.cells.map((cell) => cell.trim()) ?? []
  return rows.map(({ line, cells }) => {
    if (cells.length !== names.length) throw new SourceError(`Line ${line} has ${cells.length} cells and not ${names.length}.`)
    const rates = names.flatMap((name, index) => {
      const cell = (cells[index] ?? '').trim()
      return index === at || name === '' || cell === '' || cell === 'N/A' ? [] : [[name, cell] as const]
    })
    return { date: checkDay((cells[at] ?? '').trim()), rates: new Map(rates) }
  })
}

/** Reads the ECB's reference rates in either format, as rates of the pound. */
export function readEurofxref(text: string): Reading {
  return { observations: crossToPound(text.trimStart().startsWith('<') ? readEuroXml(text) : readEuroCsv(text)) }
}

/** Rates of each business day, published about 16:00 in Frankfurt; the weekend before a Monday off takes four days. */
const freshDays = 5

function euroSource(name: string, title: string, file: string, format: Source['format']): Source {
  const url = `https://www.ecb.europa.eu/stats/eurofxref/${file}`
  return { name, title, url, format, freshDays, licence: ecbLicence, kind: 'exchange-rate', series: [], parse: readEurofxref }
}

const title = 'European Central Bank, euro reference rates crossed to the pound'

export const ecbFxDaily = euroSource('ecb-fx-daily', title, 'eurofxref-daily.xml', 'xml')

/** The last 90 days: what a machine needs that was off for some weeks. */
export const ecbFxRecent = euroSource('ecb-fx-recent', title, 'eurofxref-hist-90d.xml', 'xml')

/** Everything since 1999. The ECB serves it as a zip archive with the CSV file in it. */
export const ecbFxHistory = euroSource('ecb-fx-history', title, 'eurofxref-hist.zip', 'csv')
