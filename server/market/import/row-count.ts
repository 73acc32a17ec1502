import type { FaultList } from './feed-error.ts'

/** Expectations about the number of rows of a feed. */
export type ExpectedRows = { readonly expectedRows?: number | undefined; readonly requiresCount?: boolean | undefined }

/** CSV line that states the number of rows. */
const csvCount = /^#\s*rows\s*=\s*(\d{1,9})\s*$/

/** Returns the number of rows that a CSV line states, or null for any other line. */
export function countInCsv(cells: readonly string[]): number | null {
  const [, rows] = csvCount.exec(cells.length === 1 ? (cells[0] ?? '') : '') ?? []
  return rows === undefined ? null : Number(rows)
}

/**
 * Compares the number of rows of a feed with the number stated in its first or last line, and with the number expected by the caller. Detects a
 * feed truncated at the end of a line, which is otherwise valid.
 */
export class RowCount {
  readonly #faults: FaultList
  #stated: { readonly line: number; readonly rows: number } | null = null
  #rows = 0
  /** True after a count that isn't on the first line: no row may follow. */
  #isOver = false

  constructor(faults: FaultList) {
    this.#faults = faults
  }

  /** Counts a row, valid or not. */
  addRow(line: number): void {
    this.#rows++
    if (!this.#isOver) return
    this.#isOver = false
    this.#faults.add(line, null, `follows the count of rows on line ${this.#stated?.line}; the count must be on the first or the last line`)
  }

  /** Records a line that states the number of rows. */
  state(line: number, rows: number): void {
    if (this.#stated === null) {
      this.#stated = { line, rows }
      this.#isOver = this.#rows > 0
    } else this.#faults.add(line, null, `states the row count again, after line ${this.#stated.line}`)
  }

  /** Compares the counts after the last line. */
  end(lastLine: number, { expectedRows, requiresCount = false }: ExpectedRows): void {
    const stated = this.#stated
    if (stated !== null && stated.rows !== this.#rows)
      this.#faults.add(stated.line, 'rows', `is ${stated.rows}, but the feed has ${this.#rows} rows: it was truncated or lines are missing`)
    if (stated === null && requiresCount) this.#faults.add(lastLine, null, 'is the last line, but no line states the row count: the feed may be truncated')
    if (expectedRows !== undefined && expectedRows !== this.#rows)
      this.#faults.add(lastLine, null, `is the last line: the feed has ${this.#rows} rows, expected ${expectedRows}`)
  }
}
