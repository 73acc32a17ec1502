import type { IncomingMessage, ServerResponse } from 'node:http'
import { type DirectAnswer, headerPairs } from '#server/api/pipeline/call.ts'
import { readPeer } from './peer.ts'
import { fileBody } from './send-file.ts'

/** Caller of a web request. `acceptEncoding` is null if the response can't be compressed. */
type Caller = { readonly address: string | null; readonly target: string; readonly acceptEncoding: string | null }

/**
 * Returns the client address and the target that our own listener stamped on a web request. Without that stamp, the peer of the connection is unknown, so no
 * forwarding header can be trusted and the address is null; and nothing would restore `encodingHeader`, so the response can't be compressed.
 */
export function readCaller(request: Pick<Request, 'headers' | 'url'>): Caller {
  const peer = readPeer(request.headers)
  const acceptEncoding = peer === null ? null : request.headers.get('accept-encoding')
  return { address: peer?.address ?? null, target: getPath(peer?.url ?? request.url), acceptEncoding }
}

/** Carries Content-Encoding from a route handler to our own listener, because Next removes that header. */
const encodingHeader = 'x-svc-content-encoding'

/** Makes a response send Content-Encoding when a route handler sets `encodingHeader`. */
export function restoreEncoding({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers['accept-encoding'] === undefined) return
  const setHeader = response.setHeader.bind(response)
  response.setHeader = (name, value) => setHeader(name.toLowerCase() === encodingHeader ? 'Content-Encoding' : name, value)
}

/** Returns the headers of a flat list for a response of a route handler. */
export const webHeaders = (flat: readonly string[]): [name: string, value: string][] =>
  headerPairs(flat).map(([name, value]) => [name === 'Content-Encoding' ? encodingHeader : name, value])

/** Returns the path and query of an absolute URL or a path. */
function getPath(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const hash = url.indexOf('#')
  return url.slice(start, hash < 0 ? undefined : hash)
}

/** Returns the named headers that are present, by lower-case name. */
export function pickHeaders(headers: Headers, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of names) {
    const value = headers.get(name)
    if (value !== null) found[name] = value
  }
  return found
}

export function toResponse(answer: DirectAnswer): Response {
  const headers = webHeaders(answer.headers)
  if (answer.status !== 304 && !answer.isUnpaid) headers.push(['Content-Length', String(answer.bytes)])
  const body = answer.file ? fileBody(answer.file) : answer.body
  return new Response(answer.status === 304 ? null : body, { status: answer.status, headers })
}
