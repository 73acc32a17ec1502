import type { IncomingMessage } from 'node:http'
import { type Answer, uncachedAnswer } from '#server/api/pipeline/call.ts'
import type { Log } from '#server/observability/log.ts'
import type { Service } from '#server/runtime/service.ts'
import { BodyBuffer } from './body-buffer.ts'
import { isPacked } from './request-faults.ts'
import { toResponse } from './web-request.ts'

/** Maximum size of an event in bytes. Typical events have a few thousand bytes; 50 metadata entries of maximum length take up 27,000. */
const maxEventBytes = 262_144

/** Time limit for receiving the whole body of an event. */
const arrivalTimeoutMs = 10_000

/** Maximum number of bodies being received at the same time (16 MiB in total). Beyond this limit, the oldest one is rejected as if it had timed out. */
const maxArriving = 64

/** Raw bytes of an event, which its signature covers, or the reason why they could not be read. */
type EventBody = Uint8Array | 'too long' | 'too late' | 'cut off'

/** Reads event bodies. Senders that never finish use a bounded amount of memory and do not block other senders. */
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

/** Reads the body of a web Request. The listener has already limited its length and the time to receive it. */
async function readEventBody(chunks: AsyncIterable<Uint8Array> | null, log: Log): Promise<EventBody> {
  const buffer = new BodyBuffer(maxEventBytes)
  try {
    for await (const part of chunks ?? []) if (!buffer.add(part)) return 'too long'
  } catch (error) {
    log.debug({ err: error }, 'The sender of a Stripe event disconnected before it had sent the whole body.')
    return 'cut off'
  }
  return buffer.body ?? 'too long'
}

const path = '/api/stripe/webhook'

type EventAnswer = { readonly status: number; readonly body: object }

type StripeEvents = {
  /** Processes an event, given its raw body exactly as signed and the signature header. */
  readonly receive: (body: Uint8Array, signature: string | null) => Promise<EventAnswer>
  /** Rejects an event before its body is read, if possible; returns null if the body is needed. */
  readonly refuseUnread: (signature: string | null) => EventAnswer | null
  readonly log: Log
}

/** Returns true for the URL to which Stripe sends events. */
export const isStripePath = (url: string): boolean => url === path || url.startsWith(`${path}?`)

const json = (status: number, body: object, ...headers: string[]) => uncachedAnswer(status, 'application/json', JSON.stringify(body), ...headers)

const faulty = (status: number, message: string, ...headers: string[]) => json(status, { error: 'invalid_request', message }, ...headers)

const unreadable = {
  'too long': [413, `The body is longer than ${maxEventBytes} bytes.`],
  'too late': [408, 'The body took too long to arrive.'],
  'cut off': [400, 'The body ended too early.'],
} as const

type Sent = {
  readonly method: string
  readonly signature: string | null
  readonly encoding: string | undefined
  readonly read: () => Promise<EventBody>
}

async function answer({ receive, refuseUnread, log }: StripeEvents, { method, signature, encoding, read }: Sent): Promise<Answer> {
  if (method !== 'POST') return json(404, { error: 'not_found', message: 'This path only supports POST.' }, 'Allow', 'POST')
  if (isPacked(encoding)) return faulty(415, 'Send the event uncompressed, without Content-Encoding.')
  const refusal = refuseUnread(signature)
  if (refusal) return json(refusal.status, refusal.body)
  const event = await read()
  if (typeof event === 'string') {
    const [status, message] = unreadable[event]
    // Close the connection: unread bytes of the body would otherwise be parsed as the next request.
    return faulty(status, message, 'Connection', 'close')
  }
  try {
    const { status, body } = await receive(event, signature)
    return json(status, body)
  } catch (error) {
    log.error({ err: error }, 'Failed to process a Stripe event; Stripe will resend it.')
    return json(500, { error: 'internal_error', message: 'Failed to process the event. Send it again.' })
  }
}

/** Serves the Stripe webhook on the plain listener. */
export function answerStripe(events: StripeEvents): (request: IncomingMessage) => Promise<Answer> {
  const bodies = new EventBodies()
  return (request) => {
    const { method = 'GET', headers } = request
    const given = headers['stripe-signature']
    const signature = typeof given === 'string' ? given : null
    return answer(events, { method, signature, encoding: headers['content-encoding'], read: () => bodies.read(request) })
  }
}

/** Serves the Stripe webhook with web Request and Response objects, for example in Next route handlers. */
export function createStripeHandler(service: () => Promise<Service>): (request: Request) => Promise<Response> {
  return async ({ method, headers, body }) => {
    const { stripe } = await service()
    const encoding = headers.get('content-encoding') ?? undefined
    const read = () => readEventBody(body, stripe.log)
    return toResponse(await answer(stripe, { method, signature: headers.get('stripe-signature'), encoding, read }))
  }
}
