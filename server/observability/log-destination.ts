import { writeSync } from 'node:fs'

/** What waits for a reader that is slow, at most. */
const mostWaitingBytes = 1_000_000
const tryAgainMs = 20
/** After a write that failed: a full disk must not cost every line a fault of its own. */
const restMs = 100
/** What a process that ends waits for its reader. */
const lastMs = 200

/** Writes bytes and says how many of them went. */
type Write = (bytes: Uint8Array) => number

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)

/**
 * Where the lines of the log go. A service has to go on though nobody takes its log: what a slow reader leaves waits up to a bound, and what
 * cannot be written, since the disk is full or the reader gone, is lost. Before the first line that goes again stands one that says how many were.
 */
export class LogDestination {
  private readonly put: Write
  private waiting: Buffer[] = []
  private waitingBytes = 0
  private lost = 0
  /** Whether the last thing that was written is the beginning of a line whose rest is still to come. */
  private isWithinLine = false
  private timer: NodeJS.Timeout | null = null
  private restsUntil = 0

  constructor(put: Write) {
    this.put = put
  }

  write(line: string): void {
    const bytes = Buffer.from(line)
    if (this.waitingBytes + bytes.length > mostWaitingBytes || performance.now() < this.restsUntil) {
      this.lost++
      return
    }
    this.waiting.push(bytes)
    this.waitingBytes += bytes.length
    if (this.timer === null) this.flush()
  }

  /** Writes what waits, as far as it is taken now. */
  private flush(): void {
    this.timer = null
    for (let [first] = this.waiting; first && this.timer === null; [first] = this.waiting) {
      if (this.lost > 0 && !this.isWithinLine) this.tellOfLost()
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
    // What comes next must not be read as the end of a line whose rest is lost: the line that tells of it begins with a break.
    if (went === 0) this.lost++
    this.isWithinLine = false
  }

  private tellOfLost(): void {
    const lines = this.lost
    const facts = { level: 40, time: new Date().toISOString(), pid: process.pid, lines, msg: 'Lines of the log could not be written and are lost.' }
    const notice = Buffer.from(`\n${JSON.stringify(facts)}\n`)
    if (this.attempt(notice) === notice.length) this.lost = 0
  }

  /** How many bytes went; 0: they cannot be written. `later`: the reader is slow. */
  private attempt(bytes: Buffer): number | 'later' {
    try {
      return this.put(bytes)
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') {
        this.restsUntil = performance.now() + restMs
        return 0
      }
      this.timer = setTimeout(() => this.flush(), tryAgainMs)
      this.timer.unref()
      return 'later'
    }
  }

  /** Gives a slow reader a moment for what still waits, in a process that ends. */
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

/** Hears of a stream that is gone, which would end the process if nobody did. There is nobody left to tell. */
const ignore = () => undefined

/** Standard error of this process. */
export function standardError(): LogDestination {
  if (standard) return standard
  // Looking at the streams has Node open them, by which a pipe or a socket no longer holds up whoever writes to it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore)
  const made = new LogDestination((bytes) => writeSync(2, bytes))
  process.on('exit', () => made.finish())
  standard = made
  return made
}
