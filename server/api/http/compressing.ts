import type { IncomingMessage, ServerResponse } from 'node:http'

/** Content types worth compressing: pages, their fragments and their assets. Excludes event streams, which must not wait for a full block. */
const compressed =
  /^(?:text\/(?:html|css|javascript|plain|markdown|x-component)|application\/(?:javascript|json|manifest\+json|atom\+xml)|image\/svg\+xml)(?:;|$)/

/**
 * Maximum number of responses compressed at the same time. Each holds some megabytes in the compressor until the client has read it, however slowly, and all
 * share the thread pool that hashes passwords and reads files. Further responses are sent uncompressed.
 */
const maxAtOnce = 32

/** Returns a filter that decides for each response if it is compressed. */
export function compressing(): (request: IncomingMessage, response: ServerResponse) => boolean {
  let atOnce = 0
  return (request, response) => {
    if (request.headers['accept-encoding'] === undefined || !compressed.test(String(response.getHeader('content-type') ?? ''))) return false
    if (atOnce >= maxAtOnce) return false
    atOnce++
    response.once('close', () => {
      atOnce--
    })
    return true
  }
}
