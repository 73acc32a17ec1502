import type { IncomingMessage } from 'node:http'
import type { Answer } from '#server/api/pipeline/call.ts'
import type { Log } from '#server/observability/log.ts'
import type { Service } from '#server/runtime/service.ts'
import { isPacked } from './request-faults.ts'
import { toResponse } from './web-request.ts'

const path = '/api/stripe/webhook'

/** Bytes of an event that are read; Stripe's have a few thousand. */
const longestBody = 1_048_576

/** Takes in an event: its bytes as they were signed, and the header with the signature. */
type StripeEvents = { receive: (body: Uint8Array, signature: string | null) => Promise<{ status: number; body: object }>; log: Log }

/** Whether an address is the one that Stripe sends events to. */
export const isStripePath = (url: string): boolean => url === path || url.startsWith(`${path}?`)

function json(status: number, body: object, ...headers: string[]): Answer {
  const text = JSON.stringify(body)
  const all = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', ...headers]
  return { status, headers: all, body: text, bytes: Buffer.byteLength(text) }
}

/** The body byte for byte, because the signature is over bytes; null when it is longer than is read. */
async function readBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > longestBody) return null
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

const faulty = (status: number, message: string, ...headers: string[]) => json(status, { error: 'invalid_request', message }, ...headers)

type Sent = {
  readonly method: string
  readonly signature: string | null
  readonly encoding: string | undefined
  readonly chunks: AsyncIterable<Uint8Array> | null
}

async function answer({ receive, log }: StripeEvents, { method, signature, encoding, chunks }: Sent): Promise<Answer> {
  if (method !== 'POST') return json(404, { error: 'not_found', message: 'This path answers POST only.' }, 'Allow', 'POST')
  if (isPacked(encoding)) return faulty(415, 'Send the event as it is, without Content-Encoding.')
  let bytes: Uint8Array | null
  try {
    bytes = chunks === null ? new Uint8Array() : await readBytes(chunks)
  } catch (error) {
    log.debug({ err: error }, 'A sender hung up in the middle of an event.')
    return faulty(400, 'The body ended too early.', 'Connection', 'close')
  }
  // What was not read of a body would be taken for the next request.
  if (bytes === null) return faulty(413, `The body is longer than ${longestBody} bytes.`, 'Connection', 'close')
  try {
    const { status, body } = await receive(bytes, signature)
    return json(status, body)
  } catch (error) {
    log.error({ err: error }, 'A Stripe event could not be taken in; Stripe sends it again.')
    return json(500, { error: 'internal_error', message: 'The event could not be taken in. Send it again.' })
  }
}

/** The endpoint for Stripe's events on the plain listener. */
export function answerStripe(events: StripeEvents, request: IncomingMessage): Promise<Answer> {
  const { method = 'GET', headers } = request
  const given = headers['stripe-signature']
  const signature = typeof given === 'string' ? given : null
  return answer(events, { method, signature, encoding: headers['content-encoding'], chunks: request.iterator({ destroyOnReturn: false }) })
}

/** The endpoint for hosts that only know web Request and Response, such as Next route handlers. */
export function createStripeHandler(service: () => Promise<Service>): (request: Request) => Promise<Response> {
  return async ({ method, headers, body }) => {
    const encoding = headers.get('content-encoding') ?? undefined
    return toResponse(await answer((await service()).stripe, { method, signature: headers.get('stripe-signature'), encoding, chunks: body }))
  }
}
