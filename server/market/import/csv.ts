import type { Options } from 'csv-parse'

export type CsvProblem = 'unclosed' | 'misplaced quote' | 'lost'

/** Receives the records of a CSV text. `line` is the first line of the record. */
export type CsvHandlers = {
  readonly onRecord: (line: number, cells: readonly string[]) => void
  /** Receives the problem of a record that violates RFC 4180. `lost` ends the parsing: text after a closing quote makes the rest of the file ambiguous. */
  readonly onProblem: (line: number, problem: CsvProblem) => void
}

/** Maximum length of a record, because an unclosed quote would otherwise collect the rest of the file. */
const maxRecordLength = 1_048_576

const problems: Readonly<Record<string, CsvProblem>> = {
  CSV_QUOTE_NOT_CLOSED: 'unclosed',
  CSV_MAX_RECORD_SIZE: 'unclosed',
  INVALID_OPENING_QUOTE: 'misplaced quote',
}

/** Returns options of csv-parse that pass each record to the handlers as soon as it is complete, and continue after a faulty one. */
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
