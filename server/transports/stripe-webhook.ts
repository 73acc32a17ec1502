import type { IncomingMessage } from 'node:http'
import type { Answer } from '../gate/call.ts'
import type { Log } from '../log.ts'
import type { Service } from '../service.ts'
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

async function answer({ receive, log }: StripeEvents, method: string, signature: string | null, chunks: AsyncIterable<Uint8Array> | null): Promise<Answer> {
  if (method !== 'POST') return json(404, { error: 'not_found', message: 'This path answers POST only.' }, 'Allow', 'POST')
  try {
    const bytes = chunks === null ? new Uint8Array() : await readBytes(chunks)
    // What was not read of a body would be taken for the next request.
    if (bytes === null) return json(413, { error: 'invalid_request', message: `The body is longer than ${longestBody} bytes.` }, 'Connection', 'close')
    const { status, body } = await receive(bytes, signature)
    return json(status, body)
  } catch (error) {
    log.error({ err: error }, 'A Stripe event could not be taken in; Stripe sends it again.')
    return json(500, { error: 'internal_error', message: 'The event could not be taken in. Send it again.' })
  }
}

/** The endpoint for Stripe's events on the plain listener. */
export function answerStripe(events: StripeEvents, request: IncomingMessage): Promise<Answer> {
  const given = request.headers['stripe-signature']
  const chunks = request.iterator({ destroyOnReturn: false })
  return answer(events, request.method ?? 'GET', typeof given === 'string' ? given : null, chunks)
}

/** The endpoint for hosts that only know web Request and Response, such as Next route handlers. */
export function createStripeHandler(service: () => Promise<Service>): (request: Request) => Promise<Response> {
  return async (request) => toResponse(await answer((await service()).stripe, request.method, request.headers.get('stripe-signature'), request.body))
}
