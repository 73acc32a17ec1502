import { randomUUID } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Answer } from '#server/api/pipeline/call.ts'

/** Stands for a body in messages of this process. Nobody else knows it, so nothing that a caller sends can be taken for it. */
const mark = randomUUID()

/**
 * The bodies of the calls of one request. The gate hands them out as ready-made JSON; the SDK gets a mark in place of each, and the mark is replaced in
 * what it wrote. To have it read, check and write thousands of bytes anew for each call would cost more than the whole call.
 */
export class Bodies {
  private readonly held: string[] = []

  /** The result of a tool: the body as text and as an object, or as an error that says why not. */
  resultOf({ status, body }: Answer): CallToolResult {
    const place = this.held.push(body) - 1
    const content = [{ type: 'text' as const, text: `${mark}${place}` }]
    return status === 200 ? { content, structuredContent: { [mark]: place } } : { content, isError: true }
  }

  /** Puts the bodies into JSON in which they are marked. */
  fill(json: string): string {
    return this.held.reduce(
      (text, body, place) => text.replace(`"${mark}${place}"`, () => JSON.stringify(body)).replace(`{"${mark}":${place}}`, () => body),
      json,
    )
  }
}
