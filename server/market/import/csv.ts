import type { Options } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { readDecimal, writeDecimal } from '../sources/exact-decimal.ts'
import { SourceError } from '../sources/source.ts'

type CsvProblem = 'unclosed' | 'misplaced quote' | 'lost'

/** Receives the records of a CSV file. `line` is the first line of the record. */
export type CsvHandlers = {
  readonly onRecord: (line: number, cells: readonly string[]) => void
  /**
   * Called for each record that violates RFC 4180. The problem `lost` ends parsing, because text after a closing quote makes the rest of the file ambiguous.
   */
  readonly onProblem: (line: number, problem: CsvProblem) => void
}

/** Maximum length of a record, because an unclosed quote would otherwise make the rest of the file part of the record. */
const maxRecordLength = 1_048_576

const problems: Readonly<Record<string, CsvProblem>> = {
  CSV_QUOTE_NOT_CLOSED: 'unclosed',
  CSV_MAX_RECORD_SIZE: 'unclosed',
  INVALID_OPENING_QUOTE: 'misplaced quote',
}

/** Returns csv-parse options that pass each record to the handlers as soon as it is complete, and continue after an invalid one. */
export function csvOptions({ onRecord, onProblem }: CsvHandlers): Options {
  let lastLine = 0
  let isLost = false
  return {
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_records_with_error: true,
    max_record_size: maxRecordLength,
    on_record: (cells: string[], { lines }: { lines: number }) => {
      if (!isLost) onRecord(lastLine + 1, cells)
      lastLine = lines
      return null
    },
    on_skip: (error) => {
      if (isLost) return
      const problem = problems[error?.code ?? ''] ?? 'lost'
      isLost = problem !== 'misplaced quote'
      onProblem(lastLine + 1, problem)
      lastLine = Number(error?.['lines'] ?? lastLine)
    },
  }
}

/** Message for each problem, phrased to follow the line number. */
export const csvProblems: Readonly<Record<CsvProblem, string>> = {
  unclosed: 'has an unclosed quoted cell',
  'misplaced quote': 'has a misplaced quote; double the quotes inside a quoted cell',
  lost: 'has text after a closing quote; double the quotes inside a quoted cell. Nothing after it was read',
}

export type CsvRow = { readonly line: number; readonly cells: readonly string[] }

/**
 * Parses all records of a CSV file, skipping blank lines. Publishers always end a file with a line break. A file without one was truncated, so its last value
 * may be incomplete.
 */
export function readCsv(text: string): CsvRow[] {
  if (!text.endsWith('\n')) throw new SourceError(`The file is truncated at line ${text.split('\n').length}.`)
  const rows: CsvRow[] = []
  const onRecord = (line: number, cells: readonly string[]) => {
    if (cells.some((cell) => cell !== '')) rows.push({ line, cells })
  }
  const onProblem = (line: number, problem: CsvProblem) => {
    throw new SourceError(problem === 'unclosed' ? `The quoted cell that starts on line ${line} is never closed.` : `Line ${line} ${csvProblems[problem]}.`)
  }
  parse(text, csvOptions({ onRecord, onProblem }))
  return rows
}

/** Returns the indexes of columns by name. @throws SourceError if any are missing. */
export function getColumns<const Names extends readonly string[]>(header: CsvRow | undefined, names: Names): Record<Names[number], number> {
  const cells = header?.cells.map((cell) => cell.trim()) ?? []
  const missing = names.filter((name) => !cells.includes(name))
  if (missing.length > 0) {
    const shown = cells.slice(0, 8).join(', ').slice(0, 120)
    throw new SourceError(`The file has no column ${missing.join(' and no column ')}; its first line is "${shown}".`)
  }
  return Object.fromEntries(names.map((name) => [name, cells.indexOf(name)])) as Record<Names[number], number>
}

/** Parses a cell into canonical decimal text. @throws SourceError with the line number. */
export function decimalIn(text: string, line: number): string {
  const decimal = readDecimal(text.trim())
  if (!decimal) throw new SourceError(`Line ${line}: "${text.slice(0, 40)}" is not a number.`)
  return writeDecimal(decimal)
}
