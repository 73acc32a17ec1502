import type { IncomingMessage, ServerResponse } from 'node:http'
import { securityHeaders } from '#server/api/contract/security-headers.ts'
import type { Service } from '#server/runtime/service.ts'
import { BodyBuffer } from './body-buffer.ts'
import { longestBody, type ToolServer } from './mcp.ts'
import { readCaller } from './web-request.ts'

/** Bytes of a body that is too long which are received and discarded, so that its sender sees the response. A sender that is cut off sees none. */
const maxReceived = 1_048_576

/** A body that arrives in parts. */
class Body {
  private readonly buffer = new BodyBuffer(longestBody)
  private received = 0

  /** Adds a part. Returns false if more parts would change nothing. */
  add(part: Uint8Array): boolean {
    this.received += part.length
    this.buffer.add(part)
    return this.received <= maxReceived
  }

  /** Returns the body as text, or null if it is longer than allowed. */
  get text(): string | null {
    return this.buffer.body?.toString() ?? null
  }
}

/** The body of a request. When the caller hangs up in the middle it is empty: what had arrived is no message, even if it looks like one, and must not be paid for. */
function bodyOf(request: IncomingMessage): Promise<string | null> {
  const body = new Body()
  return new Promise((resolve) => {
    request.on('data', (part: Buffer) => {
      if (!body.add(part)) resolve(null)
    })
    request.once('end', () => resolve(body.text))
    request.once('error', () => resolve(''))
    request.once('close', () => resolve(''))
  })
}

/** The same of a web request. */
async function webBodyOf({ body: parts }: Request): Promise<string | null> {
  const body = new Body()
  try {
    for await (const part of parts ?? []) if (!body.add(part)) break
  } catch {
    // As above: the caller hung up.
    return ''
  }
  return body.text
}

/** The tool server on the plain listener. */
export async function serveTools(tools: ToolServer, request: IncomingMessage, response: ServerResponse, address: string | null): Promise<void> {
  const { method = 'GET', headers } = request
  const answer = await tools.answer({ method, headers, address, body: () => bodyOf(request) })
  const length = answer.body === null ? [] : ['Content-Length', String(Buffer.byteLength(answer.body))]
  // What was not read of a body would be taken for the next request.
  const end = request.complete ? [] : ['Connection', 'close']
  request.resume()
  response.writeHead(answer.status, [...answer.headers, ...length, ...end])
  response.end(answer.body ?? undefined)
}

/** The tool server for hosts that only know web Request and Response, such as Next route handlers. */
export function createToolsHandler(service: () => Promise<Service>): (request: Request) => Promise<Response> {
  return async (request) => {
    const { tools, publicUrl } = await service()
    const { address } = readCaller(request)
    const answer = await tools.answer({ method: request.method, headers: Object.fromEntries(request.headers), address, body: () => webBodyOf(request) })
    const pairs: [string, string][] = []
    // The answer of a refused call has them already.
    const headers = answer.headers.includes('Referrer-Policy') ? answer.headers : [...securityHeaders(publicUrl), ...answer.headers]
    for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] ?? '', headers[at + 1] ?? ''])
    return new Response(answer.body, { status: answer.status, headers: pairs })
  }
}
