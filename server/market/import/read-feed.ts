import { createHash } from 'node:crypto'
import { CsvReader } from './csv.ts'
import { FaultList } from './feed-error.ts'

/** The whole feed as one text, or in pieces cut anywhere, as a file stream with an encoding gives them. */
export type FeedSource = string | AsyncIterable<string>

/** One record as it was written, before anything about its fields is known. */
export type RawRecord = { readonly line: number; readonly fields: Readonly<Record<string, unknown>> }

export type RawFeed = {
  readonly format: 'ndjson' | 'csv'
  readonly records: readonly RawRecord[]
  /** Lines that could not be read at all. */
  readonly faults: FaultList
  /** SHA-256 over the lines, each ended by one line feed, so that it does not depend on how the lines came. */
  readonly sha256: string
}

const maximumLineLength = 65_536
const maximumRecords = 500_000

type LineReader = { readonly push: (text: string) => void; readonly end: () => void }

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function ndjsonReader(records: RawRecord[], faults: FaultList): LineReader {
  let line = 0
  return {
    push(text) {
      line += 1
      if (text.trim() === '') return
      try {
        const fields: unknown = JSON.parse(text)
        if (isRecord(fields)) records.push({ line, fields })
        else faults.add(line, null, 'must be one JSON object')
      } catch (fault) {
        faults.add(line, null, `is not JSON: ${fault instanceof Error ? fault.message : String(fault)}`)
      }
    },
    end() {},
  }
}

const isBlank = (cells: readonly string[]) => cells.length === 1 && cells[0]?.trim() === ''

/** Reads records under a header line. An empty cell is the same as a field that is left out. */
function csvReader(records: RawRecord[], faults: FaultList): LineReader {
  const csv = new CsvReader()
  let header: readonly string[] | undefined
  const readHeader = (line: number, cells: readonly string[]) => {
    header = cells.map((cell) => cell.trim())
    const twice = header.find((name, index) => header?.indexOf(name) !== index)
    if (twice !== undefined) faults.add(line, twice, 'stands twice in the header')
  }
  const readRecord = (line: number, names: readonly string[], cells: readonly string[]) => {
    if (cells.length !== names.length) {
      faults.add(line, null, `has ${cells.length} cells, the header has ${names.length}`)
      return
    }
    const filled = names.flatMap((name, index) => (cells[index] === '' ? [] : [[name, cells[index]] as const]))
    records.push({ line, fields: Object.fromEntries(filled) })
  }
  return {
    push(text) {
      const step = csv.push(text)
      if (step === null) return
      if ('problem' in step) faults.add(step.line, null, step.problem)
      else if (isBlank(step.cells)) return
      else if (header === undefined) readHeader(step.line, step.cells)
      else readRecord(step.line, header, step.cells)
    },
    end() {
      const line = csv.unfinished()
      if (line !== undefined) faults.add(line, null, 'has a quoted cell that never ends')
    },
  }
}

function formatOf(fileName: string, firstLine: string): RawFeed['format'] {
  if (/\.csv$/i.test(fileName)) return 'csv'
  if (/\.(?:ndjson|jsonl|json)$/i.test(fileName)) return 'ndjson'
  return firstLine.trimStart().startsWith('{') ? 'ndjson' : 'csv'
}

/** Lines without their ends. A line that grows past the bound is given out as far as it came, so that no feed can fill the memory. */
async function* linesOf(source: FeedSource): AsyncGenerator<string> {
  let open = ''
  for await (const piece of typeof source === 'string' ? [source] : source) {
    const lines = (open + piece).split('\n')
    open = lines.pop() ?? ''
    yield* lines
    if (open.length > maximumLineLength) yield open
  }
  if (open !== '') yield open
}

/**
 * Reads a feed into records, NDJSON or CSV (by the ending of the name, else by the first character). Faulty lines are collected and the
 * rest is still read, so that one run tells everything that is wrong. Lines and records are bounded; past a bound it stops with a fault.
 */
export async function readFeed(source: FeedSource, fileName: string): Promise<RawFeed> {
  const records: RawRecord[] = []
  const faults = new FaultList()
  const hash = createHash('sha256')
  let reader: LineReader | undefined
  let format: RawFeed['format'] = 'ndjson'
  let line = 0
  for await (const raw of linesOf(source)) {
    line += 1
    const text = (line === 1 ? raw.replace(/^\uFEFF/, '') : raw).replace(/\r$/, '')
    hash.update(`${text}\n`)
    if (reader === undefined) {
      format = formatOf(fileName, text)
      reader = format === 'csv' ? csvReader(records, faults) : ndjsonReader(records, faults)
    }
    if (text.length > maximumLineLength) {
      faults.add(line, null, `is longer than ${maximumLineLength} characters`)
      break
    }
    reader.push(text)
    if (records.length > maximumRecords) {
      faults.add(line, null, `is past the ${maximumRecords} records that one feed may hold`)
      break
    }
  }
  reader?.end()
  return { format, records, faults, sha256: hash.digest('hex') }
}
