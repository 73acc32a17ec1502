import type { Format } from './arguments.ts'

type Row = Readonly<Record<string, unknown>>

/** Formats a value as text. Strings in a list are joined; other lists and objects become JSON. */
function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('; ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Replaces control characters, which could change what a terminal shows. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, ' ')

/** Control characters except tabs and line feeds, which a cell may contain. */
const controls = /[^\P{Cc}\t\n]/gu
/** Matches a value that a spreadsheet would read as a formula. */
const formulaStart = /^[=+\-@\t\n＝＋－＠]/
/** Negative number, which starts like a formula but is safe. */
const negativeNumber = /^-\d+(?:\.\d+)?$/

/** Formats a CSV cell. As in CSV files of the API, text that a spreadsheet would read as a formula gets a leading apostrophe. */
function csvCell(value: unknown): string {
  const typed = toText(value).replace(controls, '')
  const text = typeof value !== 'number' && formulaStart.test(typed) && !negativeNumber.test(typed) ? `'${typed}` : typed
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Formats JSON. Escapes the control characters that JSON allows unescaped, because they could change what a terminal shows. */
const toJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(/[\x7f-\x9f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)

const getColumns = (rows: readonly Row[], wanted: readonly string[] | null): readonly string[] =>
  wanted ?? [...new Set(rows.flatMap((row) => Object.keys(row)))]

function csv(rows: readonly Row[], columns: readonly string[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))]
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

const maxWidth = 60

/** Formats rows in columns, with numbers aligned right. Long values are truncated. */
function grid(rows: readonly Row[], columns: readonly string[]): string {
  const cut = (text: string) => (text.length > maxWidth ? `${text.slice(0, maxWidth - 1)}…` : text)
  const cells = [columns, ...rows.map((row) => columns.map((name) => cut(printable(toText(row[name])))))]
  const widths = columns.map((_, at) => cells.reduce((most, line) => Math.max(most, line[at]?.length ?? 0), 0))
  const isNumber = columns.map((name) => rows.length > 0 && rows.every((row) => /^-?[\d.]*$/.test(toText(row[name]))))
  const pad = (text: string, at: number) => (isNumber[at] ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0))
  return cells.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('')
}

/** Flattens an object into rows of a field name, such as `balance.credits`, and a value. */
function flat(value: unknown, path: string): Row[] {
  const isNested = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isNested) return [{ field: path, value }]
  return Object.entries(value).flatMap(([name, part]) => flat(part, path === '' ? name : `${path}.${name}`))
}

/** Table columns of the most used lists, whose rows have too many fields for a terminal. */
const usual: Readonly<Record<string, readonly string[]>> = {
  ratesList: ['rate', 'provider', 'accountName', 'accountType', 'access', 'sourceKey'],
  providersList: ['slug', 'name', 'licenceGroup', 'productCount', 'topRate'],
  switchOffers: ['bonusAmount', 'provider', 'accountName', 'endDate'],
  historyList: ['effectiveDate', 'provider', 'accountName', 'previousRate', 'newRate'],
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

/** Returns the columns of a table: the requested ones, or the default ones that the rows have. */
function tableColumns(id: string, rows: readonly Row[], wanted: readonly string[] | null): readonly string[] {
  const known = usual[id]?.filter((name) => rows.length === 0 || rows.some((row) => name in row))
  return wanted ?? (known && known.length > 0 ? known : getColumns(rows, null))
}

/** Formats the data of a response. In tables and CSV, an object becomes rows of a field name and a value. */
export function render(id: string, data: unknown, format: Format, fields: readonly string[] | null): string {
  if (format === 'json') return `${toJson(data, 2)}\n`
  if (format === 'ndjson') return (Array.isArray(data) ? data : [data]).map((one) => `${toJson(one)}\n`).join('')
  const rows = Array.isArray(data) ? data.filter(isRow) : flat(data, '')
  const wanted = Array.isArray(data) ? fields : ['field', 'value']
  return format === 'csv' ? csv(rows, getColumns(rows, wanted)) : grid(rows, tableColumns(id, rows, wanted))
}
