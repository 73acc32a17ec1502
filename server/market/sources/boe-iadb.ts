import { type CsvRow, decimalIn, getColumns, readCsv } from '../import/csv.ts'
import { parseLongDate } from './calendar.ts'
import { type Observation, openGovernmentLicence, type Reading, type Source, SourceError } from './source.ts'

/** Description of a quoted rate, and the comparable account type. */
export type QuotedSeries = { readonly label: string; readonly accountType: 'easy-access' | 'cash-isa' | 'fixed-rate' }

/** Average rates quoted or paid by UK banks and building societies, by series code in the Bank of England's database. */
export const quotedSeries: Readonly<Record<string, QuotedSeries>> = {
  IUMB6VJ: { label: 'Instant access savings, including unconditional bonuses', accountType: 'easy-access' },
  IUMB6VK: { label: 'Instant access savings, excluding unconditional bonuses', accountType: 'easy-access' },
  IUMTHAK: { label: 'Instant access savings, branch-based, excluding bonuses', accountType: 'easy-access' },
  IUMB6VL: { label: 'Cash ISA, variable rate, including unconditional bonuses', accountType: 'cash-isa' },
  IUMB6VM: { label: 'Cash ISA, variable rate, excluding unconditional bonuses', accountType: 'cash-isa' },
  IUMWTIS: { label: 'Cash ISA, variable rate, branch-based, excluding bonuses', accountType: 'cash-isa' },
  IUMB6VN: { label: 'Cash ISA, fixed rate, 1 year', accountType: 'cash-isa' },
  IUMZID2: { label: 'Cash ISA, fixed rate, 2 years', accountType: 'cash-isa' },
  IUMWTFA: { label: 'Fixed rate bond, 1 year', accountType: 'fixed-rate' },
  IUMB6RH: { label: 'Fixed rate bond, 2 years', accountType: 'fixed-rate' },
  IUMB6RI: { label: 'Fixed rate bond, 3 years', accountType: 'fixed-rate' },
  CFMZ6IQ: { label: 'Effective rate on interest-bearing sight deposits held by individuals', accountType: 'easy-access' },
  CFMZ6IW: { label: 'Effective rate on time deposits held by individuals', accountType: 'fixed-rate' },
}

export const bankRateSeries = 'IUDBEDR' as const

const isMissing = (cell: string) => cell === '..' || cell === ''

function dateIn(text: string, line: number): string {
  const date = parseLongDate(text.trim())
  if (date === undefined) throw new SourceError(`Line ${line}: "${text.slice(0, 40)}" is not a date like 18 Dec 2025.`)
  return date
}

/** Parses the layout `CSVF=TN`, with a column for each series. */
function readTable(header: CsvRow, rows: readonly CsvRow[], series: readonly string[]): Observation[] {
  const codes = header.cells.map((cell) => cell.trim())
  const date = getColumns(header, ['DATE']).DATE
  return rows.flatMap(({ line, cells }) => {
    if (cells.length !== codes.length) throw new SourceError(`Line ${line} has ${cells.length} cells, expected ${codes.length}.`)
    const day = dateIn(cells[date] ?? '', line)
    return codes.flatMap((code, index) => {
      const cell = (cells[index] ?? '').trim()
      return series.includes(code) && !isMissing(cell) ? [{ series: code, date: day, value: decimalIn(cell, line) }] : []
    })
  })
}

/** Parses the layout `CSVF=CN`, with a row for each series and date. */
function readColumns(header: CsvRow, rows: readonly CsvRow[], series: readonly string[]): Observation[] {
  const at = getColumns(header, ['DATE', 'SERIES', 'VALUE'])
  return rows.flatMap(({ line, cells }) => {
    const date = dateIn(cells[at.DATE] ?? '', line)
    const code = (cells[at.SERIES] ?? '').trim()
    const cell = (cells[at.VALUE] ?? '').trim()
    return series.includes(code) && !isMissing(cell) ? [{ series: code, date, value: decimalIn(cell, line) }] : []
  })
}

/** Parses a CSV response of the Bank of England's database, in either of its two layouts. */
export function readIadb(text: string, series: readonly string[]): Reading {
  const [header, ...rows] = readCsv(text)
  if (!header) throw new SourceError('The file is empty.')
  const isColumns = header.cells.some((cell) => cell.trim() === 'SERIES')
  return { observations: isColumns ? readColumns(header, rows, series) : readTable(header, rows, series) }
}

const address = (from: string, series: readonly string[]) =>
  `https://www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp?csv.x=yes&Datefrom=${from}&Dateto=now&SeriesCodes=${series.join(',')}&CSVF=TN&UsingCodes=Y&VPD=Y&VFD=N`

function iadbSource(name: string, title: string, from: string, series: readonly string[], freshDays: number): Source {
  const parse = (text: string) => readIadb(text, series)
  const url = address(from, series)
  return { name, title, url, series, freshDays, parse, licence: openGovernmentLicence, format: 'csv', kind: 'statistic', needsBrowser: true }
}

const codes = Object.keys(quotedSeries)

/** One value per business day. It is stale after seven days, which covers the longest run of holidays. */
export const boeBankRate = iadbSource('boe-bank-rate', 'Bank of England, Official Bank Rate', '01/Jan/2024', [bankRateSeries], 7)

/** One value per month, published on the fifth working day of the next month. */
export const boeQuotedRates = iadbSource(
  'boe-quoted-rates',
  'Bank of England, quoted household interest rates',
  '01/Jan/2023',
  codes.filter((code) => code.startsWith('IUM')),
  45,
)

/** One value per month, published about a month later. */
export const boeEffectiveRates = iadbSource(
  'boe-effective-rates',
  'Bank of England, effective interest rates',
  '01/Jan/2023',
  codes.filter((code) => code.startsWith('CFM')),
  65,
)
