import { z } from 'zod'
import { decimalIn, readCsv } from '../import/csv.ts'
import { londonDay, parseDashedDate, parseLongDate, toMonthEnd } from './calendar.ts'
import { parseExact, readDecimal, writeDecimal } from './exact-decimal.ts'
import { openGovernmentLicence, type Reading, type Source, SourceError } from './source.ts'

/** ONS identifiers of the annual inflation series, by the names that our API uses. */
export const inflationSeries = { cpi: 'D7G7', cpih: 'L55O', rpi: 'CZBH' } as const

/** Annual (`2024`), quarterly (`2024 Q1`) and monthly rows share one column; only months are used. */
const monthPattern = /^\d{4} [A-Z]{3}$/

function checkSeries(found: string | undefined, series: string): void {
  if (found?.toUpperCase() === series) return
  throw new SourceError(
    found === undefined ? 'The file has no series identifier (CDID).' : `The file contains the series ${found.slice(0, 20)}, expected ${series}.`,
    'Set the URL of the correct time series in MARKET_SOURCES.',
  )
}

function dateOfMonth(text: string): string {
  const date = toMonthEnd(text)
  if (date === undefined) throw new SourceError(`"${text}" is not a month like 2026 AUG.`)
  return date
}

/** Parses the output of the ONS CSV generator. Every line is a pair of quoted cells: eight lines of metadata, then the values. */
export function readOnsCsv(text: string, series: string): Reading {
  const rows = readCsv(text)
  const metadata = new Map(rows.map(({ cells }) => [cells[0] ?? '', cells[1] ?? '']))
  checkSeries(metadata.get('CDID'), series)
  const observations = rows.flatMap(({ line, cells: [period = '', value = ''] }) =>
    monthPattern.test(period) && value !== '' ? [{ series, date: dateOfMonth(period), value: decimalIn(value, line) }] : [],
  )
  return {
    observations,
    releasedOn: parseDashedDate(metadata.get('Release date') ?? '') ?? null,
    nextReleaseOn: parseLongDate(metadata.get('Next release') ?? '') ?? null,
  }
}

const OnsFile = z.object({
  months: z.array(z.object({ date: z.string(), value: z.string() })),
  description: z.object({ cdid: z.string(), releaseDate: z.string().optional(), nextRelease: z.string().optional() }),
})

/** Returns the day of a release date. Release dates are midnight in London, which in summer is 23:00 UTC of the day before. */
function releaseDay(text: string | undefined): string | null {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? null : londonDay(at)
}

/** Parses the JSON of a time series (`…/data`). Only `months` is used, not `years` or `quarters`; its values are strings. */
export function readOnsJson(text: string, series: string): Reading {
  const parsed = OnsFile.safeParse(parseExact(text))
  if (!parsed.success) throw new SourceError('The response is not of the form { months: [{ date, value }], description: { cdid } }.')
  const { months, description } = parsed.data
  checkSeries(description.cdid, series)
  const observations = months.flatMap(({ date, value }) => {
    if (value === '') return []
    const decimal = readDecimal(value)
    if (!decimal || !monthPattern.test(date)) throw new SourceError(`Invalid value for "${date.slice(0, 20)}": "${value.slice(0, 40)}".`)
    return [{ series, date: dateOfMonth(date), value: writeDecimal(decimal) }]
  })
  return { observations, releasedOn: releaseDay(description.releaseDate), nextReleaseOn: parseLongDate(description.nextRelease ?? '') ?? null }
}

function onsSource(name: string, label: string, series: string): Source {
  return {
    name,
    title: `Office for National Statistics, ${label} annual rate`,
    url: `https://www.ons.gov.uk/generator?format=csv&uri=/economy/inflationandpriceindices/timeseries/${series.toLowerCase()}/mm23`,
    licence: openGovernmentLicence,
    format: 'csv',
    kind: 'statistic',
    series: [series],
    // A month's value is published in the middle of the next month, and is the newest value until the middle of the month after that. The newest value is
    // therefore at most about 53 days old.
    freshDays: 55,
    parse: (text) => (text.trimStart().startsWith('{') ? readOnsJson(text, series) : readOnsCsv(text, series)),
  }
}

export const onsCpi = onsSource('ons-cpi', 'CPI', inflationSeries.cpi)
export const onsCpih = onsSource('ons-cpih', 'CPIH', inflationSeries.cpih)
export const onsRpi = onsSource('ons-rpi', 'RPI', inflationSeries.rpi)
