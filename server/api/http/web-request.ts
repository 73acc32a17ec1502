import { type DirectAnswer, headerPairs } from '#server/api/pipeline/call.ts'
import { readPeer } from './peer.ts'

/**
 * Returns the client address and the target that our own listener stamped on a web request. Without that stamp, the peer of the connection is unknown, so no
 * forwarding header can be trusted and the address is null.
 */
export function readCaller(request: Pick<Request, 'headers' | 'url'>): { readonly address: string | null; readonly target: string } {
  const peer = readPeer(request.headers)
  return { address: peer?.address ?? null, target: getPath(peer?.url ?? request.url) }
}

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
  const headers = headerPairs(answer.headers)
  if (answer.status !== 304) headers.push(['Content-Length', String(answer.bytes)])
  return new Response(answer.status === 304 ? null : answer.body, { status: answer.status, headers })
}
