import type { IncomingMessage, ServerResponse } from 'node:http'
import { securityHeaders } from '#server/api/contract/security-headers.ts'
import { headerPairs } from '#server/api/pipeline/call.ts'
import type { Service } from '#server/runtime/service.ts'
import { BodyBuffer } from './body-buffer.ts'
import { longestBody, type ToolServer } from './mcp.ts'
import { readCaller } from './web-request.ts'

/** Maximum number of bytes read from an oversized body. They are discarded; reading them lets the sender finish and see the response. */
const maxReceived = 1_048_576

/** Returns a body as text, or null if it exceeds the limit. */
const getText = ({ body }: BodyBuffer): string | null => body?.toString() ?? null

/**
 * Reads a request body. Returns an empty string if the caller disconnects before the end of the body: a partial body must not be charged, even if it looks like
 * a message.
 */
function getBody(request: IncomingMessage): Promise<string | null> {
  const body = new BodyBuffer(longestBody)
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

/** Reads the body of a web request in the same way as `getBody`. */
async function getWebBody({ body: parts }: Request): Promise<string | null> {
  const body = new BodyBuffer(longestBody)
  try {
    for await (const part of parts ?? []) {
      body.add(part)
      if (body.received > maxReceived) break
    }
  } catch {
    // The caller disconnected; see `getBody`.
    return ''
  }
  return getText(body)
}

/** Serves MCP on the plain listener. */
export async function serveTools(tools: ToolServer, request: IncomingMessage, response: ServerResponse, address: string | null): Promise<void> {
  const { method = 'GET', headers } = request
  const answer = await tools.answer({ method, headers, address, body: () => getBody(request) })
  const length = answer.body === null ? [] : ['Content-Length', String(Buffer.byteLength(answer.body))]
  // Unread bytes of a body would be parsed as the next request.
  const end = request.complete ? [] : ['Connection', 'close']
  request.resume()
  response.writeHead(answer.status, [...answer.headers, ...length, ...end])
  response.end(answer.body ?? undefined)
}

/** Serves MCP with web Request and Response objects, for example in Next route handlers. */
export function createToolsHandler(service: () => Promise<Service>): (request: Request) => Promise<Response> {
  return async (request) => {
    const { tools, publicUrl } = await service()
    const { address } = readCaller(request)
    const answer = await tools.answer({ method: request.method, headers: Object.fromEntries(request.headers), address, body: () => getWebBody(request) })
    // The response to a rejected call already has the security headers.
    const headers = answer.headers.includes('Referrer-Policy') ? answer.headers : [...securityHeaders(publicUrl), ...answer.headers]
    return new Response(answer.body, { status: answer.status, headers: headerPairs(headers) })
  }
}
