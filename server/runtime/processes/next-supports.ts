import type { IncomingMessage } from 'node:http'
import { leadsElsewhere } from '#server/api/http/address-shapes.ts'

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Returns true if Next passes a request on unchanged. It answers other methods, undecodable paths and targets that are not paths with a bare 500, and double
 * slashes with a redirect; it resolves dot segments, so that `/v1/../x` ends outside the API, and drops everything after a `#`. Our listener answers such
 * API calls itself, with an error that says what is wrong. A host that only runs Next cannot.
 */
export function nextSupports(request: IncomingMessage): boolean {
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
