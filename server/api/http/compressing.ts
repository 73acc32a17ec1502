import type { IncomingMessage, ServerResponse } from 'node:http'

/** What is worth compressing: pages, their parts and their files. Not streams of events, which must not wait for a full block. */
const compressed =
  /^(?:text\/(?:html|css|javascript|plain|markdown|x-component)|application\/(?:javascript|json|manifest\+json|atom\+xml)|image\/svg\+xml)(?:;|$)/

/**
 * Answers that are compressed at the same time. Each holds some megabytes of the compressor until its reader has it, however slowly that reads, and all
 * share the threads by which passwords are hashed and files are read. Beyond, answers leave as they are.
 */
const mostAtOnce = 32

/** Says of each answer whether it is to be compressed. */
export function compressing(): (request: IncomingMessage, response: ServerResponse) => boolean {
  let atOnce = 0
  return (request, response) => {
    if (request.headers['accept-encoding'] === undefined || !compressed.test(String(response.getHeader('content-type') ?? ''))) return false
    if (atOnce >= mostAtOnce) return false
    atOnce++
    response.once('close', () => {
      atOnce--
    })
    return true
  }
}
