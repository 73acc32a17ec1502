import type { IncomingMessage, ServerResponse } from 'node:http'

/** Collects a body in one buffer. If the sender sends one byte at a time, storing the chunks separately would take more than 100 bytes of memory per byte. */
export class BodyBuffer {
  private readonly maxBytes: number
  private bytes = Buffer.alloc(0)
  /** Number of bytes received, including those beyond the limit. */
  received = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Appends a chunk. Returns false, and discards the body, if it exceeds the limit. */
  add(part: Uint8Array): boolean {
    const start = this.received
    this.received += part.length
    if (this.received > this.maxBytes) {
      this.bytes = Buffer.alloc(0)
      return false
    }
    if (this.received > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.maxBytes, Math.max(this.received, 2 * this.bytes.length)))
      larger.set(this.bytes.subarray(0, start))
      this.bytes = larger
    }
    this.bytes.set(part, start)
    return true
  }

  /** Returns the bytes received so far, or null if the body exceeds the limit. */
  get body(): Buffer | null {
    return this.received > this.maxBytes ? null : this.bytes.subarray(0, this.received)
  }
}

/** Time limit for receiving the body of a form or a portal call. */
const arrivalTimeoutMs = 10_000

/** Maximum number of bodies being received at the same time. Beyond this, the oldest request is rejected as if it had timed out. */
const maxArriving = 256

/** Marks a stream as unread after its bytes have been put back. Otherwise, the web Request that Next creates would reject the stream as already read. */
const untouched = { [Symbol.for('nodejs.stream.disturbed')]: false }

/** Receives request bodies before the requests are handled, so that a slow sender ties up only its own connection. */
export class BodyArrivals {
  private readonly late = new Set<() => void>()

  /**
   * Calls `then` once the whole body has arrived; the body can still be read from the stream. Calls `tooLate` instead if the time limit is exceeded. Calls
   * neither if the sender disconnects. Expects a request without a body or with a small Content-Length.
   */
  wait(request: IncomingMessage, response: ServerResponse, then: () => void, tooLate: () => void): void {
    let missing = Number(request.headers['content-length'] ?? 0)
    if (missing === 0) {
      then()
      return
    }
    const buffer = new BodyBuffer(missing)
    const read = () => {
      for (let part: Uint8Array | null = request.read(); part !== null; part = request.read()) {
        buffer.add(part)
        missing -= part.length
      }
      if (missing > 0) return
      leave()
      request.unshift(buffer.body ?? Buffer.alloc(0))
      Object.assign(request, untouched)
      then()
    }
    const giveUp = () => {
      leave()
      tooLate()
    }
    const timer = setTimeout(giveUp, arrivalTimeoutMs)
    const leave = () => {
      clearTimeout(timer)
      this.late.delete(giveUp)
      request.off('readable', read)
      response.off('close', leave)
    }
    this.late.add(giveUp)
    response.once('close', leave)
    request.on('readable', read)
    if (this.late.size > maxArriving) this.late.values().next().value?.()
  }
}
