import type { IncomingMessage } from 'node:http'
import { leadsElsewhere } from '#server/api/http/address-shapes.ts'

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Whether Next hands a request on as it came. It answers other methods, paths that cannot be decoded and targets that are no path with a bare 500, and
 * doubled slashes with a redirect; it resolves segments of dots, so that `/v1/../x` ends outside of the API, and drops what follows a `#`. Our
 * listener answers such calls of the API itself, with the error that says what is wrong. A host that only runs Next cannot.
 */
export function nextCarries(request: IncomingMessage): boolean {
  const url = request.url ?? '/'
  const path = url.split('?', 1)[0] ?? '/'
  if (!knownMethods.has(request.method ?? '') || !path.startsWith('/') || url.includes('#')) return false
  if (path.includes('//') || leadsElsewhere(path)) return false
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
