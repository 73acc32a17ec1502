import type { IncomingMessage, ServerResponse } from 'node:http'
import { BodyBuffer } from './body-buffer.ts'

/** How long the body of a form or a portal call may take. */
const withinMs = 10_000

/** Bodies that are on their way at the same time. When there is one more, the oldest has had its time. */
const maxArriving = 256

/** Everything that was read is back in the stream. Without this mark a web Request, which Next makes of it, refuses a stream that was read before. */
const untouched = { [Symbol.for('nodejs.stream.disturbed')]: false }

/** Waits for bodies, so that a sender who does not send holds nothing but a connection of its own. */
export class BodyArrivals {
  private readonly late = new Set<() => void>()

  /**
   * Calls `then` once the body is here; it can be read as if nobody had. Calls `tooLate` instead when it takes too long, and neither when its sender hangs
   * up. The length has to be known, and to be small.
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
