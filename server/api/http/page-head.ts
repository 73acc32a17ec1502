import type { ServerResponse } from 'node:http'
import type { Answer } from '#server/api/pipeline/call.ts'

/** Response with the undocumented method that Node's `writeHead` calls last. `tests/unit/page-head.test.ts` compares its bytes with those of `writeHead`. */
type Response = ServerResponse & { _storeHeader(firstLines: string, headers: readonly string[]): void }

/**
 * Writes the head of a page as `writeHead(200, answer.headers)` would; Node adds date, connection and keep-alive. Skips only Node's validation of names and
 * values, which takes 1 to 5 µs per call. So the headers must not contain caller input or invalid characters (see `ResponseBuilder.page`), and must not concern
 * the connection.
 */
export function writePageHead(response: ServerResponse, { headers, bytes }: Answer): void {
  let lines = 'HTTP/1.1 200 OK\r\n'
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`
  response.statusCode = 200
  ;(response as Response)._storeHeader(lines, ['Content-Length', String(bytes)])
}
