import { z } from 'zod'

/** Matches a string that a spreadsheet would read as a formula. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/
/** Negative number, which starts like a formula but is safe. */
const negativeNumber = /^-\d+(?:\.\d+)?$/
const mustQuote = /[",\r\n]/

/** Formats a CSV cell. Text that a spreadsheet would read as a formula gets a leading apostrophe; numbers keep their sign. */
function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = formulaStart.test(value) && !negativeNumber.test(value) ? `'${value}` : value
  return mustQuote.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Formats a CSV line, including the line ending (RFC 4180). */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Column of a CSV file. `path` has the names that lead from a row to its value: one for a field, several for a field of a nested object. */
export type CsvColumn = { readonly name: string; readonly path: readonly string[] }

/** Separator of the elements of a list in a cell. */
export const csvListSeparator = ' | '

/** Removes the wrappers `nullable`, `optional`, `default` and `readonly`. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema
  while (inner instanceof z.ZodNullable || inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodReadonly) {
    inner = inner.unwrap()
  }
  return inner
}

function columnsOfField(path: readonly string[], schema: z.core.$ZodType): CsvColumn[] {
  const inner = unwrap(schema)
  if (!(inner instanceof z.ZodObject)) return [{ name: path.join('.'), path }]
  return Object.entries(inner.shape as z.core.$ZodShape).flatMap(([name, field]) => columnsOfField([...path, name], field))
}

/**
 * Returns the columns of rows with this schema, so that they don't depend on the data: one per field, in the order of the schema, and one per field of a nested
 * object, such as `provider.slug`. If `fields` is given, only those fields of the row, in that order.
 */
export function csvColumns(row: z.ZodObject, fields: readonly string[] | null = null): CsvColumn[] {
  const shape: Readonly<Record<string, z.core.$ZodType>> = row.shape
  return (fields ?? Object.keys(shape)).flatMap((name) => {
    const field = shape[name]
    return field === undefined ? [] : columnsOfField([name], field)
  })
}

const isScalar = (value: unknown) => value === null || typeof value !== 'object'

/** Converts a value to the content of a cell. A list of strings becomes one string, and a list of objects becomes JSON. */
function toCell(value: unknown): string | number | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number') return value
  if (typeof value !== 'object') return String(value)
  return Array.isArray(value) && value.every(isScalar) ? value.join(csvListSeparator) : JSON.stringify(value)
}

function getValue(row: object, { path }: CsvColumn): unknown {
  let value: unknown = row
  for (const name of path) value = value === null || value === undefined ? null : (value as Readonly<Record<string, unknown>>)[name]
  return value
}

/** Formats the header line. */
export const csvHeader = (columns: readonly CsvColumn[]): string => csvLine(columns.map(({ name }) => name))

/** Formats a row. Cells of values that are null or missing are empty. */
export const csvRow = (columns: readonly CsvColumn[], row: object): string => csvLine(columns.map((column) => toCell(getValue(row, column))))
