import type { IncomingMessage, ServerResponse } from 'node:http'
import { BodyBuffer } from './body-buffer.ts'

/** Timeout for the body of a form or a portal call. */
const withinMs = 10_000

/** Maximum number of bodies arriving at the same time. Above it, the oldest request is rejected as too late. */
const maxArriving = 256

/** Marks a stream as unread after its bytes were put back. Without this mark, the web Request that Next creates rejects a stream that was read before. */
const untouched = { [Symbol.for('nodejs.stream.disturbed')]: false }

/** Waits for request bodies before they are handled, so that a slow sender occupies only its own connection. */
export class BodyArrivals {
  private readonly late = new Set<() => void>()

  /**
   * Calls `then` once the whole body has arrived; it can still be read from the stream. Calls `tooLate` instead on a timeout, and neither if the sender
   * disconnects. Content-Length must be known and small.
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
    const timer = setTimeout(giveUp, withinMs)
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
