import type { IncomingMessage } from 'node:http'
import type { Log } from '#server/observability/log.ts'
import { BodyBuffer } from './body-buffer.ts'

/** Bytes of an event that are read. Stripe sends a few thousand; 50 metadata entries of the maximum length are 27,000. */
export const maxEventBytes = 262_144

/** Time for the whole body of an event. */
const arrivalTimeoutMs = 10_000

/** Bodies that may arrive at the same time: at most 16 MiB in all. One more ends the wait for the oldest. */
const maxArriving = 64

/** Body of an event byte for byte, because the signature covers bytes, or why there is none. */
export type EventBody = Uint8Array | 'too long' | 'too late' | 'cut off'

/** Reads the bodies of events. Senders that do not finish hold a bounded amount of memory and keep no other sender out. */
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

/** Reads a body for hosts that only know web Requests, where the listener has bounded its length and its time already. */
export async function readEventBody(chunks: AsyncIterable<Uint8Array> | null, log: Log): Promise<EventBody> {
  const buffer = new BodyBuffer(maxEventBytes)
  try {
    for await (const part of chunks ?? []) if (!buffer.add(part)) return 'too long'
  } catch (error) {
    log.debug({ err: error }, 'The sender of a Stripe event hung up before its end.')
    return 'cut off'
  }
  return buffer.body ?? 'too long'
}
