/** Result of one line of a CSV file: the cells of a complete record, null inside a quoted cell, or a problem. */
export type CsvStep = { readonly line: number; readonly cells: readonly string[] } | { readonly line: number; readonly problem: string } | null

/**
 * Parses RFC 4180 line by line: comma-separated cells, quoted if they contain commas, (doubled) quotes or line breaks. A record's line number is
 * that of its first line.
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
    return cells === 'stray quote' ? { line, problem: 'has a misplaced quote; double the quotes inside a quoted cell' } : { line, cells }
  }

  /** Returns the first line of an unclosed quoted cell at the end of the file, otherwise undefined. */
  unfinished(): number | undefined {
    return this.#open === '' ? undefined : this.#begins
  }
}

/** One cell and its delimiter: a quoted cell, or text without quotes. Sticky, so it only matches where the last cell ended. */
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

/** True if the quoted cell that starts here is not closed. */
function isOpen(record: string, at: number): boolean {
  if (record[at] !== '"') return false
  const quotes = record.slice(at).match(/"/g)?.length ?? 0
  return quotes % 2 === 1
}
