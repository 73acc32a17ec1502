import type { IncomingMessage } from 'node:http'
import { BodyBuffer } from './body-buffer.ts'

/** Maximum number of bytes read from an oversized body. They are discarded; reading them lets the sender finish and see the response. */
const maxReceived = 1_048_576

/** Returns a body as text, or null if it exceeds the limit. */
const getText = ({ body }: BodyBuffer): string | null => body?.toString() ?? null

/**
 * Reads a request body of up to `maxBytes`; null if it is longer. Returns an empty string if the caller disconnects before the end of the body: a partial body
 * must not have an effect, even if it looks like a message.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  const body = new BodyBuffer(maxBytes)
  return new Promise((resolve) => {
    request.on('data', (part: Buffer) => {
      body.add(part)
      if (body.received > maxReceived) resolve(null)
    })
    request.once('end', () => resolve(getText(body)))
    request.once('error', () => resolve(''))
    request.once('close', () => resolve(''))
  })
}

/** Reads the body of a web request in the same way as `readBody`. */
export async function readWebBody({ body: parts }: Request, maxBytes: number): Promise<string | null> {
  const body = new BodyBuffer(maxBytes)
  try {
    for await (const part of parts ?? []) {
      body.add(part)
      if (body.received > maxReceived) break
    }
  } catch {
    // The caller disconnected; see `readBody`.
    return ''
  }
  return getText(body)
}

/** Returns a function that reads a body once and returns the same result every time. */
export function readOnce(read: () => Promise<string | null>): () => Promise<string | null> {
  let reading: Promise<string | null> | null = null
  return () => {
    reading ??= read()
    return reading
  }
}
