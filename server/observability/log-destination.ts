import { writeSync } from 'node:fs'

/** Maximum number of bytes buffered for a slow reader. */
const maxWaitingBytes = 1_000_000
const tryAgainMs = 20
/** Pause after a failed write in milliseconds: a full disk must not cause an error for every line. */
const restMs = 100
/** Maximum wait for the reader at process exit, in milliseconds. */
const lastMs = 200

/** Writes bytes and returns the number written. */
type Write = (bytes: Uint8Array) => number

const getCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)

/**
 * Destination of log lines. The service must keep running even if nothing reads its log: lines for a slow reader are buffered up to a limit, and those that
 * cannot be written, because the disk is full or the reader is gone, are lost. A notice with their number precedes the next line that is written.
 */
export class LogDestination {
  private readonly put: Write
  private waiting: Buffer[] = []
  private waitingBytes = 0
  private lost = 0
  /** True if the last write ended in the middle of a line whose rest is still buffered. */
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
    const went = this.attempt(first)
    if (went === 'later') return
    this.waitingBytes -= went === 0 ? first.length : went
    if (went > 0 && went < first.length) {
      this.waiting[0] = first.subarray(went)
      this.isWithinLine = true
      return
    }
    this.waiting.shift()
    // Prevents the next line from continuing a partly written one: the notice of lost lines starts with a line break.
    if (went === 0) this.lost++
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

/** Ignores errors of a closed stream, which would otherwise end the process. They cannot be reported anywhere. */
const ignore = () => undefined

/** Returns the log destination for standard error of this process. */
export function standardError(): LogDestination {
  if (standard) return standard
  // Accessing the streams makes Node open them, after which writes to a pipe or a socket no longer block.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore)
  const made = new LogDestination((bytes) => writeSync(2, bytes))
  process.on('exit', () => made.finish())
  standard = made
  return made
}
