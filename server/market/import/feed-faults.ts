/** Validation error in a feed. Lines count from 1; `field` is null if the whole line is invalid. */
export type FeedFault = { readonly line: number; readonly field: string | null; readonly problem: string }

/** Maximum number of invalid lines listed. Any others are only counted. */
export const maxListedLines = 100

function describe({ line, field, problem }: FeedFault): string {
  return `  line ${line}: ${field === null ? '' : `${field} `}${problem}`
}

/** Thrown for an invalid feed; nothing is imported. `faults` covers the first 100 invalid lines, `faultyLines` counts all of them. */
export class FeedError extends Error {
  readonly fileName: string
  readonly faults: readonly FeedFault[]
  readonly faultyLines: number

  constructor(fileName: string, faults: readonly FeedFault[], faultyLines: number) {
    const count = faultyLines === 1 ? '1 invalid line' : `${faultyLines} invalid lines`
    const unlisted = faultyLines - new Set(faults.map(({ line }) => line)).size
    const rest = unlisted > 0 ? [`  … and ${unlisted} more invalid lines`] : []
    super([`${fileName}: ${count}. Nothing was imported.`, ...faults.map(describe), ...rest].join('\n'))
    this.name = 'FeedError'
    this.fileName = fileName
    this.faults = faults
    this.faultyLines = faultyLines
  }
}

/** Collects validation errors: the details of the first 100 invalid lines, and a count of the rest. */
export class FaultList {
  readonly #listed = new Map<number, FeedFault[]>()
  readonly #unlisted = new Set<number>()
  /** Number of invalid lines that added FeedErrors count without details. */
  #others = 0

  add(line: number, field: string | null, problem: string): void {
    const fault = { line, field, problem }
    const known = this.#listed.get(line)
    if (known) known.push(fault)
    else if (this.#listed.size < maxListedLines) this.#listed.set(line, [fault])
    else this.#unlisted.add(line)
  }

  /** Adds the errors from a FeedError. */
  addAll({ faults, faultyLines }: FeedError): void {
    for (const { line, field, problem } of faults) this.add(line, field, problem)
    this.#others += faultyLines - new Set(faults.map(({ line }) => line)).size
  }

  /** Throws the collected errors in order of line; does nothing if there are none. */
  throwIfAny(fileName: string): void {
    if (this.#listed.size === 0) return
    const faults = [...this.#listed.values()].flat().sort((a, b) => a.line - b.line)
    throw new FeedError(fileName, faults, this.#listed.size + this.#unlisted.size + this.#others)
  }
}

/** Expected number of rows in a feed, and whether the feed must state a number itself. */
export type ExpectedRows = { readonly expectedRows?: number | undefined; readonly requiresCount?: boolean | undefined }

/** CSV line that states the number of rows. */
const csvCount = /^#\s*rows\s*=\s*(\d{1,9})\s*$/

/** Returns the number of rows stated by a CSV line, or null for any other line. */
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
  /** True once a row count has been read on any line but the first. No row may follow it. */
  #isOver = false

  constructor(faults: FaultList) {
    this.#faults = faults
  }

  /** Counts a row, valid or not. */
  addRow(line: number): void {
    this.#rows++
    if (!this.#isOver) return
    this.#isOver = false
    this.#faults.add(line, null, `follows the row count on line ${this.#stated?.line}; the count must be on the first or the last line`)
  }

  /** Records a line that states the number of rows. */
  state(line: number, rows: number): void {
    if (this.#stated === null) {
      this.#stated = { line, rows }
      this.#isOver = this.#rows > 0
    } else this.#faults.add(line, null, `states the row count again, after line ${this.#stated.line}`)
  }

  /** Checks the number of rows once the last line has been read. */
  end(lastLine: number, { expectedRows, requiresCount = false }: ExpectedRows): void {
    const stated = this.#stated
    if (stated !== null && stated.rows !== this.#rows)
      this.#faults.add(stated.line, 'rows', `is ${stated.rows}, but the feed has ${this.#rows} rows: it was truncated or lines are missing`)
    if (stated === null && requiresCount) this.#faults.add(lastLine, null, 'is the last line, but no line states the row count: the feed may be truncated')
    if (expectedRows !== undefined && expectedRows !== this.#rows)
      this.#faults.add(lastLine, null, `is the last line: the feed has ${this.#rows} rows, expected ${expectedRows}`)
  }
}
