import { createHash } from 'node:crypto'
import { parse } from 'csv-parse'
import { csvOptions, csvProblems } from './csv.ts'
import { countInCsv, type ExpectedRows, FaultList, RowCount } from './feed-faults.ts'

/** Feed as a string, or as chunks with arbitrary boundaries, such as a file stream with an encoding. */
export type FeedSource = string | AsyncIterable<string>

/** Unvalidated record. */
export type RawRecord = { readonly line: number; readonly fields: Readonly<Record<string, unknown>> }

/** Feed being read. `format`, `faults` and `sha256` are complete once all batches have been consumed. */
export type RawFeed = {
  readonly format: () => 'ndjson' | 'csv'
  /** Records in order, a few hundred at a time, so that no feed has to fit in memory. Can be iterated once. */
  readonly batches: AsyncGenerator<readonly RawRecord[], void, void>
  /** Errors for lines that could not be parsed. */
  readonly faults: FaultList
  /** SHA-256 over the lines, each followed by one line feed, so that the hash doesn't depend on line endings. */
  readonly sha256: () => string
}

const maximumLineLength = 65_536

/** Receives the records, errors and row counts of a feed. */
type Sink = { readonly onRecord: (record: RawRecord) => void; readonly faults: FaultList; readonly count: RowCount }

/** Parses lines into records. */
type LineReader = { readonly push: (text: string) => void; readonly end: () => Promise<void> }

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the number of rows stated by a line such as `{"kind":"count","rows":20000}`, or null for any other line. */
const countInJson = (fields: unknown): number | null =>
  isRecord(fields) && fields['kind'] === 'count' && Number.isSafeInteger(fields['rows']) ? Number(fields['rows']) : null

function ndjsonReader({ onRecord, faults, count }: Sink): LineReader {
  let line = 0
  return {
    push(text) {
      line += 1
      if (text.trim() === '') return
      try {
        const fields: unknown = JSON.parse(text)
        const rows = countInJson(fields)
        if (rows !== null) return count.state(line, rows)
        count.addRow(line)
        if (isRecord(fields)) onRecord({ line, fields })
        else faults.add(line, null, 'must be one JSON object')
      } catch (fault) {
        count.addRow(line)
        faults.add(line, null, `is not JSON: ${fault instanceof Error ? fault.message : String(fault)}`)
      }
    },
    end: async () => undefined,
  }
}

const isBlank = (cells: readonly string[]) => cells.length === 1 && cells[0]?.trim() === ''

/** Reads records below a header line. An empty cell is an omitted field. */
function csvReader({ onRecord, faults, count }: Sink): LineReader {
  let header: readonly string[] | undefined
  const readHeader = (line: number, cells: readonly string[]) => {
    header = cells.map((cell) => cell.trim())
    const twice = header.find((name, index) => header?.indexOf(name) !== index)
    if (twice !== undefined) faults.add(line, twice, 'appears twice in the header')
  }
  const readRecord = (line: number, names: readonly string[], cells: readonly string[]) => {
    count.addRow(line)
    if (cells.length !== names.length) {
      faults.add(line, null, `has ${cells.length} cells, but the header has ${names.length}`)
      return
    }
    const filled = names.flatMap((name, index) => (cells[index] === '' ? [] : [[name, cells[index]] as const]))
    onRecord({ line, fields: Object.fromEntries(filled) })
  }
  const readCells = (line: number, cells: readonly string[]) => {
    const rows = countInCsv(cells)
    if (rows !== null) count.state(line, rows)
    else if (header === undefined) readHeader(line, cells)
    else readRecord(line, header, cells)
  }
  const parser = parse(
    csvOptions({
      onRecord: (line, cells) => (isBlank(cells) ? undefined : readCells(line, cells)),
      onProblem: (line, problem) => faults.add(line, null, csvProblems[problem]),
    }),
  )
  return {
    push: (text) => void parser.write(`${text}\n`),
    end: () => new Promise((resolve) => parser.end(resolve)),
  }
}

type Format = 'ndjson' | 'csv'

function detectFormat(fileName: string, firstLine: string): Format {
  if (/\.csv$/i.test(fileName)) return 'csv'
  if (/\.(?:ndjson|jsonl|json)$/i.test(fileName)) return 'ndjson'
  return firstLine.trimStart().startsWith('{') ? 'ndjson' : 'csv'
}

/** Yields the lines of each chunk, without line endings. Yields an overlong line before its end has been read. */
async function* getLines(source: FeedSource): AsyncGenerator<string[]> {
  let open = ''
  for await (const piece of typeof source === 'string' ? [source] : source) {
    const lines = (open + piece).split('\n')
    open = lines.pop() ?? ''
    yield lines
    if (open.length > maximumLineLength) yield [open]
  }
  if (open !== '') yield [open]
}

const withoutReturn = (text: string) => (text.endsWith('\r') ? text.slice(0, -1) : text)

/** Reads the lines of a feed once. */
class FeedReading implements RawFeed {
  readonly faults = new FaultList()
  readonly batches: RawFeed['batches']
  readonly #fileName: string
  readonly #hash = createHash('sha256')
  #format: Format = 'ndjson'
  #reader: LineReader | undefined
  #records: RawRecord[] = []
  readonly #count = new RowCount(this.faults)
  readonly #expected: ExpectedRows
  #line = 0

  constructor(source: FeedSource, fileName: string, expected: ExpectedRows) {
    this.#fileName = fileName
    this.#expected = expected
    this.batches = this.#read(source)
  }

  format = () => this.#format

  sha256 = () => this.#hash.copy().digest('hex')

  async *#read(source: FeedSource): RawFeed['batches'] {
    for await (const raw of getLines(source)) {
      const lines = raw.map(withoutReturn)
      if (this.#line === 0 && lines[0] !== undefined) lines[0] = lines[0].replace(/^\uFEFF/, '')
      if (lines.length > 0) this.#hash.update(`${lines.join('\n')}\n`)
      const shouldContinue = this.#push(lines)
      if (this.#records.length > 0) yield this.#take()
      if (!shouldContinue) break
    }
    // The end of the feed can complete a record, such as the last record of a CSV file.
    await this.#reader?.end()
    if (this.#records.length > 0) yield this.#take()
    this.#count.end(this.#line, this.#expected)
  }

  #take(): RawRecord[] {
    const taken = this.#records
    this.#records = []
    return taken
  }

  /** Parses lines. Returns false if reading should stop. */
  #push(lines: readonly string[]): boolean {
    for (const text of lines) {
      this.#line += 1
      this.#reader ??= this.#open(text)
      if (text.length > maximumLineLength) {
        this.faults.add(this.#line, null, `is longer than ${maximumLineLength} characters`)
        return false
      }
      this.#reader.push(text)
    }
    return true
  }

  #open(firstLine: string): LineReader {
    this.#format = detectFormat(this.#fileName, firstLine)
    const sink = { onRecord: (record: RawRecord) => void this.#records.push(record), faults: this.faults, count: this.#count }
    return this.#format === 'csv' ? csvReader(sink) : ndjsonReader(sink)
  }
}

/**
 * Parses an NDJSON or CSV feed (by extension, otherwise by the first character). Invalid lines are collected and reading continues, so that one run reports
 * every error. Stops with an error at a line that is too long.
 */
export function readFeed(source: FeedSource, fileName: string, expected: ExpectedRows = {}): RawFeed {
  return new FeedReading(source, fileName, expected)
}
