import type { IncomingMessage } from 'node:http'
import type { Log } from '#server/observability/log.ts'
import { BodyBuffer } from './body-buffer.ts'

/** Maximum size of an event in bytes. Stripe sends a few thousand; 50 metadata entries of the maximum length are 27,000. */
export const maxEventBytes = 262_144

/** Timeout for the whole body of an event. */
const arrivalTimeoutMs = 10_000

/** Maximum number of bodies arriving at the same time: 16 MiB in all. Above it, the oldest one is rejected as too late. */
const maxArriving = 64

/** Raw bytes of an event, as its signature covers them, or the reason for their absence. */
export type EventBody = Uint8Array | 'too long' | 'too late' | 'cut off'

/** Reads the bodies of events. Senders that do not finish use a bounded amount of memory and do not block other senders. */
export class EventBodies {
  private readonly arriving = new Set<() => void>()

  read(request: IncomingMessage): Promise<EventBody> {
    if (Number(request.headers['content-length'] ?? 0) > maxEventBytes) return Promise.resolve('too long')
    return new Promise((resolve) => {
      const buffer = new BodyBuffer(maxEventBytes)
      const end = (body: EventBody) => {
        clearTimeout(timer)
        this.arriving.delete(giveUp)
        request.off('data', take).off('end', finish).off('close', cutOff)
        // The rest of the body, if any, is discarded.
        request.resume()
        resolve(body)
      }
      const take = (part: Uint8Array) => {
        if (!buffer.add(part)) end('too long')
      }
      const finish = () => end(buffer.body ?? 'too long')
      const cutOff = () => end('cut off')
      const giveUp = () => end('too late')
      const timer = setTimeout(giveUp, arrivalTimeoutMs)
      request.on('data', take).once('end', finish).once('close', cutOff)
      this.arriving.add(giveUp)
      if (this.arriving.size > maxArriving) this.arriving.values().next().value?.()
    })
  }
}

/** Reads a body in hosts that only support web Requests. The listener has already limited its length and its time. */
export async function readEventBody(chunks: AsyncIterable<Uint8Array> | null, log: Log): Promise<EventBody> {
  const buffer = new BodyBuffer(maxEventBytes)
  try {
    for await (const part of chunks ?? []) if (!buffer.add(part)) return 'too long'
  } catch (error) {
    log.debug({ err: error }, 'The sender of a Stripe event disconnected before the end of the body.')
    return 'cut off'
  }
  return buffer.body ?? 'too long'
}
