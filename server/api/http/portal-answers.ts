import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from '#server/api/pipeline/call.ts'

const shared = globalThis as { [key: symbol]: unknown }
const slot = Symbol.for('svc.answer')

/** Returns the async storage from a global slot: Next bundles a second copy of this module, and both copies must share the storage. */
function answers(): AsyncLocalStorage<ServerResponse> {
  shared[slot] ??= new AsyncLocalStorage<ServerResponse>()
  return shared[slot] as AsyncLocalStorage<ServerResponse>
}

/** Runs `work` with the response in async context, so that nested code can reach it. */
export function answering(response: ServerResponse, work: () => void): void {
  answers().run(response, work)
}

/** Sets the status of the page being rendered. Returns false if that is not possible: the headers have already been sent, or Next runs without our listener. */
export function setAnswerStatus(status: number): boolean {
  const response = answers().getStore()
  if (!response || response.headersSent) return false
  response.statusCode = status
  return true
}

/**
 * Response type that exposes the undocumented method that Node's `writeHead` calls last. `tests/unit/page-head.test.ts` checks that calling it directly writes
 * the same bytes as `writeHead`.
 */
type Response = ServerResponse & { _storeHeader(firstLines: string, headers: readonly string[]): void }

/**
 * Writes the head of a 200 response as `writeHead` would; Node adds the headers Date, Connection and Keep-Alive. Skips Node's validation of names and values,
 * which takes 1 to 5 µs per call. The headers must therefore contain no invalid characters, and caller input only percent-encoded
 * (see `ResponseBuilder.page`), and must not include connection headers.
 */
export function writePageHead(response: ServerResponse, { headers, bytes }: Pick<Answer, 'headers' | 'bytes'>): void {
  let lines = 'HTTP/1.1 200 OK\r\n'
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`
  response.statusCode = 200
  ;(response as Response)._storeHeader(lines, ['Content-Length', String(bytes)])
}

/**
 * Content types worth compressing: pages, their fragments and their assets. Excludes event streams, whose events must be sent at once instead of waiting for a
 * full compression block.
 */
const compressed =
  /^(?:text\/(?:html|css|javascript|plain|markdown|x-component)|application\/(?:javascript|json|manifest\+json|atom\+xml)|image\/svg\+xml)(?:;|$)/

/**
 * Maximum number of responses compressed at the same time. Each one holds several megabytes in the compressor until the client has read it, which can take
 * long, and all share the thread pool that also hashes passwords and reads files. Beyond this limit, responses are sent uncompressed.
 */
const maxAtOnce = 32

/** Returns a filter that determines whether each response is compressed. */
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

/**
 * Collects the items submitted within one turn of the event loop and processes them together after pending socket reads. Running the same code for one item
 * after another keeps it in the CPU cache, so Next answers up to twice as many calls. `work` must not throw.
 */
export function batchPerTurn<Item>(work: (item: Item) => void): (item: Item) => void {
  let asked: Item[] = []
  const go = () => {
    const items = asked
    asked = []
    for (const item of items) work(item)
  }
  return (item) => {
    if (asked.push(item) === 1) setImmediate(go)
  }
}
