import type { IncomingMessage, ServerResponse } from 'node:http'
import { securityHeaders } from '#server/api/contract/security-headers.ts'
import type { Service } from '#server/runtime/service.ts'
import { longestBody, type ToolServer } from './mcp.ts'
import { readBody, readWebBody } from './request-body.ts'
import { readCaller, webHeaders } from './web-request.ts'

/** Serves MCP on the plain listener. */
export async function serveTools(tools: ToolServer, request: IncomingMessage, response: ServerResponse, address: string | null): Promise<void> {
  const { method = 'GET', headers } = request
  const answer = await tools.answer({ method, headers, address, body: () => readBody(request, longestBody) })
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
    const { address, acceptEncoding } = readCaller(request)
    const headersIn = { ...Object.fromEntries(request.headers), 'accept-encoding': acceptEncoding ?? undefined }
    const answer = await tools.answer({ method: request.method, headers: headersIn, address, body: () => readWebBody(request, longestBody) })
    // The response to a rejected call already has the security headers.
    const headers = answer.headers.includes('Referrer-Policy') ? answer.headers : [...securityHeaders(publicUrl), ...answer.headers]
    return new Response(answer.body, { status: answer.status, headers: webHeaders(headers) })
  }
}
