import type { FaultList } from './feed-error.ts'

/** What is known of the number of rows of a feed beside its lines. */
export type ExpectedRows = { readonly expectedRows?: number | undefined; readonly requiresCount?: boolean | undefined }

/** A CSV line that counts the rows. */
const csvCount = /^#\s*rows\s*=\s*(\d{1,9})\s*$/

/** Returns the number of rows that a CSV line states, or null for any other line. */
export function countInCsv(cells: readonly string[]): number | null {
  const [, rows] = csvCount.exec(cells.length === 1 ? (cells[0] ?? '') : '') ?? []
  return rows === undefined ? null : Number(rows)
}

/**
 * Compares the rows of a feed with the number that it states itself, as its first or last line, and with the number that its reader expects. A feed that was
 * cut off at the end of a line is complete in every other respect.
 */
export class RowCount {
  readonly #faults: FaultList
  #stated: { readonly line: number; readonly rows: number } | null = null
  #rows = 0
  /** True behind a count that is not on the first line: no row may follow. */
  #isOver = false

  constructor(faults: FaultList) {
    this.#faults = faults
  }

  /** Counts a line with a row, faulty or not. */
  addRow(line: number): void {
    this.#rows++
    if (!this.#isOver) return
    this.#isOver = false
    this.#faults.add(line, null, `follows the count of rows on line ${this.#stated?.line}; the count is the first line or the last`)
  }

  /** Takes a line that states the number of rows. */
  state(line: number, rows: number): void {
    if (this.#stated === null) {
      this.#stated = { line, rows }
      this.#isOver = this.#rows > 0
    } else this.#faults.add(line, null, `counts the rows a second time, after line ${this.#stated.line}`)
  }

  /** Compares, behind the last line. */
  end(lastLine: number, { expectedRows, requiresCount = false }: ExpectedRows): void {
    const stated = this.#stated
    if (stated !== null && stated.rows !== this.#rows)
      this.#faults.add(stated.line, 'rows', `is ${stated.rows}, but the feed has ${this.#rows} rows: it was cut off, or lines are missing`)
    if (stated === null && requiresCount) this.#faults.add(lastLine, null, 'is the last line, and no line counts the rows: the feed may have been cut off')
    if (expectedRows !== undefined && expectedRows !== this.#rows)
      this.#faults.add(lastLine, null, `is the last line: the feed has ${this.#rows} rows, ${expectedRows} were expected`)
  }
}
