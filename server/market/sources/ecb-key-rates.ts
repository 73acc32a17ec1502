import { isDay } from './calendar.ts'
import { columnsOf, decimalIn, readCsv } from './csv-rows.ts'
import { type Reading, type Source, SourceError } from './source.ts'

/** The three key rates by the names that the API uses, with their keys in the ECB Data Portal. */
export const ecbSeries = {
  depositFacility: 'FM.D.U2.EUR.4F.KR.DFR.LEV',
  mainRefinancing: 'FM.D.U2.EUR.4F.KR.MRR_FR.LEV',
  marginalLending: 'FM.D.U2.EUR.4F.KR.MLFR.LEV',
} as const

export const ecbLicence = 'ECB statistics: free to reuse, unmodified, with the source named'

const series: readonly string[] = Object.values(ecbSeries)

/** Reads `format=csvdata` of the ECB Data Portal by the names of its columns, of which there are more than are needed. */
export function readEcbKeyRates(text: string): Reading {
  const [header, ...rows] = readCsv(text)
  const at = columnsOf(header, ['KEY', 'TIME_PERIOD', 'OBS_VALUE'])
  const observations = rows.flatMap(({ line, cells }) => {
    if (cells.length !== header?.cells.length) throw new SourceError(`Line ${line} has ${cells.length} cells and not ${header?.cells.length}.`)
    const [key = '', date = '', value = ''] = [cells[at.KEY], cells[at.TIME_PERIOD], cells[at.OBS_VALUE]]
    if (!series.includes(key) || value === '' || value === 'NaN') return []
    if (!isDay(date)) throw new SourceError(`Line ${line}: "${date.slice(0, 40)}" is not a date such as 2026-09-16.`)
    return [{ series: key, date, value: decimalIn(value, line) }]
  })
  return { observations }
}

/** A value for every day of the calendar. It starts where the history that comes with the service is complete. */
export const ecbKeyRates: Source = {
  name: 'ecb-key-rates',
  title: 'European Central Bank, key interest rates',
  url: 'https://data-api.ecb.europa.eu/service/data/FM/D.U2.EUR.4F.KR.DFR+MRR_FR+MLFR.LEV?startPeriod=2025-01-01&detail=dataonly&format=csvdata',
  licence: ecbLicence,
  format: 'csv',
  kind: 'statistic',
  series,
  freshDays: 7,
  parse: readEcbKeyRates,
}
