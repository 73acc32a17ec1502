import type { IncomingMessage, ServerResponse } from 'node:http'
import fresh from 'fresh'
import Negotiator from 'negotiator'
import type { StoredPage } from './stored-page.ts'

/** Best first. */
const encodings = ['br', 'gzip', 'identity'] as const

/** Sends a stored page in the best encoding that the browser supports, or 304 if the browser has it already. */
export function sendPage(request: IncomingMessage, response: ServerResponse, { status, headers, bodies, etag }: StoredPage): void {
  // Ignores `Cache-Control: no-cache`, which fetch adds to every conditional request: the answer comes from the origin, whether it is 200 or 304.
  if (status === 200 && fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag })) {
    const { 'Content-Type': _, Link: __, ...kept } = headers
    response.writeHead(304, kept)
    response.end()
    return
  }
  const accepted = new Negotiator(request).encodings([...encodings])
  const encoding = encodings.find((one) => accepted.includes(one) && bodies[one] !== null) ?? 'identity'
  const body = bodies[encoding] ?? bodies.identity
  response.writeHead(status, { ...headers, 'Content-Length': body.length, ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }) })
  response.end(request.method === 'HEAD' ? undefined : body)
}
