import { randomUUID } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Answer } from '#server/api/pipeline/call.ts'

/** Prefix of the placeholders for bodies. It is random and secret, so nothing that a caller sends can be mistaken for a placeholder. */
const placeholder = randomUUID()

/**
 * Stores the response bodies of the calls in one request. The pipeline returns them as serialised JSON; the SDK gets a placeholder for each, which is replaced
 * in its output. Parsing, validating and serialising thousands of bytes again would cost more than the whole call.
 */
export class Bodies {
  private readonly bodies: string[] = []

  /** Returns the tool result for a response, with placeholders for the body: as text and as an object, or only as text if the call failed. */
  getResult({ status, body }: Answer): CallToolResult {
    const place = this.bodies.push(body) - 1
    const content = [{ type: 'text' as const, text: `${placeholder}${place}` }]
    return status === 200 ? { content, structuredContent: { [placeholder]: place } } : { content, isError: true }
  }

  /** Replaces the placeholders in JSON with the bodies. */
  fill(json: string): string {
    return this.bodies.reduce(
      (text, body, place) => text.replace(`"${placeholder}${place}"`, () => JSON.stringify(body)).replace(`{"${placeholder}":${place}}`, () => body),
      json,
    )
  }
}
