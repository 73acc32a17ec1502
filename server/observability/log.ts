import { writeSync } from 'node:fs'
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { clock } from '#server/clock.ts'
import { databaseAdvice, getCode } from '#server/db/database-errors.ts'

/** Maximum number of bytes buffered for a slow reader. */
const maxWaitingBytes = 1_000_000
const tryAgainMs = 20
/** Pause after a failed write, in milliseconds: a full disk must not cause an error for every line. */
const restMs = 100
/** Maximum wait for the reader at process exit, in milliseconds. */
const lastMs = 200

/** Writes bytes and returns the number written. */
type Write = (bytes: Uint8Array) => number

/**
 * Destination of log lines. The service must keep running even if nothing reads its log: lines for a slow reader are buffered up to a limit, and lines that
 * cannot be written, because the disk is full or the reader is gone, are lost. A notice with the number of lost lines precedes the next line that is written.
 */
export class LogDestination {
  private readonly put: Write
  private waiting: Buffer[] = []
  private waitingBytes = 0
  private lost = 0
  /** True if the last write ended in the middle of a line and the rest of the line is still buffered. */
  private isWithinLine = false
  private timer: NodeJS.Timeout | null = null
  private restsUntil = 0

  constructor(put: Write) {
    this.put = put
  }

  write(line: string): void {
    const bytes = Buffer.from(line)
    if (this.waitingBytes + bytes.length > maxWaitingBytes || performance.now() < this.restsUntil) {
      this.lost++
      return
    }
    this.waiting.push(bytes)
    this.waitingBytes += bytes.length
    if (this.timer === null) this.flush()
  }

  /** Writes as much of the buffer as the reader accepts now. */
  private flush(): void {
    this.timer = null
    for (let [first] = this.waiting; first && this.timer === null; [first] = this.waiting) {
      if (this.lost > 0 && !this.isWithinLine) this.reportLost()
      if (this.timer === null) this.next(first)
    }
  }

  private next(first: Buffer): void {
    const written = this.attempt(first)
    if (written === 'later') return
    this.waitingBytes -= written === 0 ? first.length : written
    if (written > 0 && written < first.length) {
      this.waiting[0] = first.subarray(written)
      this.isWithinLine = true
      return
    }
    this.waiting.shift()
    // Counts the line as lost even if part of it was written. The notice about lost lines starts with a line break, so that it doesn't run on from that partial
    // line.
    if (written === 0) this.lost++
    this.isWithinLine = false
  }

  private reportLost(): void {
    const lines = this.lost
    const facts = { level: 40, time: new Date().toISOString(), pid: process.pid, lines, msg: 'Log lines could not be written and are lost.' }
    const notice = Buffer.from(`\n${JSON.stringify(facts)}\n`)
    if (this.attempt(notice) === notice.length) this.lost = 0
  }

  /** Returns the number of bytes written; 0 if they cannot be written, or `later` if the reader is slow. */
  private attempt(bytes: Buffer): number | 'later' {
    try {
      return this.put(bytes)
    } catch (error) {
      if (getCode(error) !== 'EAGAIN') {
        this.restsUntil = performance.now() + restMs
        return 0
      }
      this.timer = setTimeout(() => this.flush(), tryAgainMs)
      this.timer.unref()
      return 'later'
    }
  }

  /** Waits briefly at process exit for a slow reader to take the buffered lines. */
  finish(): void {
    const end = performance.now() + lastMs
    while (this.waiting.length > 0 && performance.now() < end) {
      if (this.timer) clearTimeout(this.timer)
      this.flush()
      if (this.waiting.length > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
  }
}

let standard: LogDestination | null = null

/** Ignores errors from a closed stream, which would otherwise end the process. They cannot be reported anywhere. */
const ignore = () => undefined

/** Returns the log destination for standard error of this process. */
function standardError(): LogDestination {
  if (standard) return standard
  // Accessing the streams makes Node open them. From then on, writes to a pipe or a socket don't block.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore)
  const made = new LogDestination((bytes) => writeSync(2, bytes))
  process.on('exit', () => made.finish())
  standard = made
  return made
}

/**
 * Maximum number of lines with the same message per UTC minute: one limit for warnings and errors, another for lower levels. Messages are constant; varying
 * details are in a
 * line's fields.
 */
const maxWarnings = 60
const maxOtherLines = 600
const warning = 40

/** Maximum number of distinct messages counted separately per minute. Any others share a single count. */
const maxMessages = 500

const others = 'Other lines'

/** Returns the message of a line: the first string among its log arguments. */
const findMessage = (given: readonly unknown[]) => given.find((one) => typeof one === 'string') ?? others

/**
 * Limits the number of lines with the same message per minute, so that a burst of them doesn't fill the disk. Reports the number of omitted lines with the
 * first line of a later minute.
 */
class LogLimit {
  private minute = 0
  private counts = new Map<string, number>()
  private leftOut = new Map<string, number>()

  /** Returns true if a line may be written. `report` writes how many lines were omitted in the previous minute, by message. */
  admits(message: string, level: number, report: (leftOut: Readonly<Record<string, number>>) => void): boolean {
    const minute = Math.floor(clock.now() / 60_000)
    if (minute !== this.minute) {
      const before = this.leftOut
      this.minute = minute
      this.counts = new Map()
      this.leftOut = new Map()
      if (before.size > 0) report(Object.fromEntries(before))
    }
    const counted = this.counts.has(message) || this.counts.size < maxMessages ? message : others
    const lines = (this.counts.get(counted) ?? 0) + 1
    this.counts.set(counted, lines)
    const isWritten = lines <= (level >= warning ? maxWarnings : maxOtherLines)
    if (!isWritten) this.leftOut.set(counted, (this.leftOut.get(counted) ?? 0) + 1)
    return isWritten
  }
}

/** Returns a pino hook that applies the limit. */
function limitLines(limit = new LogLimit()) {
  return function logMethod(this: Logger, given: Parameters<LogFn>, write: LogFn, level: number): void {
    const report = (leftOut: Readonly<Record<string, number>>) => write.call(this, { leftOut }, 'Log lines were omitted: too many were identical.')
    if (limit.admits(findMessage(given), level, report)) write.apply(this, given)
  }
}

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/** Names of fields that are redacted from the log, both at the top level and one level down. */
const secretFields = ['authorization', 'cookie', 'password', 'key', 'secret', 'token', 'url', 'connectionString']

/** Fields of an error that are logged in addition to its message: codes, and names of database objects. None of them contains row values. */
const namedFields = ['code', 'errno', 'syscall', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'] as const

const deepest = 4
const maxErrors = 4

const isPlain = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** Returns PostgreSQL's error code rather than Prisma's, which is less specific. */
const codeOf = (error: Error): { code?: string } => {
  const code = getCode(error)
  return code === '' ? {} : { code }
}

const adviceOn = (error: Error): { advice?: string } => {
  const advice = databaseAdvice(error)
  return advice === null ? {} : { advice }
}

/**
 * Serialises an error for the log. Only listed fields are included, because libraries attach arbitrary data to their errors: `pg` attaches the whole
 * connection, with the key that can cancel its statements, and the values of the row that violated a constraint.
 */
function errorFields(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error, message: typeof error === 'object' ? 'Not an Error.' : String(error) }
  const fields = error as Error & { readonly [name: string]: unknown }
  const inside = (other: unknown) => errorFields(other, depth + 1)
  return {
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
    ...Object.fromEntries(namedFields.flatMap((name) => (isPlain(fields[name]) ? [[name, fields[name]]] : []))),
    ...codeOf(error),
    ...adviceOn(error),
    ...(error.cause !== undefined && depth < deepest ? { cause: inside(error.cause) } : {}),
    ...(error instanceof AggregateError && depth < deepest ? { errors: error.errors.slice(0, maxErrors).map(inside) } : {}),
  }
}

/** Creates the structured log of a process: one JSON object per line on standard error, times in ISO 8601 UTC. */
export function createLog(level: string, destination: DestinationStream = standardError()): Logger {
  return pino(
    {
      level,
      hooks: { logMethod: limitLines() },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => errorFields(error) },
      redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    },
    destination,
  )
}
