/** What one line of a CSV file leads to: the cells of a finished record, null while a quoted cell goes on, or what is wrong. */
export type CsvStep = { readonly line: number; readonly cells: readonly string[] } | { readonly line: number; readonly problem: string } | null

/**
 * Reads RFC 4180 line by line: cells apart by commas, quoted where they hold commas, quotes (doubled) or line breaks.
 * A record is numbered by the line that it begins on.
 */
export class CsvReader {
  #line = 0
  #begins = 0
  #open = ''

  push(text: string): CsvStep {
    this.#line += 1
    if (this.#open === '') this.#begins = this.#line
    const record = this.#open === '' ? text : `${this.#open}\n${text}`
    const cells = splitRecord(record)
    this.#open = cells === 'open' ? record : ''
    if (cells === 'open') return null
    const line = this.#begins
    return cells === 'stray quote' ? { line, problem: 'has a quote where none may stand; a quote inside a quoted cell is written twice' } : { line, cells }
  }

  /** The line on which a quoted cell began that the file never closed; undefined when all is well. */
  unfinished(): number | undefined {
    return this.#open === '' ? undefined : this.#begins
  }
}

/** One cell and what ends it: a quoted cell, or text without a quote. Sticky, so that it is tried only where the last cell ended. */
const cellPattern = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y

function splitRecord(record: string): string[] | 'open' | 'stray quote' {
  if (!record.includes('"')) return record.split(',')
  const cells: string[] = []
  let at = 0
  for (;;) {
    cellPattern.lastIndex = at
    const match = cellPattern.exec(record)
    if (!match) return isOpen(record, at) ? 'open' : 'stray quote'
    const [whole, quoted, plain, end] = match
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '') return cells
    at += whole.length
  }
}

/** Whether the cell that begins here is a quoted one that has not ended yet. */
function isOpen(record: string, at: number): boolean {
  if (record[at] !== '"') return false
  const quotes = record.slice(at).match(/"/g)?.length ?? 0
  return quotes % 2 === 1
}
