import { parse } from 'csv-parse/sync'
import { type CsvProblem, csvOptions, csvProblems } from '../import/csv.ts'
import { readDecimal, writeDecimal } from './exact-decimal.ts'
import { SourceError } from './source.ts'

export type CsvRow = { readonly line: number; readonly cells: readonly string[] }

/**
 * Parses all records of a CSV text, without blank lines. Publishers' files end with a line break; without one, the file was truncated and its
 * last value may be incomplete.
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

/** Indexes of columns by name. @throws SourceError if any are missing. */
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
