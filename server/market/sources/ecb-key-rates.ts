import { decimalIn, getColumns, readCsv } from '../import/csv.ts'
import { isDay } from './calendar.ts'
import { type Reading, type Source, SourceError } from './source.ts'

/** Series keys of the three key rates in the ECB Data Portal, by the names that our API uses. */
export const ecbSeries = {
  depositFacility: 'FM.D.U2.EUR.4F.KR.DFR.LEV',
  mainRefinancing: 'FM.D.U2.EUR.4F.KR.MRR_FR.LEV',
  marginalLending: 'FM.D.U2.EUR.4F.KR.MLFR.LEV',
} as const

export const ecbLicence = 'ECB statistics: free to reuse, unmodified, with the source named'

const series: readonly string[] = Object.values(ecbSeries)

/** Parses a CSV response (`format=csvdata`) of the ECB Data Portal. Finds the columns by name and ignores all others. */
export function readEcbKeyRates(text: string): Reading {
  const [header, ...rows] = readCsv(text)
  const at = getColumns(header, ['KEY', 'TIME_PERIOD', 'OBS_VALUE'])
  const observations = rows.flatMap(({ line, cells }) => {
    if (cells.length !== header?.cells.length) throw new SourceError(`Line ${line} has ${cells.length} cells, expected ${header?.cells.length}.`)
    const [key = '', date = '', value = ''] = [cells[at.KEY], cells[at.TIME_PERIOD], cells[at.OBS_VALUE]]
    if (!series.includes(key) || value === '' || value === 'NaN') return []
    if (!isDay(date)) throw new SourceError(`Line ${line}: "${date.slice(0, 40)}" is not a date like 2026-09-16.`)
    return [{ series: key, date, value: decimalIn(value, line) }]
  })
  return { observations }
}

/** One value per calendar day since 2025. Earlier rates are in the bundled history. */
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
